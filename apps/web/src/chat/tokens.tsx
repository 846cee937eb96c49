// Tokens one by one, coloured by their probability; pressing one shows what else could have stood
// there.
import { useState } from 'preact/hooks'
import type { TokenLogprob } from '../api/types'
import { Bar } from '../ui/bar'
import { percent } from '../ui/text'

const visible = (text: string) =>
  text.replace(/\n/g, '⏎').replace(/\t/g, '⇥').replace(/ /g, '·') || '∅'

// Six steps, from sure to surprising.
const LIMITS = [0.9, 0.7, 0.5, 0.3, 0.1]

export function shade(probability: number): string {
  const step = LIMITS.findIndex((limit) => probability >= limit)
  return `p${step < 0 ? LIMITS.length : step}`
}

function Alternatives({ token }: { token: TokenLogprob }) {
  const listed = token.top_logprobs ?? []
  const same = (other: { token: string; id?: number }) =>
    other.id === undefined || token.id === undefined
      ? other.token === token.token
      : other.id === token.id
  const rows = listed.some(same) ? listed : [...listed, token]
  return (
    <table class="alternatives" aria-label="Candidates for this token">
      <thead>
        <tr>
          <th>Candidate</th>
          <th>Probability</th>
          <th class="number">log</th>
        </tr>
      </thead>
      <tbody>
        {rows.map((row, index) => {
          const chance = Math.exp(row.logprob)
          return (
            <tr key={index} class={same(row) ? 'chosen' : undefined}>
              <td>
                <code>{visible(row.token)}</code>
                {row.id !== undefined && <small> {row.id}</small>}
              </td>
              <td class="bar">
                <Bar share={chance} label="Probability" /> {percent(chance)}
              </td>
              <td class="number">{row.logprob.toFixed(2)}</td>
            </tr>
          )
        })}
      </tbody>
    </table>
  )
}

function Legend() {
  const labels = ['≥ 90%', '70', '50', '30', '10', '< 10%']
  return (
    <p class="legend" aria-hidden="true">
      {labels.map((label, step) => (
        <span key={label} class={`token p${step}`}>
          {label}
        </span>
      ))}
    </p>
  )
}

export function TokenView({ tokens }: { tokens: TokenLogprob[] }) {
  const [chosen, choose] = useState(-1)
  const token = tokens[chosen]
  return (
    <div class="token-view">
      <div class="tokens">
        {tokens.map((one, index) => {
          const chance = Math.exp(one.logprob)
          const label = `${JSON.stringify(one.token)}, ${percent(chance)}`
          return (
            <button
              key={index}
              type="button"
              class={`token ${shade(chance)}`}
              title={label}
              aria-label={label}
              aria-pressed={index === chosen}
              onClick={() => choose(index === chosen ? -1 : index)}
            >
              {one.token || '∅'}
            </button>
          )
        })}
      </div>
      {token ? <Alternatives token={token} /> : <Legend />}
    </div>
  )
}
