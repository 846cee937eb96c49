// The conversation on show and the list of all, kept in step with the database and with other tabs.
import { signal } from '@preact/signals'
import * as database from './database'
import type { Entry } from './database'
import { newConversation, newId, newestLeaf, toMarkdown, withoutTurn } from './tree'
import type { Conversation, Turn } from './tree'
import { tell } from './view'

export const current = signal<Conversation>(newConversation())
export const entries = signal<Entry[]>([])
export const query = signal('')
export const matches = signal<Set<string> | null>(null) // null: nothing is searched for

const otherTabs = typeof BroadcastChannel === 'function' ? new BroadcastChannel('ingle') : null

function failed(error: unknown) {
  tell(`The browser could not store this conversation: ${(error as Error)?.message ?? error}`, true)
}

// Puts a conversation into the list and the database, and on show if it is the one there.
export function keep(conversation: Conversation, { store = true } = {}) {
  if (current.value.id === conversation.id) current.value = conversation
  const others = entries.value.filter((entry) => entry.id !== conversation.id)
  entries.value = [database.entryOf(conversation), ...others].sort((a, b) => b.updated - a.updated)
  if (!store) return
  database.save(conversation).then(() => otherTabs?.postMessage(conversation.id), failed)
}

export async function begin() {
  try {
    entries.value = await database.loadEntries()
    const id = location.hash.slice(1)
    if (id) await open(id)
  } catch (error) {
    failed(error)
  }
  otherTabs?.addEventListener('message', async () => {
    entries.value = await database.loadEntries()
  })
  addEventListener('hashchange', () => {
    const id = location.hash.slice(1)
    if (id && id !== current.value.id) void open(id)
  })
}

export async function open(id: string) {
  const found = await database.load(id)
  if (!found) return
  current.value = found
  history.replaceState(null, '', `#${id}`)
}

export function startNew() {
  current.value = newConversation()
  history.replaceState(null, '', location.pathname + location.search)
}

export async function rename(id: string, title: string) {
  const conversation = current.value.id === id ? current.value : await database.load(id)
  if (conversation && title.trim()) keep({ ...conversation, title: title.trim(), named: true })
}

export async function remove(id: string) {
  await database.remove(id)
  otherTabs?.postMessage(id)
  entries.value = entries.value.filter((entry) => entry.id !== id)
  if (current.value.id === id) startNew()
}

export async function removeAll() {
  await database.removeAll()
  otherTabs?.postMessage('')
  entries.value = []
  startNew()
}

export const showBranch = (turn: Turn) =>
  keep({ ...current.value, head: newestLeaf(current.value, turn.id) })

export const removeTurn = (turn: Turn) => keep(withoutTurn(current.value, turn.id))

let searches = 0
export async function searchFor(text: string) {
  query.value = text
  const mine = ++searches
  const found = text.trim() ? await database.search(text) : null
  if (mine === searches) matches.value = found
}

interface Exported {
  format: 'ingle-conversations'
  version: 1
  conversations: Conversation[]
}

function download(name: string, type: string, text: string) {
  const link = document.createElement('a')
  link.href = URL.createObjectURL(new Blob([text], { type }))
  link.download = name
  link.click()
  setTimeout(() => URL.revokeObjectURL(link.href), 10_000)
}

const fileName = (title: string) =>
  title
    .replace(/[^\p{L}\p{N}]+/gu, '-')
    .replace(/^-|-$/g, '')
    .slice(0, 50)

export async function exportJson(id?: string) {
  const one = id && (current.value.id === id ? current.value : await database.load(id))
  const conversations = id ? (one ? [one] : []) : await database.loadAll()
  const content: Exported = { format: 'ingle-conversations', version: 1, conversations }
  const name = one ? fileName(one.title) : 'ingle-conversations'
  download(`${name}.json`, 'application/json', JSON.stringify(content, null, 2) + '\n')
}

export async function exportMarkdown(id: string) {
  const one = current.value.id === id ? current.value : await database.load(id)
  if (one) download(`${fileName(one.title)}.md`, 'text/markdown', toMarkdown(one))
}

const isText = (value: unknown): value is string => typeof value === 'string'

function isConversation(value: unknown): value is Conversation {
  const { id, title, turns, head } = (value ?? {}) as Partial<Conversation>
  if (!isText(id) || !isText(title) || typeof turns !== 'object' || turns === null) return false
  if (head !== null && !(isText(head) && head in turns)) return false
  return Object.entries(turns).every(
    ([key, turn]) =>
      turn?.id === key &&
      isText(turn.content) &&
      ['user', 'assistant', 'tool'].includes(turn.role) &&
      (turn.parent === null || (isText(turn.parent) && turn.parent in turns)),
  )
}

// Adds the conversations of an exported file; one whose id is taken is kept under a new one.
export async function importJson(file: File) {
  let content: Partial<Exported>
  try {
    content = JSON.parse(await file.text())
  } catch {
    return tell(`${file.name} is no JSON.`, true)
  }
  const list = content?.conversations
  if (
    content?.format !== 'ingle-conversations' ||
    !Array.isArray(list) ||
    !list.every(isConversation)
  )
    return tell(`${file.name} holds no conversations exported from this page.`, true)
  const taken = new Set(entries.value.map((entry) => entry.id))
  const added = list.map((one) => (taken.has(one.id) ? { ...one, id: newId() } : one))
  await database.save(...added)
  entries.value = await database.loadEntries()
  otherTabs?.postMessage('')
  tell(`${added.length} ${added.length === 1 ? 'conversation' : 'conversations'} imported.`)
}
