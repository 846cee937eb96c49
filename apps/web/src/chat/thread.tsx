// The conversation on show. It follows a growing answer as long as the reader is at its end.
import { useEffect, useLayoutEffect, useRef, useState } from 'preact/hooks'
import { current } from '../state/conversations'
import { live } from '../state/generate'
import { currentModel, modelName } from '../state/server'
import { branch } from '../state/tree'
import { Flame, Icon } from '../ui/icon'
import { Composer } from './composer'
import { TurnView } from './turn'

const NEAR_END = 80 // pixels

function Empty() {
  return (
    <div class="empty">
      <Flame />
      <h2>What is on your mind?</h2>
      <p>
        {currentModel.value
          ? `${modelName(currentModel.value.id)} runs on your own machine.`
          : 'Everything stays on your own machine.'}
      </p>
    </div>
  )
}

// The end stays in view until the reader scrolls up, and again from when the end is reached.
function useFollow() {
  const box = useRef<HTMLDivElement>(null)
  const [away, setAway] = useState(false)
  const following = useRef(true)
  const last = useRef({ top: 0, height: 0 })
  const end = () => {
    following.current = true
    if (box.current) box.current.scrollTop = box.current.scrollHeight
  }
  const onScroll = () => {
    const { scrollHeight: height, scrollTop: top, clientHeight } = box.current!
    const near = height - top - clientHeight < NEAR_END
    // Upwards by the reader, not because there is less to show.
    if (top < last.current.top && height >= last.current.height) following.current = false
    else if (near) following.current = true
    last.current = { top, height }
    setAway(!near)
  }
  useEffect(() => {
    const observer = new ResizeObserver(() => following.current && end())
    observer.observe(box.current!)
    observer.observe(box.current!.firstElementChild!)
    return () => observer.disconnect()
  }, [])
  return { box, away, end, onScroll }
}

// Says when an answer is there, once, instead of reading its pieces aloud.
function Announcer() {
  const busy = Boolean(live.value[current.value.id])
  const [text, setText] = useState('')
  const was = useRef(busy)
  useEffect(() => {
    if (was.current && !busy) setText('The answer is complete.')
    else if (busy) setText('The model is answering.')
    was.current = busy
  }, [busy])
  return (
    <p class="offscreen" role="status">
      {text}
    </p>
  )
}

export function Thread() {
  const { box, away, end, onScroll } = useFollow()
  const turns = branch(current.value)
  useLayoutEffect(end, [current.value.id, current.value.head])
  return (
    <main class="thread" aria-label="Conversation">
      <div class="scroll" ref={box} onScroll={onScroll} tabIndex={-1}>
        <div class="turns" role="log" aria-live="off" aria-label={current.value.title}>
          {turns.length ? turns.map((turn) => <TurnView key={turn.id} turn={turn} />) : <Empty />}
        </div>
      </div>
      <Announcer />
      <div class="bottom">
        {away && turns.length > 0 && (
          <button type="button" class="to-end icon-button" aria-label="To the end" onClick={end}>
            <Icon name="down" />
          </button>
        )}
        <Composer />
      </div>
    </main>
  )
}
