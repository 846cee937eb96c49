// The server's figures, asked for once a second while they are on show, with the last minutes for
// the plots.
import { signal } from '@preact/signals'
import { ApiError, getJson } from '../api/client'
import type { Measure, Slot, Stats } from '../api/types'

export const stats = signal<Stats | null>(null)
export const slots = signal<Slot[]>([])
export const trouble = signal('')

const PERIOD_MS = 1000
const SAMPLES_MAX = 600

// Columns as the plots want them; null where nothing was measured.
export const series = signal<Record<string, (number | null)[]>>({ time: [] })

const mebibytes = (bytes: number | null | undefined) => (bytes == null ? null : bytes / 2 ** 20)

const LATENCIES: Measure[] = ['ttft', 'inter_token']

function sampleOf(now: Stats): Record<string, number | null> {
  const sample: Record<string, number | null> = {
    time: Date.now() / 1000,
    generated: now.tokens_per_second.generated,
    prompt: now.tokens_per_second.prompt,
    running: now.queue.running,
    waiting: now.queue.waiting,
    kv: now.kv?.total_tokens ? (100 * now.kv.used_tokens) / now.kv.total_tokens : null,
    resident: mebibytes(now.memory_bytes.resident),
  }
  for (const tier of ['persistent', 'active', 'scratch'] as const)
    sample[tier] = mebibytes(now.memory_bytes[tier])
  for (const measure of LATENCIES)
    for (const rank of ['p50', 'p95', 'p99'] as const) {
      const found = now.latency_seconds[measure]?.['1m']
      const seconds = found?.count ? found[rank] : null
      sample[`${measure}_${rank}`] = seconds == null ? null : seconds * 1000
    }
  return sample
}

function add(sample: Record<string, number | null>) {
  const length = series.value['time']!.length
  const columns = Object.entries(sample).map(([name, value]) => {
    const before = series.value[name] ?? Array<null>(length).fill(null)
    return [name, [...before, value].slice(-SAMPLES_MAX)]
  })
  series.value = Object.fromEntries(columns)
}

async function ask(signal: AbortSignal) {
  try {
    const now = await getJson<Stats>('v1/stats', signal)
    stats.value = now
    add(sampleOf(now))
    trouble.value = ''
  } catch (error) {
    if (signal.aborted) return
    const missing = error instanceof ApiError && error.status === 404
    trouble.value = missing
      ? 'This server keeps no statistics (it has no /v1/stats).'
      : (error as Error).message
  }
  try {
    slots.value = await getJson<Slot[]>('slots', signal)
  } catch {
    slots.value = [] // a server may keep them to itself
  }
}

// Asks until the returned function is called.
export function watch(): () => void {
  const abort = new AbortController()
  let timer: ReturnType<typeof setTimeout>
  const round = async () => {
    if (!document.hidden) await ask(abort.signal)
    if (!abort.signal.aborted) timer = setTimeout(round, PERIOD_MS)
  }
  void round()
  return () => {
    abort.abort()
    clearTimeout(timer)
  }
}
