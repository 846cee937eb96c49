// One turn of a conversation: what was said, its figures, and what can be done with it.
import { useRef, useState } from 'preact/hooks'
import { Markdown } from '../markdown/render'
import { current, removeTurn, showBranch } from '../state/conversations'
import { goOn, live, regenerate, send } from '../state/generate'
import type { Live } from '../state/generate'
import { modelName } from '../state/server'
import { plainText, siblings } from '../state/tree'
import type { TextFile, Turn } from '../state/tree'
import { Bar } from '../ui/bar'
import { CopyButton } from '../ui/copy'
import { ask } from '../ui/dialog'
import { Icon } from '../ui/icon'
import type { IconName } from '../ui/icon'
import { memo } from '../ui/memo'
import { bytes, duration, plural, rate } from '../ui/text'
import { Calls } from './calls'
import { Thinking } from './thinking'
import { TokenView } from './tokens'

function Act({
  label,
  icon,
  pressed,
  act,
}: {
  label: string
  icon: IconName
  pressed?: boolean
  act: () => void
}) {
  return (
    <button
      type="button"
      class="icon-button"
      aria-label={label}
      title={label}
      aria-pressed={pressed}
      onClick={act}
    >
      <Icon name={icon} />
    </button>
  )
}

function Branches({ turn }: { turn: Turn }) {
  const all = siblings(current.value, turn)
  if (all.length < 2) return null
  const at = all.findIndex((other) => other.id === turn.id)
  const step = (to: number) => (
    <button
      type="button"
      class="icon-button"
      disabled={!all[to]}
      onClick={() => showBranch(all[to]!)}
      aria-label={to < at ? 'Earlier version' : 'Later version'}
    >
      <Icon name={to < at ? 'left' : 'right'} />
    </button>
  )
  return (
    <span class="branches">
      {step(at - 1)}
      <span aria-label={`Version ${at + 1} of ${all.length}`}>
        {at + 1}/{all.length}
      </span>
      {step(at + 1)}
    </span>
  )
}

function Figures({ turn }: { turn: Turn }) {
  const parts = []
  if (turn.timings?.predicted_n) parts.push(plural(turn.timings.predicted_n, 'token'))
  if (turn.timings?.predicted_per_second)
    parts.push(`${rate(turn.timings.predicted_per_second)} tokens/s`)
  if (turn.firstTokenMs) parts.push(`first after ${duration(turn.firstTokenMs)}`)
  const read = turn.timings
  const title =
    read &&
    `${turn.model ? `${modelName(turn.model)}: ` : ''}${plural(read.prompt_n, 'token')} of prompt ` +
      `read at ${rate(read.prompt_per_second)}/s, ${plural(read.cache_n ?? 0, 'token')} kept from before`
  return (
    <span class="figures" title={title}>
      {parts.join(' · ')}
    </span>
  )
}

export function Files({ files, remove }: { files: TextFile[]; remove?: (file: TextFile) => void }) {
  return (
    <ul class="files" aria-label="Attached files">
      {files.map((file) => (
        <li key={file.name}>
          <Icon name="file" />
          <span class="name">{file.name}</span>
          <small>{bytes(new Blob([file.text]).size)}</small>
          {remove && <Act label={`Remove ${file.name}`} icon="close" act={() => remove(file)} />}
        </li>
      ))}
    </ul>
  )
}

function Editor({ turn, close }: { turn: Turn; close: () => void }) {
  const area = useRef<HTMLTextAreaElement>(null)
  const submit = (event: Event) => {
    event.preventDefault()
    const text = area.current!.value
    close()
    if (text.trim() || turn.files) send(text, turn.files ?? [], turn.parent)
  }
  const onKey = (event: KeyboardEvent) => {
    if (event.key === 'Escape') close()
    else if (event.key === 'Enter' && !event.shiftKey && !event.isComposing) submit(event)
    else return
    event.stopPropagation()
  }
  return (
    <form class="editor" onSubmit={submit}>
      <textarea
        ref={area}
        defaultValue={turn.content}
        aria-label="Edit the message"
        onKeyDown={onKey}
        rows={Math.min(12, turn.content.split('\n').length + 1)}
        autofocus
      />
      <div class="row end">
        <button type="button" class="button" onClick={close}>
          Cancel
        </button>
        <button type="submit" class="button primary">
          Send
        </button>
      </div>
    </form>
  )
}

