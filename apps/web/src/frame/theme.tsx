// Light, dark, or as the system has it.
import { set, settings } from '../state/settings'
import type { Theme } from '../state/settings'
import { Icon } from '../ui/icon'
import type { IconName } from '../ui/icon'

const next: Record<Theme, Theme> = { auto: 'light', light: 'dark', dark: 'auto' }
const icons: Record<Theme, IconName> = { auto: 'auto', light: 'sun', dark: 'moon' }
const names: Record<Theme, string> = { auto: 'as the system', light: 'light', dark: 'dark' }

export function ThemeButton() {
  const { theme } = settings.value
  const label = `Colours: ${names[theme]}`
  return (
    <button
      type="button"
      class="icon-button"
      aria-label={label}
      title={label}
      onClick={() => set('theme', next[theme])}
    >
      <Icon name={icons[theme]} />
    </button>
  )
}
