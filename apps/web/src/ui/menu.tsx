// A button with a list of things to do.
import type { ComponentChildren } from 'preact'
import { useEffect, useRef, useState } from 'preact/hooks'
import { Icon } from './icon'
import type { IconName } from './icon'

export interface MenuItem {
  label: string
  icon?: IconName
  bad?: boolean
  checked?: boolean
  note?: ComponentChildren
  act: () => void
}

interface Props {
  label: string
  class?: string
  items: MenuItem[]
  children: ComponentChildren // of the button
}

export function Menu({ label, items, children, ...props }: Props) {
  const [open, setOpen] = useState(false)
  const box = useRef<HTMLDivElement>(null)
  const button = useRef<HTMLButtonElement>(null)

  useEffect(() => {
    if (!open) return undefined
    const list = box.current!.querySelector<HTMLElement>('[role=menu]')!
    // Upwards where there is no room below.
    list.classList.toggle('upwards', list.getBoundingClientRect().bottom > innerHeight - 8)
    list.querySelector<HTMLElement>('button[aria-checked=true], button')?.focus()
    const away = (event: Event) => {
      if (!box.current?.contains(event.target as Node)) setOpen(false)
    }
    document.addEventListener('pointerdown', away)
    return () => document.removeEventListener('pointerdown', away)
  }, [open])

  const close = () => {
    setOpen(false)
    button.current?.focus()
  }
  const onKey = (event: KeyboardEvent) => {
    const buttons = [...box.current!.querySelectorAll<HTMLElement>('[role=menu] button')]
    const at = buttons.indexOf(document.activeElement as HTMLElement)
    if (event.key === 'Escape' && open) close()
    else if (event.key === 'ArrowDown' && open) buttons[(at + 1) % buttons.length]?.focus()
    else if (event.key === 'ArrowUp' && open) buttons.at(at <= 0 ? -1 : at - 1)?.focus()
    else return
    event.preventDefault()
    event.stopPropagation()
  }
  return (
    <div class="menu" ref={box} onKeyDown={onKey}>
      <button
        ref={button}
        type="button"
        class={props.class ?? 'icon-button'}
        aria-haspopup="menu"
        aria-expanded={open}
        aria-label={label}
        title={label}
        onClick={() => setOpen(!open)}
      >
        {children}
      </button>
      {open && (
        <div role="menu" aria-label={label}>
          {items.map((item) => (
            <Item key={item.label} item={item} close={close} />
          ))}
        </div>
      )}
    </div>
  )
}

function Item({ item, close }: { item: MenuItem; close: () => void }) {
  const act = () => {
    close()
    item.act()
  }
  const choice = item.checked !== undefined
  return (
    <button
      type="button"
      role={choice ? 'menuitemradio' : 'menuitem'}
      aria-checked={item.checked}
      class={item.bad ? 'bad' : undefined}
      onClick={act}
    >
      {item.icon && <Icon name={item.icon} />}
      <span class="grow">{item.label}</span>
      {item.note}
      {choice && <span class="tick">{item.checked && <Icon name="check" />}</span>}
    </button>
  )
}
