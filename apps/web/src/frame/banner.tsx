// What stands in the way of answers, if anything does.
import { health, healthDetail } from '../state/server'
import { narrow, panel, sidebar } from '../state/view'
import { Icon } from '../ui/icon'

function openKey() {
  if (narrow.value) sidebar.value = false
  panel.value = true
  setTimeout(() => document.querySelector<HTMLElement>('#api-key')?.focus(), 250)
}

export function Banner() {
  switch (health.value) {
    case 'loading':
      return (
        <p class="banner" role="status">
          <i class="pulse" />
          {healthDetail.value || 'The model is loading.'}
        </p>
      )
    case 'locked':
      return (
        <p class="banner" role="alert">
          <Icon name="warning" />
          This server wants an API key.
          <button type="button" class="button small" onClick={openKey}>
            Enter it
          </button>
        </p>
      )
    case 'away':
      return (
        <p class="banner bad" role="alert">
          <Icon name="warning" />
          {healthDetail.value || 'The server does not answer.'}
        </p>
      )
    default:
      return null
  }
}
