// The model's reasoning, folded, with the time it took.
import { Markdown } from '../markdown/render'
import type { Turn } from '../state/tree'
import { duration } from '../ui/text'
import { Icon } from '../ui/icon'

export function Thinking({ turn, active }: { turn: Turn; active: boolean }) {
  if (!turn.reasoning) return null
  const time = duration(turn.reasoningMs ?? 0)
  return (
    <details class="thinking">
      <summary>
        <Icon name="right" />
        <span class={active ? 'shimmer' : undefined}>
          {active ? `Thinking… ${time}` : `Thought for ${time}`}
        </span>
      </summary>
      <Markdown text={turn.reasoning} />
    </details>
  )
}
