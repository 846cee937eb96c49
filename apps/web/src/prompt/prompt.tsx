// The prompt as the model reads it: raw text, its tokens, and a continuation token by token.
import { signal } from '@preact/signals'
import type { ComponentChildren } from 'preact'
import { messagesOf, samplingBody } from '../api/chat'
import { postJson } from '../api/client'
import { postStream } from '../api/sse'
import type { CompletionChunk, Timings, TokenLogprob, TokenPiece } from '../api/types'
import { TokenView } from '../chat/tokens'
import { current } from '../state/conversations'
import { chosenModel } from '../state/server'
import { readJson, settings } from '../state/settings'
import { branch } from '../state/tree'
import { draftPrompt, tell } from '../state/view'
import { plural, rate } from '../ui/text'

const tokens = signal<TokenPiece[] | null>(null)
const answer = signal<TokenLogprob[]>([])
const timings = signal<Timings | null>(null)
const running = signal<AbortController | null>(null)

const say = (error: unknown) => tell((error as Error).message, true)

async function fromConversation() {
  const turns = branch(current.value)
  if (!turns.length) return tell('This conversation is empty.', true)
  const tools = readJson(settings.value.tools, 'array').value
  const body = {
    model: chosenModel.value || undefined,
    messages: messagesOf(turns),
    ...(tools ? { tools } : {}),
  }
  try {
    draftPrompt.value = (await postJson<{ prompt: string }>('apply-template', body)).prompt
    tokens.value = null
  } catch (error) {
    say(error)
  }
}

async function showTokens() {
  const body = {
    content: draftPrompt.value,
    add_special: true,
    parse_special: true,
    with_pieces: true,
  }
  try {
    tokens.value = (await postJson<{ tokens: TokenPiece[] }>('tokenize', body)).tokens
  } catch (error) {
    say(error)
  }
}

// A chunk without probabilities still shows its text.
function piecesOf(chunk: CompletionChunk): TokenLogprob[] {
  if (chunk.completion_probabilities?.length) return chunk.completion_probabilities
  return chunk.content ? [{ token: chunk.content, logprob: 0 }] : []
}

async function generate() {
  const abort = (running.value = new AbortController())
  answer.value = []
  timings.value = null
  const { max_tokens, ...sampling } = samplingBody()
  const body = {
    model: chosenModel.value || undefined,
    prompt: draftPrompt.value,
    stream: true,
    n_predict: max_tokens ?? 256,
    n_probs: 5,
    timings_per_token: true,
    ...sampling,
  }
  try {
    for await (const chunk of postStream<CompletionChunk>('completion', body, abort.signal)) {
      answer.value = [...answer.value, ...piecesOf(chunk)]
      timings.value = chunk.timings ?? timings.value
    }
  } catch (error) {
    if (!abort.signal.aborted) say(error)
  }
  running.value = null
}

function appendAnswer() {
  draftPrompt.value += answer.value.map((token) => token.token).join('')
  answer.value = []
  tokens.value = null
}

const hex = (bytes: number[]) =>
  bytes.map((byte) => `\\x${byte.toString(16).padStart(2, '0')}`).join('')

function PromptTokens({ list }: { list: TokenPiece[] }) {
  return (
    <div class="tokens plain">
      {list.map(({ id, piece }, index) => {
        const text = typeof piece === 'string' ? piece : hex(piece)
        return (
          <span key={index} class={`token s${index % 4}`} title={`${id}: ${JSON.stringify(text)}`}>
            {text || '∅'}
          </span>
        )
      })}
    </div>
  )
}

function Block({
  title,
  note,
  children,
}: {
  title: string
  note?: ComponentChildren
  children: ComponentChildren
}) {
  return (
    <section class="card" aria-label={title}>
      <header>
        <h2>{title}</h2>
        <span class="grow" />
        {note}
      </header>
      {children}
    </section>
  )
}

function Written() {
  if (!answer.value.length && !running.value) return null
  const note = timings.value && (
    <small>
      {plural(timings.value.predicted_n, 'token')} · {rate(timings.value.predicted_per_second)}{' '}
      tokens/s
    </small>
  )
  return (
    <Block title="Continuation" note={note}>
      <TokenView tokens={answer.value} />
      {!running.value && (
        <button type="button" class="button" onClick={appendAnswer}>
          Add to the prompt
        </button>
      )}
    </Block>
  )
}

export function PromptView() {
  const text = draftPrompt.value
  const change = (value: string) => {
    draftPrompt.value = value
    tokens.value = null
  }
  return (
    <main class="prompt-view view" aria-label="Prompt">
      <Block
        title="Raw prompt"
        note={tokens.value && <small>{plural(tokens.value.length, 'token')}</small>}
      >
        <textarea
          class="raw"
          rows={12}
          value={text}
          spellcheck={false}
          aria-label="Raw prompt"
          placeholder="Text exactly as the model reads it, control tokens included."
          onInput={(event) => change(event.currentTarget.value)}
        />
        <div class="row wrap">
          <button type="button" class="button" onClick={fromConversation}>
            From the conversation
          </button>
          <button type="button" class="button" disabled={!text} onClick={showTokens}>
            Show tokens
          </button>
          <span class="grow" />
          {running.value ? (
            <button type="button" class="button" onClick={() => running.value?.abort()}>
              Stop
            </button>
          ) : (
            <button type="button" class="button primary" disabled={!text} onClick={generate}>
              Continue the text
            </button>
          )}
        </div>
      </Block>
      <Written />
      {tokens.value && (
        <Block title="Tokens">
          <PromptTokens list={tokens.value} />
        </Block>
      )}
    </main>
  )
}