function confirmRemoval(turn: Turn) {
  ask({
    title: 'Delete this message?',
    action: 'Delete',
    act: () => removeTurn(turn),
    text: 'It goes with everything that follows it on this branch.',
  })
}

function UserTurn({ turn }: { turn: Turn }) {
  const [editing, edit] = useState(false)
  const busy = live.value[current.value.id]
  return (
    <article class="turn user" aria-label="You">
      {turn.files && <Files files={turn.files} />}
      {editing ? (
        <Editor turn={turn} close={() => edit(false)} />
      ) : (
        turn.content && <div class="bubble">{turn.content}</div>
      )}
      {!editing && (
        <footer>
          <Branches turn={turn} />
          <CopyButton text={plainText(turn)} label="Copy" />
          {!busy && <Act label="Edit" icon="edit" act={() => edit(true)} />}
          {!busy && <Act label="Delete" icon="trash" act={() => confirmRemoval(turn)} />}
        </footer>
      )}
    </article>
  )
}

function ToolTurn({ turn }: { turn: Turn }) {
  const call = Object.values(current.value.turns)
    .flatMap((other) => other.calls ?? [])
    .find((other) => other.id === turn.callId)
  return (
    <article class="turn tool" aria-label="Result of a tool">
      <h3>
        <Icon name="tool" />
        Result of <code>{call?.name ?? 'a tool'}</code>
      </h3>
      <pre tabIndex={0}>{turn.content}</pre>
    </article>
  )
}

function Waiting({ state }: { state: Live }) {
  const progress = state.progress.value
  if (state.phase.value === 'reading' && progress?.total) {
    const share = progress.processed / progress.total
    return (
      <p class="reading">
        <Bar share={share} label="Reading the prompt" role="progressbar" />
        Reading the prompt, {Math.round(share * 100)}% of {plural(progress.total, 'token')}
      </p>
    )
  }
  return (
    <p class="waiting" role="status" aria-label="Waiting for the model">
      <i />
      <i />
      <i />
    </p>
  )
}

function Ending({ turn }: { turn: Turn }) {
  if (turn.error)
    return (
      <p class="fault" role="alert">
        <Icon name="warning" />
        {turn.error}
      </p>
    )
  if (turn.finish === 'length')
    return <p class="ending">Cut off: the context or the answer limit is reached.</p>
  return turn.finish === 'stopped' ? <p class="ending">Stopped.</p> : null
}

function AssistantActions({
  turn,
  tokens,
  showTokens,
}: {
  turn: Turn
  tokens: boolean
  showTokens: (show: boolean) => void
}) {
  const last = current.value.head === turn.id
  return (
    <footer>
      <Branches turn={turn} />
      <CopyButton text={turn.content} label="Copy" />
      <Act label="Answer again" icon="retry" act={() => regenerate(turn)} />
      {last && !turn.calls && (
        <Act label="Continue this answer" icon="forward" act={() => goOn(turn)} />
      )}
      {turn.tokens && (
        <Act
          label="Tokens and probabilities"
          icon="token"
          pressed={tokens}
          act={() => showTokens(!tokens)}
        />
      )}
      <Act label="Delete" icon="trash" act={() => confirmRemoval(turn)} />
      <Figures turn={turn} />
    </footer>
  )
}

function AssistantTurn({ turn: stored }: { turn: Turn }) {
  const [tokens, showTokens] = useState(false)
  const under = live.value[current.value.id]
  const state = under?.turn.value.id === stored.id ? under : undefined
  const turn = state?.turn.value ?? stored
  return (
    <article
      class="turn assistant"
      aria-label={`Answer${turn.model ? ` of ${modelName(turn.model)}` : ''}`}
      aria-busy={Boolean(state)}
    >
      <Thinking turn={turn} active={state?.phase.value === 'thinking'} />
      {tokens && turn.tokens ? (
        <TokenView tokens={turn.tokens} />
      ) : (
        <Markdown text={turn.content} />
      )}
      <Calls turn={turn} active={Boolean(state)} />
      {state && ['waiting', 'reading'].includes(state.phase.value) && <Waiting state={state} />}
      {!state && <Ending turn={turn} />}
      {!under && <AssistantActions turn={turn} tokens={tokens} showTokens={showTokens} />}
    </article>
  )
}

export const TurnView = memo(({ turn }: { turn: Turn }) => {
  if (turn.role === 'user') return <UserTurn turn={turn} />
  return turn.role === 'tool' ? <ToolTurn turn={turn} /> : <AssistantTurn turn={turn} />
})
