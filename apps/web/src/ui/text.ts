// Numbers as people read them.
const SIZES = ['B', 'KiB', 'MiB', 'GiB', 'TiB']

export function bytes(count: number): string {
  let step = 0
  for (; count >= 1024 && step < SIZES.length - 1; step++) count /= 1024
  return `${count.toFixed(step && count < 10 ? 1 : 0)} ${SIZES[step]}`
}

export function duration(ms: number): string {
  if (ms < 1) return `${ms.toFixed(2)} ms`
  if (ms < 10) return `${ms.toFixed(1)} ms`
  if (ms < 1000) return `${ms.toFixed(0)} ms`
  if (ms < 60_000) return `${(ms / 1000).toFixed(1)} s`
  const minutes = Math.floor(ms / 60_000)
  if (minutes < 60) return `${minutes} min ${Math.round((ms % 60_000) / 1000)} s`
  return `${Math.floor(minutes / 60)} h ${minutes % 60} min`
}

export function count(value: number): string {
  if (value < 10_000) return Math.round(value).toLocaleString('en')
  if (value < 1e6) return `${(value / 1e3).toFixed(value < 1e5 ? 1 : 0)}k`
  if (value < 1e9) return `${(value / 1e6).toFixed(1)}M`
  return `${(value / 1e9).toFixed(1)}B`
}

export const rate = (value: number): string => (value < 100 ? value.toFixed(1) : count(value))

export const percent = (share: number): string => `${(share * 100).toFixed(share < 0.1 ? 1 : 0)}%`

export const plural = (number: number, word: string): string =>
  `${count(number)} ${word}${number === 1 ? '' : 's'}`
