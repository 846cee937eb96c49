// Keys that work everywhere on the page, and the list of them.
import { focusComposer } from '../chat/composer'
import { current } from '../state/conversations'
import { live, regenerate, stopCurrent } from '../state/generate'
import { closeDrawers, help, panel, sidebar, tab, togglePanel, toggleSidebar } from '../state/view'
import { Dialog } from '../ui/dialog'
import { newChat } from './sidebar'

interface Shortcut {
  keys: string[]
  does: string
  act?: () => void // none: handled where the focus is
}

function search() {
  sidebar.value = true
  setTimeout(() => document.querySelector<HTMLInputElement>('#search')?.select())
}

function answerAgain() {
  const { head, turns } = current.value
  const turn = head ? turns[head] : undefined
  if (turn?.role === 'assistant' && !live.value[current.value.id]) regenerate(turn)
}

const views = ['chat', 'prompt', 'dashboard'] as const

const shortcuts: Shortcut[] = [
  { keys: ['Enter'], does: 'Send' },
  { keys: ['Shift+Enter'], does: 'New line' },
  { keys: ['ArrowUp'], does: 'Edit the last message, when the box is empty' },
  { keys: ['Escape'], does: 'Stop the answer', act: escape },
  { keys: ['Ctrl+Shift+O', 'Ctrl+Shift+N'], does: 'New chat', act: newChat },
  { keys: ['Ctrl+K'], does: 'Search conversations', act: search },
  { keys: ['Ctrl+B'], does: 'Show or hide conversations', act: toggleSidebar },
  { keys: ['Ctrl+,'], does: 'Settings', act: togglePanel },
  { keys: ['Ctrl+Shift+E'], does: 'Answer again', act: answerAgain },
  ...views.map((view, index) => ({
    keys: [`Alt+${index + 1}`],
    does: `The ${view} view`,
    act: () => void (tab.value = view),
  })),
  { keys: ['Ctrl+/'], does: 'These keys', act: () => void (help.value = !help.value) },
  { keys: ['/'], does: 'To the message box' },
]

function escape() {
  if (panel.value || sidebar.value) closeDrawers()
  stopCurrent()
}

function pressed(event: KeyboardEvent): string {
  const key = event.key.length === 1 ? event.key.toUpperCase() : event.key
  // Alt changes what some keyboards write on a key; the digit is what is meant.
  const named = event.altKey && event.code.startsWith('Digit') ? event.code.slice(5) : key
  const held = [
    (event.ctrlKey || event.metaKey) && 'Ctrl',
    event.altKey && 'Alt',
    event.shiftKey && event.key !== '/' && 'Shift', // where "/" itself needs Shift
  ]
  return [...held.filter(Boolean), named].join('+')
}

const writing = (target: EventTarget | null) =>
  target instanceof HTMLElement &&
  (target.isContentEditable || /^(INPUT|TEXTAREA|SELECT)$/.test(target.tagName))

export function watchKeys() {
  addEventListener('keydown', (event) => {
    if (document.querySelector('dialog[open]') && event.key !== '/') return
    const keys = pressed(event)
    if (keys === '/' && !writing(event.target)) {
      event.preventDefault()
      focusComposer()
      return
    }
    const act = shortcuts.find((shortcut) => shortcut.keys.includes(keys))?.act
    if (!act) return
    if (keys !== 'Escape') event.preventDefault()
    act()
  })
}

export function Shortcuts() {
  if (!help.value) return null
  return (
    <Dialog title="Keyboard shortcuts" close={() => (help.value = false)}>
      <dl class="shortcuts">
        {shortcuts.map(({ keys, does }) => (
          <div key={does}>
            <dt>{does}</dt>
            <dd>
              {keys.map((key) => (
                <kbd key={key}>{key.replace('ArrowUp', '↑').replace('Escape', 'Esc')}</kbd>
              ))}
            </dd>
          </div>
        ))}
      </dl>
    </Dialog>
  )
}
