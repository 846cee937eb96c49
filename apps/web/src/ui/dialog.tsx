// A window above the page; the browser keeps the focus inside it. Escape and a press beside it
// close it.
import { signal } from '@preact/signals'
import type { ComponentChildren } from 'preact'
import { useEffect, useRef } from 'preact/hooks'
import { Icon } from './icon'

interface Props {
  title: string
  close: () => void
  children: ComponentChildren
}

export function Dialog({ title, close, children }: Props) {
  const element = useRef<HTMLDialogElement>(null)
  useEffect(() => element.current?.showModal(), [])
  const beside = (event: MouseEvent) => event.target === element.current && close()
  return (
    <dialog ref={element} aria-label={title} onClose={close} onClick={beside}>
      <div class="dialog">
        <header>
          <h2>{title}</h2>
          <button type="button" class="icon-button" aria-label="Close" onClick={close}>
            <Icon name="close" />
          </button>
        </header>
        {children}
      </div>
    </dialog>
  )
}

interface Question {
  title: string
  text: string
  action: string
  act: () => void
}

const question = signal<Question | null>(null)

// Before something that cannot be undone.
export function ask(asked: Question) {
  question.value = asked
}

export function Questions() {
  const asked = question.value
  if (!asked) return null
  const close = () => (question.value = null)
  const act = () => {
    close()
    asked.act()
  }
  return (
    <Dialog title={asked.title} close={close}>
      <p>{asked.text}</p>
      <footer>
        <button type="button" class="button" onClick={close}>
          Cancel
        </button>
        <button type="button" class="button danger" onClick={act}>
          {asked.action}
        </button>
      </footer>
    </Dialog>
  )
}
