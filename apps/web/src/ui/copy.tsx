// Copying to the clipboard, also where the page came over plain http and the modern way is closed.
import { useState } from 'preact/hooks'
import { Icon } from './icon'

export async function copy(text: string): Promise<boolean> {
  try {
    await navigator.clipboard.writeText(text)
    return true
  } catch {
    const area = document.createElement('textarea')
    area.value = text
    area.className = 'offscreen'
    document.body.append(area)
    area.select()
    const done = document.execCommand('copy')
    area.remove()
    return done
  }
}

export function CopyButton({ text, label }: { text: string; label: string }) {
  const [done, setDone] = useState(false)
  const press = async () => {
    setDone(await copy(text))
    setTimeout(() => setDone(false), 1500)
  }
  return (
    <button
      class="icon-button"
      type="button"
      onClick={press}
      aria-label={done ? 'Copied' : label}
      title={label}
    >
      <Icon name={done ? 'check' : 'copy'} />
    </button>
  )
}
