// A formula, drawn by KaTeX into its own element; one that it cannot read is shown as it was
// written.
import katex from 'katex'
import { useLayoutEffect, useRef } from 'preact/hooks'
import { memo } from '../ui/memo'

export const Formula = memo(({ text, display }: { text: string; display: boolean }) => {
  const place = useRef<HTMLSpanElement>(null)
  useLayoutEffect(() => {
    const element = place.current!
    try {
      katex.render(text, element, {
        displayMode: display,
        strict: false,
        trust: false,
        maxExpand: 200,
        maxSize: 30,
      })
    } catch {
      element.textContent = display ? `$$${text}$$` : `$${text}$`
    }
  }, [text, display])
  return (
    <span
      ref={place}
      class={display ? 'math display' : 'math'}
      tabIndex={display ? 0 : undefined}
    />
  )
})
