// How the server fares: speed, waiting, latency, memory.
import { useEffect } from 'preact/hooks'
import type { Measure, Slot, Stats, Window } from '../api/types'
import { Bar } from '../ui/bar'
import { props } from '../state/server'
import { Icon } from '../ui/icon'
import { bytes, count, duration, percent, rate } from '../ui/text'
import { Chart } from './chart'
import { slots, stats, trouble, watch } from './poll'

const measures: Record<Measure, string> = {
  ttft: 'First token',
  inter_token: 'Between tokens',
  queue: 'In the queue',
  e2e: 'Whole request',
}
const windows: Window[] = ['1m', '5m', '15m']
const windowNames: Record<Window, string> = {
  '1m': '1 minute',
  '5m': '5 minutes',
  '15m': '15 minutes',
}

function Tile({
  label,
  value,
  note,
  share,
}: {
  label: string
  value: string
  note?: string
  share?: number
}) {
  return (
    <div class="tile">
      <dt>{label}</dt>
      <dd>{value}</dd>
      {note && <dd class="note">{note}</dd>}
      {share !== undefined && <Bar share={share} label={label} />}
    </div>
  )
}

function Tiles({ now }: { now: Stats }) {
  const { queue, kv, memory_bytes: memory, totals } = now
  const tiers = (memory.persistent ?? 0) + (memory.active ?? 0) + (memory.scratch ?? 0)
  const held = memory.resident ?? tiers
  const filled = kv?.total_tokens ? kv.used_tokens / kv.total_tokens : 0
  const up = now.uptime_seconds === undefined ? '' : ` in ${duration(now.uptime_seconds * 1000)}`
  const first = now.latency_seconds.ttft?.['1m']
  const ttft = first?.count ? first.p95 : null
  return (
    <dl class="tiles">
      <Tile label="Speed" value={rate(now.tokens_per_second.generated)} note="tokens/s" />
      <Tile
        label="Requests"
        value={String(queue.running)}
        note={`under way, ${queue.waiting} waiting`}
        share={queue.sequences_max ? queue.running / queue.sequences_max : undefined}
      />
      <Tile
        label="First token, P95"
        value={ttft == null ? '–' : duration(ttft * 1000)}
        note="within the last minute"
      />
      <Tile
        label="Context cache"
        value={kv ? percent(filled) : '–'}
        note={kv && `of ${count(kv.total_tokens)} tokens`}
        share={kv && filled}
      />
      <Tile
        label="Memory"
        value={bytes(held)}
        note={memory.limit ? `of ${bytes(memory.limit)}` : undefined}
        share={memory.limit ? held / memory.limit : undefined}
      />
      {totals && (
        <Tile label="Written so far" value={count(totals.generated_tokens)} note={`tokens${up}`} />
      )}
    </dl>
  )
}

const seconds = (value: number | null | undefined) => (value == null ? '–' : duration(value * 1000))

function Latencies({ now }: { now: Stats }) {
  return (
    <section class="card" aria-label="Latency">
      <header>
        <h2>Latency</h2>
      </header>
      <div class="table" tabIndex={0}>
        <table>
          <thead>
            <tr>
              <td />
              {windows.map((window) => (
                <th key={window} colSpan={3} scope="colgroup">
                  {windowNames[window]}
                </th>
              ))}
            </tr>
            <tr>
              <td />
              {windows.flatMap((window) =>
                ['P50', 'P95', 'P99'].map((rank) => (
                  <th key={window + rank} scope="col">
                    {rank}
                  </th>
                )),
              )}
            </tr>
          </thead>
          <tbody>
            {(Object.keys(measures) as Measure[]).map((measure) => (
              <tr key={measure}>
                <th scope="row">{measures[measure]}</th>
                {windows.flatMap((window) => {
                  const found = now.latency_seconds[measure]?.[window]
                  return (['p50', 'p95', 'p99'] as const).map((rank) => (
                    <td key={window + rank}>{seconds(found?.count ? found[rank] : null)}</td>
                  ))
                })}
              </tr>
            ))}
          </tbody>
        </table>
      </div>
    </section>
  )
}

function SlotRow({ slot }: { slot: Slot }) {
  const next = Array.isArray(slot.next_token) ? slot.next_token[0] : slot.next_token
  const written = next?.n_decoded ?? 0
  const prompt = slot.n_prompt_tokens ?? 0
  const done = slot.n_prompt_tokens_processed ?? prompt
  const reading = slot.is_processing && written === 0
  return (
    <li class={slot.is_processing ? 'busy' : undefined}>
      <span class="number">{slot.id}</span>
      <span class="grow">
        {!slot.is_processing ? 'idle' : reading ? 'reading' : `writing, ${count(written)} tokens`}
      </span>
      {slot.is_processing && prompt > 0 && (
        <small>
          {reading ? `${count(done)} of ` : 'after '}
          {count(prompt)} of prompt
        </small>
      )}
    </li>
  )
}

function Slots() {
  if (!slots.value.length) return null
  return (
    <section class="card" aria-label="Sequences">
      <header>
        <h2>Sequences</h2>
      </header>
      <ul class="slots">
        {slots.value.map((slot) => (
          <SlotRow key={slot.id} slot={slot} />
        ))}
      </ul>
    </section>
  )
}

const ranks = (measure: Measure) => [
  { name: `${measure}_p50`, label: 'P50', colour: '--plot-1' },
  { name: `${measure}_p95`, label: 'P95', colour: '--plot-2' },
  { name: `${measure}_p99`, label: 'P99', colour: '--plot-3' },
]

// By tier where the server tells them apart.
function memoryLines({ memory_bytes: memory }: Stats) {
  if (memory.persistent == null)
    return [{ name: 'resident', label: 'resident', colour: '--plot-1' }]
  return [
    { name: 'persistent', label: 'weights', colour: '--plot-1' },
    { name: 'active', label: 'cache', colour: '--plot-2' },
    { name: 'scratch', label: 'scratch', colour: '--plot-3' },
  ]
}

function Charts({ now }: { now: Stats }) {
  return (
    <div class="charts">
      <Chart
        title="Speed"
        unit="tokens/s"
        lines={[
          { name: 'generated', label: 'written', colour: '--plot-1' },
          { name: 'prompt', label: 'read', colour: '--plot-2' },
        ]}
      />
      <Chart
        title="Requests"
        unit=""
        lines={[
          { name: 'running', label: 'under way', colour: '--plot-1' },
          { name: 'waiting', label: 'waiting', colour: '--plot-3' },
        ]}
      />
      <Chart title="First token" unit="ms" lines={ranks('ttft')} />
      <Chart title="Between tokens" unit="ms" digits={1} lines={ranks('inter_token')} />
      {now.kv && (
        <Chart
          title="Context cache"
          unit="%"
          digits={1}
          lines={[{ name: 'kv', label: 'used', colour: '--plot-1' }]}
        />
      )}
      <Chart title="Memory" unit="MiB" lines={memoryLines(now)} />
    </div>
  )
}

export function Dashboard() {
  useEffect(watch, [])
  const now = stats.value
  return (
    <main class="dashboard view" aria-label="Dashboard">
      {trouble.value && (
        <p class="fault" role="status">
          <Icon name="warning" />
          {trouble.value}
        </p>
      )}
      {now && <Tiles now={now} />}
      {now && <Charts now={now} />}
      {now && <Latencies now={now} />}
      <Slots />
      {props.value.endpoint_metrics !== false && (
        <p class="help">
          For Prometheus the same figures stand at{' '}
          <a href="metrics" target="_blank" rel="noopener">
            /metrics
          </a>
          .
        </p>
      )}
    </main>
  )
}
