// Where messages are written: text, files by button, drop or paste, and how full the context is.
import { signal } from '@preact/signals'
import { useEffect, useRef } from 'preact/hooks'
import { current } from '../state/conversations'
import { live, send, stopCurrent } from '../state/generate'
import { contextTokens, health } from '../state/server'
import { branch } from '../state/tree'
import type { TextFile } from '../state/tree'
import { narrow } from '../state/view'
import { Bar } from '../ui/bar'
import { Icon } from '../ui/icon'
import { count, duration, rate } from '../ui/text'
import { LONG_PASTE, readText, withFile } from './files'
import { Files } from './turn'

export const draft = signal('')
const files = signal<TextFile[]>([])
const dragging = signal(false)

export const focusComposer = () => document.querySelector<HTMLElement>('#composer')?.focus()

async function attach(list: Iterable<File>) {
  for (const file of list) {
    const read = await readText(file)
    if (read) files.value = withFile(files.value, read)
  }
  focusComposer()
}

function onPaste(event: ClipboardEvent) {
  const pasted = [...(event.clipboardData?.files ?? [])]
  const text = event.clipboardData?.getData('text/plain') ?? ''
  if (!pasted.length && text.length <= LONG_PASTE) return
  event.preventDefault()
  if (pasted.length) void attach(pasted)
  else files.value = withFile(files.value, { name: 'pasted.txt', text })
}

// Files may be dropped anywhere on the page.
function useDrop() {
  useEffect(() => {
    const over = (event: DragEvent) => {
      if (!event.dataTransfer?.types.includes('Files')) return
      event.preventDefault()
      dragging.value = true
    }
    const leave = (event: DragEvent) => {
      if (!event.relatedTarget) dragging.value = false
    }
    const drop = (event: DragEvent) => {
      dragging.value = false
      if (!event.dataTransfer?.files.length) return
      event.preventDefault()
      void attach([...event.dataTransfer.files])
    }
    const events = { dragover: over, dragleave: leave, drop } as Record<
      string,
      (event: never) => void
    >
    for (const [name, listener] of Object.entries(events))
      addEventListener(name, listener as EventListener)
    return () => {
      for (const [name, listener] of Object.entries(events))
        removeEventListener(name, listener as EventListener)
    }
  }, [])
}

function submit(event?: Event) {
  event?.preventDefault()
  const text = draft.value.trim()
  if ((!text && !files.value.length) || live.value[current.value.id]) return
  const attached = files.value
  draft.value = ''
  files.value = []
  send(text, attached)
}

function editLast() {
  const buttons = document.querySelectorAll<HTMLElement>('.turn.user button[aria-label=Edit]')
  ;[...buttons].at(-1)?.click()
}

function onKey(event: KeyboardEvent) {
  if (event.key === 'Enter' && !event.shiftKey && !event.isComposing && !narrow.value) submit(event)
  else if (event.key === 'ArrowUp' && !draft.value) editLast()
}

// Tokens of the branch on show that are in the context, as far as the server has told.
function contextUsed(): number {
  const state = live.value[current.value.id]
  const answers = branch(current.value).filter((turn) => turn.timings)
  const timings = state?.turn.value.timings ?? answers.at(-1)?.timings
  return timings ? (timings.cache_n ?? 0) + timings.prompt_n + timings.predicted_n : 0
}

function Meter() {
  const all = contextTokens.value
  const used = contextUsed()
  if (!all) return null
  const share = Math.min(1, used / all)
  return (
    <span
      class={share > 0.9 ? 'meter full' : 'meter'}
      title={`${count(used)} of ${count(all)} tokens of context used, ${count(all - used)} left`}
    >
      <Bar share={share} label="Context used" />
      {count(used)} / {count(all)}
    </span>
  )
}

function Speed() {
  const state = live.value[current.value.id]
  if (!state) return null
  const { firstTokenMs } = state.turn.value
  return (
    <span class="speed">
      {state.speed.value > 0 && <span>{rate(state.speed.value)} tokens/s</span>}
      {firstTokenMs !== undefined && <span class="wide">first after {duration(firstTokenMs)}</span>}
    </span>
  )
}

export function Composer() {
  const area = useRef<HTMLTextAreaElement>(null)
  const picker = useRef<HTMLInputElement>(null)
  useDrop()
  const text = draft.value
  useEffect(() => {
    const element = area.current!
    element.style.height = 'auto'
    element.style.height = `${element.scrollHeight}px`
  }, [text])
  const busy = Boolean(live.value[current.value.id])
  return (
    <form class="composer" onSubmit={submit}>
      {dragging.value && <p class="drop">Drop text files to attach them</p>}
      {files.value.length > 0 && (
        <Files
          files={files.value}
          remove={(file) => (files.value = files.value.filter((other) => other !== file))}
        />
      )}
      <textarea
        id="composer"
        ref={area}
        rows={1}
        value={text}
        aria-label="Message"
        autofocus
        placeholder={health.value === 'loading' ? 'The model is loading…' : 'Write a message'}
        onInput={(event) => (draft.value = event.currentTarget.value)}
        onKeyDown={onKey}
        onPaste={onPaste}
      />
      <div class="row">
        <button
          type="button"
          class="icon-button"
          aria-label="Attach text files"
          title="Attach text files"
          onClick={() => picker.current!.click()}
        >
          <Icon name="clip" />
        </button>
        <input
          ref={picker}
          type="file"
          multiple
          hidden
          aria-hidden="true"
          onChange={(event) => {
            void attach([...(event.currentTarget.files ?? [])])
            event.currentTarget.value = ''
          }}
        />
        <span class="grow" />
        <Speed />
        <Meter />
        {busy ? (
          <button
            type="button"
            class="round"
            aria-label="Stop"
            title="Stop (Esc)"
            onClick={stopCurrent}
          >
            <Icon name="stop" />
          </button>
        ) : (
          <button
            type="submit"
            class="round"
            aria-label="Send"
            title="Send (Enter)"
            disabled={!text.trim() && !files.value.length}
          >
            <Icon name="send" />
          </button>
        )}
      </div>
    </form>
  )
}
