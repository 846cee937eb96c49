// Fields of the settings panel.
import { useId } from 'preact/hooks'
import { serverDefault } from '../state/server'
import { readJson, setSampling, settings } from '../state/settings'
import type { Knob } from '../state/settings'
import { useDraft } from '../ui/draft'

// What the server says as a float of 32 bits, without the digits that it does not have.
const shown = (value: number | undefined) =>
  value === undefined ? '' : String(Number(value.toPrecision(6)))

export function NumberField({ knob }: { knob: Knob }) {
  const id = useId()
  const value = settings.value.sampling[knob.name]
  const given = value !== undefined
  const change = (text: string) =>
    setSampling(knob.name, text === '' || !isFinite(Number(text)) ? undefined : Number(text))
  const draft = useDraft(value === undefined ? '' : String(value), change)
  const preset = serverDefault(knob.name)
  const none = { max_tokens: 'no limit', seed: 'random' }[knob.name] ?? 'server’s'
  return (
    <div class={given ? 'knob given' : 'knob'}>
      <label for={id} title={knob.help}>
        {knob.label}
      </label>
      {given && (
        <button
          type="button"
          class="reset"
          aria-label={`${knob.label}: back to the server’s default`}
          title="Back to the server’s default"
          onClick={() => setSampling(knob.name, undefined)}
        >
          reset
        </button>
      )}
      <input
        id={id}
        type="number"
        inputMode="decimal"
        {...draft}
        step={knob.step}
        min={knob.min}
        max={knob.max}
        title={knob.help}
        placeholder={
          preset === undefined || preset < 0 || knob.name === 'seed' ? none : shown(preset)
        }
      />
    </div>
  )
}

interface TextProps {
  name: 'system' | 'stop' | 'schema' | 'tools' | 'extra'
  label: string
  help: string
  rows: number
  placeholder?: string
  json?: 'object' | 'array'
}

export function TextField({ name, label, help, rows, placeholder, json }: TextProps) {
  const id = useId()
  const text = settings.value[name]
  const fault = json && readJson(text, json).fault
  return (
    <div class="field">
      <label for={id}>{label}</label>
      <textarea
        id={id}
        class={json ? 'json' : undefined}
        rows={rows}
        value={text}
        placeholder={placeholder}
        spellcheck={!json}
        aria-invalid={Boolean(fault)}
        aria-describedby={`${id}-help`}
        onInput={(event) =>
          (settings.value = { ...settings.value, [name]: event.currentTarget.value })
        }
      />
      <p id={`${id}-help`} class={fault ? 'help fault' : 'help'}>
        {fault ?? help}
      </p>
    </div>
  )
}
