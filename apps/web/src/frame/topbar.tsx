// Above everything: the model, the views, the settings.
import type { Model } from '../api/types'
import {
  chosenModel,
  currentModel,
  health,
  modelName,
  models,
  setModelLoaded,
} from '../state/server'
import { panel, sidebar, tab, tell, togglePanel, toggleSidebar } from '../state/view'
import type { Tab } from '../state/view'
import { Bar } from '../ui/bar'
import { Icon } from '../ui/icon'
import type { IconName } from '../ui/icon'
import { Menu } from '../ui/menu'
import type { MenuItem } from '../ui/menu'
import { percent } from '../ui/text'

const tabs: { tab: Tab; label: string; icon: IconName }[] = [
  { tab: 'chat', label: 'Chat', icon: 'chat' },
  { tab: 'prompt', label: 'Prompt', icon: 'token' },
  { tab: 'dashboard', label: 'Dashboard', icon: 'chart' },
]

function State({ model }: { model: Model }) {
  const { status } = model
  if (!status) return null
  if (status.value === 'loading')
    return (
      <small class="state">
        {status.progress === undefined ? (
          'loading'
        ) : (
          <>
            <Bar share={status.progress} label="Loading" role="progressbar" />{' '}
            {percent(status.progress)}
          </>
        )}
      </small>
    )
  return <small class={`state ${status.value}`}>{status.value}</small>
}

function choices(): MenuItem[] {
  const list: MenuItem[] = models.value.map((model) => ({
    label: modelName(model.id),
    checked: model.id === currentModel.value?.id,
    note: <State model={model} />,
    act: () => (chosenModel.value = model.id),
  }))
  const chosen = currentModel.value
  if (chosen?.status && chosen.status.value !== 'loading') {
    const loaded = chosen.status.value === 'loaded'
    list.push({
      label: `${loaded ? 'Unload' : 'Load'} ${modelName(chosen.id)}`,
      icon: loaded ? 'close' : 'upload',
      act: () => setModelLoaded(chosen, !loaded).catch((error: Error) => tell(error.message, true)),
    })
  }
  return list
}

function ModelPicker() {
  const model = currentModel.value
  const name = model ? modelName(model.id) : health.value === 'loading' ? 'Loading…' : 'No model'
  if (models.value.length < 2 && !model?.status)
    return (
      <span class="model" title={model?.id}>
        {name}
      </span>
    )
  return (
    <Menu label={`Model: ${name}`} class="model" items={choices()}>
      <span class="name">{name}</span>
      {model?.status?.value === 'loading' && <State model={model} />}
      <Icon name="down" />
    </Menu>
  )
}

// Of a row of tabs only the chosen one is a stop for Tab; arrows lead to the others.
function moveByArrow(event: KeyboardEvent) {
  const step = { ArrowLeft: -1, ArrowRight: 1 }[event.key]
  if (!step) return
  const at = tabs.findIndex((one) => one.tab === tab.value)
  const next = (at + step + tabs.length) % tabs.length
  tab.value = tabs[next]!.tab
  const list = event.currentTarget as HTMLElement
  list.querySelectorAll<HTMLElement>('[role=tab]')[next]?.focus()
}

export function Topbar() {
  return (
    <header class="topbar">
      <button
        type="button"
        class="icon-button"
        aria-label="Conversations"
        aria-expanded={sidebar.value}
        title="Conversations (Ctrl+B)"
        onClick={toggleSidebar}
      >
        <Icon name="menu" />
      </button>
      <ModelPicker />
      <div class="tabs" role="tablist" aria-label="Views" onKeyDown={moveByArrow}>
        {tabs.map((one) => (
          <button
            key={one.tab}
            type="button"
            role="tab"
            aria-selected={tab.value === one.tab}
            tabIndex={tab.value === one.tab ? 0 : -1}
            aria-label={one.label}
            onClick={() => (tab.value = one.tab)}
          >
            <Icon name={one.icon} />
            <span>{one.label}</span>
          </button>
        ))}
      </div>
      <button
        type="button"
        class="icon-button"
        aria-label="Settings"
        aria-expanded={panel.value}
        title="Settings (Ctrl+,)"
        onClick={togglePanel}
      >
        <Icon name="sliders" />
      </button>
    </header>
  )
}
