// The list of conversations: search, rename, export, import, delete.
import { signal } from '@preact/signals'
import { useRef } from 'preact/hooks'
import { focusComposer } from '../chat/composer'
import {
  current,
  entries,
  exportJson,
  exportMarkdown,
  importJson,
  matches,
  open,
  query,
  remove,
  removeAll,
  rename,
  searchFor,
  startNew,
} from '../state/conversations'
import type { Entry } from '../state/database'
import { live } from '../state/generate'
import { closeDrawers, help, sidebar, tab } from '../state/view'
import { ask } from '../ui/dialog'
import { Flame, Icon } from '../ui/icon'
import { Menu } from '../ui/menu'
import { ThemeButton } from './theme'

const renaming = signal('')

export function newChat() {
  startNew()
  tab.value = 'chat'
  closeDrawers()
  setTimeout(focusComposer)
}

const DAY_MS = 86_400_000

function ageOf(entry: Entry): string {
  const today = new Date().setHours(0, 0, 0, 0)
  if (entry.updated >= today) return 'Today'
  if (entry.updated >= today - DAY_MS) return 'Yesterday'
  return entry.updated >= today - 7 * DAY_MS ? 'Last seven days' : 'Older'
}

function groups(list: Entry[]): [string, Entry[]][] {
  const found = new Map<string, Entry[]>()
  for (const entry of list) found.set(ageOf(entry), [...(found.get(ageOf(entry)) ?? []), entry])
  return [...found]
}

function confirmRemoval(entry: Entry) {
  ask({
    title: 'Delete this conversation?',
    action: 'Delete',
    text: `“${entry.title}” is kept in this browser only and cannot be brought back.`,
    act: () => {
      live.value[entry.id]?.stop()
      void remove(entry.id)
    },
  })
}

function confirmRemovalOfAll() {
  ask({
    title: 'Delete all conversations?',
    action: 'Delete all',
    text: 'They are kept in this browser only and cannot be brought back. Export them first if in doubt.',
    act: () => {
      for (const one of Object.values(live.value)) one.stop()
      void removeAll()
    },
  })
}

function Rename({ entry }: { entry: Entry }) {
  const done = (title: string | null) => {
    if (renaming.value !== entry.id) return
    renaming.value = ''
    if (title !== null) void rename(entry.id, title)
  }
  return (
    <input
      class="rename"
      defaultValue={entry.title}
      aria-label="New name"
      ref={(input) => input?.select()}
      onBlur={(event) => done(event.currentTarget.value)}
      onKeyDown={(event) => {
        if (event.key === 'Enter') done(event.currentTarget.value)
        if (event.key === 'Escape') done(null)
        event.stopPropagation()
      }}
    />
  )
}

function Row({ entry }: { entry: Entry }) {
  if (renaming.value === entry.id)
    return (
      <li>
        <Rename entry={entry} />
      </li>
    )
  const show = () => {
    void open(entry.id)
    tab.value = 'chat'
    closeDrawers()
  }
  const on = entry.id === current.value.id
  return (
    <li class={on ? 'on' : undefined}>
      <button
        type="button"
        class="title"
        aria-current={on ? 'page' : undefined}
        onClick={show}
        title={entry.title}
      >
        {live.value[entry.id] && <i class="pulse" aria-label="answering" />}
        {entry.title}
      </button>
      <Menu
        label={`More for ${entry.title}`}
        items={[
          { label: 'Rename', icon: 'edit', act: () => (renaming.value = entry.id) },
          { label: 'Export as JSON', icon: 'download', act: () => void exportJson(entry.id) },
          { label: 'Export as Markdown', icon: 'file', act: () => void exportMarkdown(entry.id) },
          { label: 'Delete', icon: 'trash', bad: true, act: () => confirmRemoval(entry) },
        ]}
      >
        <Icon name="more" />
      </Menu>
    </li>
  )
}

function List() {
  const found = matches.value
  const list = found ? entries.value.filter((entry) => found.has(entry.id)) : entries.value
  if (!list.length)
    return (
      <p class="nothing">
        {found ? 'Nothing found.' : 'Conversations appear here. They stay in this browser.'}
      </p>
    )
  return (
    <>
      {groups(list).map(([age, group]) => (
        <section key={age} aria-label={age}>
          <h2>{age}</h2>
          <ul>
            {group.map((entry) => (
              <Row key={entry.id} entry={entry} />
            ))}
          </ul>
        </section>
      ))}
    </>
  )
}

function Foot() {
  const picker = useRef<HTMLInputElement>(null)
  return (
    <footer>
      <Menu
        label="All conversations"
        items={[
          { label: 'Export all', icon: 'download', act: () => void exportJson() },
          { label: 'Import', icon: 'upload', act: () => picker.current!.click() },
          { label: 'Delete all', icon: 'trash', bad: true, act: confirmRemovalOfAll },
        ]}
      >
        <Icon name="more" />
      </Menu>
      <input
        ref={picker}
        type="file"
        accept=".json,application/json"
        hidden
        aria-hidden="true"
        onChange={(event) => {
          const file = event.currentTarget.files?.[0]
          if (file) void importJson(file)
          event.currentTarget.value = ''
        }}
      />
      <span class="grow" />
      <button
        type="button"
        class="icon-button"
        aria-label="Keyboard shortcuts"
        title="Keyboard shortcuts (Ctrl+/)"
        onClick={() => (help.value = true)}
      >
        <Icon name="help" />
      </button>
      <ThemeButton />
    </footer>
  )
}

export function Sidebar() {
  return (
    <nav class="sidebar" aria-label="Conversations" inert={!sidebar.value}>
      <header>
        <Flame />
        <strong>Ingle</strong>
      </header>
      <button type="button" class="button new" onClick={newChat}>
        <Icon name="plus" />
        New chat
      </button>
      <label class="search">
        <Icon name="search" />
        <input
          id="search"
          type="search"
          placeholder="Search"
          aria-label="Search conversations"
          value={query.value}
          onInput={(event) => void searchFor(event.currentTarget.value)}
        />
      </label>
      <div class="list">
        <List />
      </div>
      <Foot />
    </nav>
  )
}
