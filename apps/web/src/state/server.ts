// What is known of the server: whether it answers, its models, its defaults.
import { computed, signal } from '@preact/signals'
import { ApiError, apiKey, getJson, postJson } from '../api/client'
import type { Model, Props } from '../api/types'

export type Health = 'unknown' | 'ready' | 'loading' | 'locked' | 'away'

export const health = signal<Health>('unknown')
export const healthDetail = signal('')
export const models = signal<Model[]>([])
export const chosenModel = signal('')
export const props = signal<Props>({})

export const contextTokens = computed(() => props.value.default_generation_settings?.n_ctx ?? 0)
export const currentModel = computed(
  () => models.value.find((model) => model.id === chosenModel.value) ?? models.value[0],
)

export const serverDefault = (name: string): number | undefined => {
  const params = props.value.default_generation_settings?.params ?? {}
  const value = params[name] ?? (name === 'max_tokens' ? params['n_predict'] : undefined)
  return typeof value === 'number' ? value : undefined
}

function judge(error: unknown): Health {
  if (!(error instanceof ApiError)) return 'away'
  healthDetail.value = error.message
  if (error.status === 401 || error.status === 403) return 'locked'
  return error.status === 503 ? 'loading' : 'away'
}

let asking: AbortController | undefined
let timer: ReturnType<typeof setTimeout> | undefined

// Asks now, and again later: soon while the server loads, seldom once all is well.
export async function askServer(): Promise<void> {
  asking?.abort()
  clearTimeout(timer)
  const mine = (asking = new AbortController())
  try {
    await getJson('health', mine.signal)
    const list = await getJson<{ data: Model[] }>('v1/models', mine.signal)
    models.value = list.data ?? []
    props.value = await getJson<Props>('props', mine.signal)
    health.value = 'ready'
  } catch (error) {
    if (mine.signal.aborted) return
    health.value = judge(error)
  }
  const loading = models.value.some((model) => model.status?.value === 'loading')
  const seconds = health.value !== 'ready' || loading ? 2 : 30
  timer = setTimeout(() => document.hidden || askServer(), seconds * 1000)
}

export async function setModelLoaded(model: Model, loaded: boolean): Promise<void> {
  await postJson(loaded ? 'models/load' : 'models/unload', { model: model.id })
  await askServer()
}

export function watchServer() {
  document.addEventListener('visibilitychange', () => document.hidden || askServer())
  apiKey.subscribe(() => void askServer())
}

// "SmolLM2-135M-Instruct.Q4_1" from ".../SmolLM2-135M-Instruct.Q4_1.gguf"
export const modelName = (id: string): string => id.replace(/^.*\//, '').replace(/\.gguf$/i, '')
