// What is being typed into a field, until the field is left: a value that cannot be read yet ("0.")
// stays as it is, and nothing that is drawn anew meanwhile takes it away.
import { useState } from 'preact/hooks'

export function useDraft(kept: string, keep: (text: string) => void) {
  const [draft, setDraft] = useState<string | null>(null)
  return {
    value: draft ?? kept,
    onInput: (event: InputEvent) => {
      const text = (event.currentTarget as HTMLInputElement).value
      setDraft(text)
      keep(text)
    },
    onBlur: () => setDraft(null),
  }
}
