// A conversation is a tree of turns: editing and regenerating add a branch beside the old one and
// lose nothing. Plain values and functions, without a browser.
import type { Timings, TokenLogprob } from '../api/types'

export interface TextFile {
  name: string
  text: string
}

export interface ToolCall {
  id: string
  name: string
  arguments: string // JSON, as the model wrote it
}

export interface Turn {
  id: string
  parent: string | null // null: begins the conversation
  role: 'user' | 'assistant' | 'tool'
  content: string
  created: number // ms since 1970
  files?: TextFile[]
  reasoning?: string
  reasoningMs?: number
  calls?: ToolCall[]
  callId?: string // of a tool's turn: the call it answers
  model?: string
  finish?: string // stop, length, tool_calls, stopped (by the user), error
  error?: string
  firstTokenMs?: number
  timings?: Timings
  tokens?: TokenLogprob[] // with their probabilities, if they were asked for
}

export interface Conversation {
  id: string
  title: string
  named: boolean // by the user: the title no longer follows the first message
  created: number
  updated: number
  head: string | null // the last turn of the branch on show
  turns: Record<string, Turn>
}

// Random enough without crypto.randomUUID, which plain http on a network does not have.
export function newId(): string {
  const bytes = crypto.getRandomValues(new Uint8Array(12))
  return Array.from(bytes, (byte) => byte.toString(16).padStart(2, '0')).join('')
}

export function newConversation(now = Date.now()): Conversation {
  return {
    id: newId(),
    title: 'New chat',
    named: false,
    created: now,
    updated: now,
    head: null,
    turns: {},
  }
}

// The turns from the beginning to `head`.
export function branch(conversation: Conversation, head = conversation.head): Turn[] {
  const path: Turn[] = []
  const seen = new Set<string>()
  for (let id = head; id !== null && !seen.has(id);) {
    const turn: Turn | undefined = conversation.turns[id]
    if (!turn) break
    seen.add(id)
    path.push(turn)
    id = turn.parent
  }
  return path.reverse()
}

// The turn and its rivals: same parent, in the order of their making.
export function siblings(conversation: Conversation, turn: Turn): Turn[] {
  return Object.values(conversation.turns)
    .filter((other) => other.parent === turn.parent)
    .sort((a, b) => a.created - b.created || (a.id < b.id ? -1 : 1))
}

// From a turn down along the newest branch.
export function newestLeaf(conversation: Conversation, id: string): string {
  const newest = new Map<string, Turn>()
  for (const turn of Object.values(conversation.turns)) {
    const rival = turn.parent === null ? undefined : newest.get(turn.parent)
    if (turn.parent !== null && (!rival || rival.created <= turn.created))
      newest.set(turn.parent, turn)
  }
  for (const seen = new Set<string>(); !seen.has(id);) {
    seen.add(id)
    id = newest.get(id)?.id ?? id
  }
  return id
}

// Adds or replaces a turn, and shows its branch.
export function withTurn(conversation: Conversation, turn: Turn): Conversation {
  return {
    ...conversation,
    updated: Date.now(),
    head: turn.id,
    title: conversation.named ? conversation.title : titleOf(conversation, turn),
    turns: { ...conversation.turns, [turn.id]: turn },
  }
}

function titleOf(conversation: Conversation, turn: Turn): string {
  const first = branch(conversation)[0] ?? turn
  const text = (first.content || first.files?.[0]?.name || '').replace(/\s+/g, ' ').trim()
  if (!text) return conversation.title
  return text.length > 60 ? `${text.slice(0, 59).trimEnd()}…` : text
}

// Removes a turn and all that follows it; the branch on show ends before it, or in a rival.
export function withoutTurn(conversation: Conversation, id: string): Conversation {
  const turn = conversation.turns[id]
  if (!turn) return conversation
  const doomed = new Set([id])
  for (let before = 0; before !== doomed.size;) {
    before = doomed.size
    for (const other of Object.values(conversation.turns))
      if (other.parent !== null && doomed.has(other.parent)) doomed.add(other.id)
  }
  const turns = Object.fromEntries(
    Object.entries(conversation.turns).filter(([key]) => !doomed.has(key)),
  )
  const left = { ...conversation, updated: Date.now(), turns }
  if (conversation.head === null || !doomed.has(conversation.head)) return left
  const rival = siblings(left, turn).at(-1)
  return { ...left, head: rival ? newestLeaf(left, rival.id) : turn.parent }
}

export function plainText(turn: Turn): string {
  const files = (turn.files ?? []).map((file) => `\n\n[${file.name}]\n${file.text}`)
  return turn.content + files.join('')
}

export function toMarkdown(conversation: Conversation): string {
  const parts = branch(conversation).map((turn) => {
    const calls = (turn.calls ?? []).map((call) => `\n\n\`${call.name}(${call.arguments})\``)
    return `**${turn.role}**\n\n${plainText(turn)}${calls.join('')}`
  })
  return `# ${conversation.title}\n\n${parts.join('\n\n')}\n`
}
