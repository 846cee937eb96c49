// Answers under way: at most one in each conversation; it goes on while another conversation is on
// show.
import { batch, signal } from '@preact/signals'
import type { Signal } from '@preact/signals'
import { ApiError } from '../api/client'
import { chatBody } from '../api/chat'
import { postStream } from '../api/sse'
import type { ChatChunk, PromptProgress } from '../api/types'
import { current, keep } from './conversations'
import * as database from './database'
import { askServer, health } from './server'
import { branch, newId, withTurn } from './tree'
import type { Conversation, TextFile, Turn } from './tree'
import { tell } from './view'

export interface Live {
  turn: Signal<Turn>
  phase: Signal<'waiting' | 'reading' | 'thinking' | 'writing'>
  progress: Signal<PromptProgress | null>
  speed: Signal<number> // tokens a second
  stop: () => void
}

export const live = signal<Record<string, Live>>({})

const SAVE_EVERY_MS = 2000

// Sends what the user wrote as the next turn of the branch on show, or as a rival of the turn
// `parent` leads to.
export function send(content: string, files: TextFile[], parent = current.value.head) {
  const turn: Turn = { id: newId(), parent, role: 'user', content, created: Date.now() }
  if (files.length) turn.files = files
  answer(withTurn(current.value, turn))
}

export function sendToolResult(parent: Turn, callId: string, content: string) {
  const tail = current.value.head ?? parent.id
  const turn: Turn = {
    id: newId(),
    parent: tail,
    role: 'tool',
    content,
    callId,
    created: Date.now(),
  }
  const conversation = withTurn(current.value, turn)
  const answered = new Set(branch(conversation).map((other) => other.callId))
  if (parent.calls?.every((call) => answered.has(call.id))) answer(conversation)
  else keep(conversation)
}

export const regenerate = (turn: Turn) => answer({ ...current.value, head: turn.parent })

// Lets the model go on where an answer ended: the turn itself grows.
export const goOn = (turn: Turn) => answer({ ...current.value, head: turn.id }, turn)

export const stopCurrent = () => live.value[current.value.id]?.stop()

function blank(conversation: Conversation): Turn {
  return {
    id: newId(),
    parent: conversation.head,
    role: 'assistant',
    content: '',
    created: Date.now(),
  }
}

function answer(conversation: Conversation, grown?: Turn) {
  if (live.value[conversation.id]) return
  const body = chatBody(branch(conversation))
  if ('fault' in body) {
    keep(conversation)
    return tell(body.fault, true)
  }
  const abort = new AbortController()
  const { error: _, finish: __, ...begun } = grown ?? blank(conversation)
  const state: Live = {
    turn: signal<Turn>(begun),
    phase: signal('waiting'),
    progress: signal(null),
    speed: signal(0),
    stop: () => abort.abort(),
  }
  keep(withTurn(conversation, state.turn.value))
  history.replaceState(null, '', `#${conversation.id}`)
  live.value = { ...live.value, [conversation.id]: state }
  void follow(conversation.id, state, body.value, abort.signal)
}

async function follow(id: string, state: Live, body: object, signal: AbortSignal) {
  const reader = new ReplyReader(state)
  let turn: Turn
  let lastSave = performance.now()
  try {
    for await (const chunk of postStream<ChatChunk>('v1/chat/completions', body, signal)) {
      reader.take(chunk)
      if (performance.now() - lastSave > SAVE_EVERY_MS) {
        lastSave = performance.now()
        void store(id, reader.turn)
      }
    }
    turn = reader.finish()
  } catch (error) {
    turn = reader.finish()
    if (signal.aborted) turn = { ...turn, finish: 'stopped' }
    else turn = { ...turn, finish: 'error', error: (error as Error).message }
    if (error instanceof ApiError && [0, 401, 503].includes(error.status)) void askServer()
  }
  const { [id]: _, ...others } = live.value
  await store(id, turn, true)
  batch(() => {
    state.turn.value = turn
    live.value = others
  })
  if (turn.finish !== 'error' && health.value !== 'ready') void askServer()
}

