// Calls that the model made, and a place to answer them: this page runs no tools by itself.
import { useState } from 'preact/hooks'
import { CodeBlock } from '../markdown/code'
import { current } from '../state/conversations'
import { sendToolResult } from '../state/generate'
import type { ToolCall, Turn } from '../state/tree'
import { Icon } from '../ui/icon'

function pretty(json: string): string {
  try {
    return JSON.stringify(JSON.parse(json), null, 2)
  } catch {
    return json // still on its way
  }
}

function Answer({ turn, call }: { turn: Turn; call: ToolCall }) {
  const [text, setText] = useState('')
  const submit = (event: Event) => {
    event.preventDefault()
    sendToolResult(turn, call.id, text)
  }
  return (
    <form class="tool-answer" onSubmit={submit}>
      <textarea
        rows={2}
        value={text}
        aria-label={`What ${call.name} returned`}
        placeholder={`What ${call.name} returned`}
        onInput={(event) => setText(event.currentTarget.value)}
      />
      <button type="submit" class="button">
        Send the result
      </button>
    </form>
  )
}

export function Calls({ turn, active }: { turn: Turn; active: boolean }) {
  const answered = new Set(Object.values(current.value.turns).map((other) => other.callId))
  return (
    <>
      {turn.calls?.map((call) => (
        <section key={call.id} class="call" aria-label={`Call of ${call.name}`}>
          <h3>
            <Icon name="tool" />
            <code>{call.name}</code>
          </h3>
          <CodeBlock code={pretty(call.arguments)} language="json" />
          {!active && !answered.has(call.id) && <Answer turn={turn} call={call} />}
        </section>
      ))}
    </>
  )
}
