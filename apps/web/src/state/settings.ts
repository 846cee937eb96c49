// What the user sets, kept in the browser's localStorage. A sampling value that is not set is the
// server's.
import { effect, signal } from '@preact/signals'

export type Theme = 'auto' | 'light' | 'dark'
export type Reasoning = 'auto' | 'off' | 'low' | 'medium' | 'high'

export interface Settings {
  system: string
  sampling: Record<string, number>
  stop: string // one a line
  schema: string // JSON Schema; empty: free text
  tools: string // array of OpenAI tools; empty: none
  reasoning: Reasoning
  probabilities: boolean // ask for them with each answer
  theme: Theme
  extra: string // JSON object: further fields of the request
}

const STORED_AS = 'ingle.settings'

export const defaults: Settings = {
  system: '',
  sampling: {},
  stop: '',
  schema: '',
  tools: '',
  reasoning: 'auto',
  probabilities: false,
  theme: 'auto',
  extra: '',
}

function stored(): Settings {
  try {
    return { ...defaults, ...JSON.parse(localStorage.getItem(STORED_AS) ?? '{}') }
  } catch {
    return defaults
  }
}

export const settings = signal<Settings>(stored())

export function set<Name extends keyof Settings>(name: Name, value: Settings[Name]) {
  settings.value = { ...settings.value, [name]: value }
}

export function setSampling(name: string, value: number | undefined) {
  const { [name]: _, ...others } = settings.value.sampling
  set('sampling', value === undefined ? others : { ...others, [name]: value })
}

// Everything that shapes answers; the theme stays.
export function resetSettings() {
  settings.value = { ...defaults, theme: settings.value.theme }
}

effect(() => {
  const text = JSON.stringify(settings.value)
  try {
    localStorage.setItem(STORED_AS, text)
  } catch {
    // a browser that stores nothing forgets the settings, no more
  }
  document.documentElement.dataset['theme'] = settings.value.theme
})

export interface Knob {
  name: string
  label: string
  help: string
  step: number
  min?: number
  max?: number
  rare?: boolean // behind "More samplers"
}

export const knobs: Knob[] = [
  {
    name: 'temperature',
    label: 'Temperature',
    step: 0.05,
    min: 0,
    max: 5,
    help: '0 always takes the likeliest token; higher is more varied.',
  },
  {
    name: 'top_p',
    label: 'Top P',
    step: 0.01,
    min: 0,
    max: 1,
    help: 'Keeps the likeliest tokens that together reach this probability; 1 is off.',
  },
  {
    name: 'top_k',
    label: 'Top K',
    step: 1,
    min: 0,
    help: 'Keeps this many of the likeliest tokens; 0 is off.',
  },
  {
    name: 'min_p',
    label: 'Min P',
    step: 0.01,
    min: 0,
    max: 1,
    help: 'Drops tokens less likely than this share of the likeliest; 0 is off.',
  },
  {
    name: 'max_tokens',
    label: 'Answer limit',
    step: 1,
    min: 1,
    help: 'Tokens at most in an answer; without a limit it may fill the context.',
  },
  {
    name: 'seed',
    label: 'Seed',
    step: 1,
    min: 0,
    help: 'The same seed gives the same answer; without one each is new.',
  },
  {
    name: 'repeat_penalty',
    label: 'Repeat penalty',
    step: 0.05,
    min: 0.01,
    rare: true,
    help: 'Makes tokens that were used less likely; 1 is off.',
  },
  {
    name: 'repeat_last_n',
    label: 'Repeat window',
    step: 1,
    min: -1,
    rare: true,
    help: 'How many last tokens count as used; -1 is the whole context.',
  },
  {
    name: 'presence_penalty',
    label: 'Presence penalty',
    step: 0.1,
    rare: true,
    help: 'Subtracted once from every used token; 0 is off.',
  },
  {
    name: 'frequency_penalty',
    label: 'Frequency penalty',
    step: 0.1,
    rare: true,
    help: 'Subtracted once for each use of a token; 0 is off.',
  },
  {
    name: 'typical_p',
    label: 'Typical P',
    step: 0.01,
    min: 0,
    max: 1,
    rare: true,
    help: 'Prefers tokens about as surprising as expected; 1 is off.',
  },
  {
    name: 'top_n_sigma',
    label: 'Top n sigma',
    step: 0.1,
    rare: true,
    help: 'Keeps tokens within this many deviations of the best logit; -1 is off.',
  },
  {
    name: 'xtc_probability',
    label: 'XTC probability',
    step: 0.05,
    min: 0,
    max: 1,
    rare: true,
    help: 'The chance of dropping the most obvious tokens; 0 is off.',
  },
  {
    name: 'xtc_threshold',
    label: 'XTC threshold',
    step: 0.05,
    min: 0,
    max: 1,
    rare: true,
    help: 'From which probability on a token is obvious; above 0.5 is off.',
  },
  {
    name: 'dry_multiplier',
    label: 'DRY multiplier',
    step: 0.1,
    min: 0,
    rare: true,
    help: 'Strength of the penalty on repeated sequences; 0 is off.',
  },
  {
    name: 'dry_base',
    label: 'DRY base',
    step: 0.05,
    min: 0,
    rare: true,
    help: 'How fast that penalty grows with the length of the sequence.',
  },
  {
    name: 'dry_allowed_length',
    label: 'DRY allowed length',
    step: 1,
    min: 0,
    rare: true,
    help: 'Sequences up to this length repeat freely.',
  },
  {
    name: 'dynatemp_range',
    label: 'Dynamic temperature',
    step: 0.1,
    min: 0,
    rare: true,
    help: 'How far the temperature moves with the uncertainty; 0 is off.',
  },
  {
    name: 'mirostat',
    label: 'Mirostat',
    step: 1,
    min: 0,
    max: 2,
    rare: true,
    help: 'Holds the surprise of the text steady: 1 or 2; 0 is off.',
  },
  {
    name: 'mirostat_tau',
    label: 'Mirostat tau',
    step: 0.1,
    min: 0,
    rare: true,
    help: 'The surprise it aims at.',
  },
  {
    name: 'mirostat_eta',
    label: 'Mirostat eta',
    step: 0.05,
    min: 0,
    rare: true,
    help: 'How fast it learns.',
  },
]

// A text that should be JSON, or what is wrong with it; undefined where the text is empty.
export function readJson(
  text: string,
  kind: 'object' | 'array',
): { value?: unknown; fault?: string } {
  if (!text.trim()) return {}
  try {
    const value = JSON.parse(text)
    const fits =
      kind === 'array'
        ? Array.isArray(value)
        : typeof value === 'object' && value !== null && !Array.isArray(value)
    return fits ? { value } : { fault: `Expected a JSON ${kind}.` }
  } catch (error) {
    return { fault: `No JSON: ${(error as Error).message}` }
  }
}
