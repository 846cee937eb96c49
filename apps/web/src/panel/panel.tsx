// The settings panel.
import { useState } from 'preact/hooks'
import { apiKey } from '../api/client'
import { health, props } from '../state/server'
import { knobs, resetSettings, set, settings } from '../state/settings'
import type { Reasoning } from '../state/settings'
import { panel, togglePanel } from '../state/view'
import { Icon } from '../ui/icon'
import { NumberField, TextField } from './field'

const levels: Record<Reasoning, string> = {
  auto: 'Automatic',
  off: 'Off',
  low: 'Low',
  medium: 'Medium',
  high: 'High',
}

const schemaExample = '{\n  "type": "object",\n  "properties": { … }\n}'

function Sampling() {
  return (
    <section aria-labelledby="sampling">
      <h3 id="sampling">Sampling</h3>
      {knobs
        .filter((knob) => !knob.rare)
        .map((knob) => (
          <NumberField key={knob.name} knob={knob} />
        ))}
      <details>
        <summary>
          <Icon name="right" />
          More samplers
        </summary>
        {knobs
          .filter((knob) => knob.rare)
          .map((knob) => (
            <NumberField key={knob.name} knob={knob} />
          ))}
      </details>
    </section>
  )
}

function Answer() {
  const { reasoning, probabilities } = settings.value
  return (
    <section aria-labelledby="answer">
      <h3 id="answer">Answer</h3>
      <div class="knob">
        <label for="reasoning">Thinking</label>
        <select
          id="reasoning"
          value={reasoning}
          onChange={(event) => set('reasoning', event.currentTarget.value as Reasoning)}
        >
          {Object.entries(levels).map(([value, label]) => (
            <option key={value} value={value}>
              {label}
            </option>
          ))}
        </select>
      </div>
      <label class="check">
        <input
          type="checkbox"
          checked={probabilities}
          onChange={(event) => set('probabilities', event.currentTarget.checked)}
        />
        Keep the probabilities of tokens
      </label>
      <TextField
        name="schema"
        label="JSON schema"
        json="object"
        rows={4}
        placeholder={schemaExample}
        help="The answer will be JSON of this form. Empty: free text."
      />
      <details>
        <summary>
          <Icon name="right" />
          Tools, stops, further fields
        </summary>
        <TextField
          name="tools"
          label="Tools"
          json="array"
          rows={4}
          placeholder={'[{ "type": "function", "function": { "name": … } }]'}
          help="In OpenAI’s form. Calls are shown; you write what they return."
        />
        <TextField
          name="stop"
          label="Stop texts"
          rows={2}
          help="One a line; an answer ends before them."
        />
        <TextField
          name="extra"
          label="Further fields"
          json="object"
          rows={2}
          placeholder={'{ "cache_prompt": true }'}
          help="Added to each request as they are."
        />
      </details>
    </section>
  )
}

// The key counts once the field is left, so that no half of it is sent.
function KeyInput() {
  const [text, setText] = useState(apiKey.value)
  return (
    <input
      id="api-key"
      type="password"
      autocomplete="off"
      value={text}
      aria-describedby="api-key-help"
      aria-invalid={health.value === 'locked'}
      onInput={(event) => setText(event.currentTarget.value)}
      onChange={() => (apiKey.value = text.trim())}
    />
  )
}

function Server() {
  const { build_info, total_slots, model_path } = props.value
  return (
    <section aria-labelledby="server">
      <h3 id="server">Server</h3>
      <div class="field">
        <label for="api-key">API key</label>
        <KeyInput />
        <p id="api-key-help" class="help">
          Kept until this page is closed or loaded again, and nowhere else.
        </p>
      </div>
      <dl class="facts">
        {model_path && (
          <div>
            <dt>Model file</dt>
            <dd title={model_path}>{model_path.replace(/^.*\//, '')}</dd>
          </div>
        )}
        {total_slots !== undefined && (
          <div>
            <dt>Parallel answers</dt>
            <dd>{total_slots}</dd>
          </div>
        )}
        {build_info && (
          <div>
            <dt>Version</dt>
            <dd>{build_info}</dd>
          </div>
        )}
      </dl>
    </section>
  )
}

export function Panel() {
  return (
    <aside class="panel" aria-label="Settings" inert={!panel.value}>
      <header>
        <h2>Settings</h2>
        <span class="grow" />
        <button type="button" class="button small" onClick={resetSettings}>
          Reset all
        </button>
        <button
          type="button"
          class="icon-button"
          aria-label="Close the settings"
          onClick={togglePanel}
        >
          <Icon name="close" />
        </button>
      </header>
      <div class="scroll">
        <TextField
          name="system"
          label="System prompt"
          rows={4}
          placeholder="You are a helpful assistant."
          help="Stands before each conversation."
        />
        <Sampling />
        <Answer />
        <Server />
      </div>
    </aside>
  )
}