// The turn into its conversation, wherever that is now; the branch on show stays.
async function store(id: string, turn: Turn, last = false) {
  const conversation = current.value.id === id ? current.value : await database.load(id)
  if (!conversation?.turns[turn.id]) return // deleted meanwhile
  const turns = { ...conversation.turns, [turn.id]: turn }
  const updated = last ? Date.now() : conversation.updated
  keep({ ...conversation, turns, updated })
}

// Grows a turn by chunks; the page sees it at most once a frame.
class ReplyReader {
  turn: Turn
  private readonly began = performance.now()
  private thinkingSince = 0
  private firstText = 0
  private pieces = 0
  private frame = 0

  constructor(private readonly state: Live) {
    this.turn = state.turn.value
  }

  take(chunk: ChatChunk) {
    if (chunk.model) this.turn = { ...this.turn, model: chunk.model }
    if (chunk.prompt_progress) {
      this.state.progress.value = chunk.prompt_progress
      if (this.state.phase.value === 'waiting') this.state.phase.value = 'reading'
    }
    const choice = chunk.choices?.[0]
    const delta = choice?.delta
    if (delta?.reasoning_content) this.think(delta.reasoning_content)
    if (delta?.content) this.write({ content: this.turn.content + delta.content })
    if (delta?.tool_calls?.length) this.write({ calls: withCalls(this.turn, delta.tool_calls) })
    const tokens = choice?.logprobs?.content
    if (tokens?.length)
      this.turn = { ...this.turn, tokens: [...(this.turn.tokens ?? []), ...tokens] }
    if (choice?.finish_reason) this.turn = { ...this.turn, finish: choice.finish_reason }
    if (chunk.timings) this.turn = { ...this.turn, timings: chunk.timings }
    this.show()
  }

  finish(): Turn {
    cancelAnimationFrame(this.frame)
    this.endThinking()
    return this.turn
  }

  private think(text: string) {
    this.first()
    this.thinkingSince ||= performance.now()
    this.state.phase.value = 'thinking'
    const reasoningMs = performance.now() - this.thinkingSince
    this.turn = { ...this.turn, reasoning: (this.turn.reasoning ?? '') + text, reasoningMs }
  }

  private write(change: Partial<Turn>) {
    this.first()
    this.endThinking()
    this.state.phase.value = 'writing'
    this.turn = { ...this.turn, ...change }
  }

  private endThinking() {
    if (!this.thinkingSince) return
    this.turn = { ...this.turn, reasoningMs: performance.now() - this.thinkingSince }
    this.thinkingSince = 0
  }

  private first() {
    this.pieces++
    if (this.firstText) return
    this.firstText = performance.now()
    this.turn = { ...this.turn, firstTokenMs: this.firstText - this.began }
  }

  // Without the server's own figures, pieces are counted as tokens.
  private speed(): number {
    const told = this.turn.timings?.predicted_per_second
    if (told) return told
    const seconds = (performance.now() - this.firstText) / 1000
    return this.pieces > 1 && seconds > 0 ? (this.pieces - 1) / seconds : 0
  }

  private show() {
    if (this.frame) return
    this.frame = requestAnimationFrame(() => {
      this.frame = 0
      this.state.turn.value = this.turn
      this.state.speed.value = this.speed()
    })
  }
}

function withCalls(
  turn: Turn,
  deltas: NonNullable<NonNullable<ChatChunk['choices']>[0]['delta']>['tool_calls'],
) {
  const calls = [...(turn.calls ?? [])]
  for (const delta of deltas ?? []) {
    const call = calls[delta.index] ?? { id: delta.id || newId(), name: '', arguments: '' }
    calls[delta.index] = {
      id: delta.id || call.id,
      name: call.name + (delta.function?.name ?? ''),
      arguments: call.arguments + (delta.function?.arguments ?? ''),
    }
  }
  return calls.filter(Boolean)
}
