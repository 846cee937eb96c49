// Lines over the last minutes, drawn by uPlot, with the newest values beside their names.
import { useEffect, useRef } from 'preact/hooks'
import uPlot from 'uplot'
import { settings } from '../state/settings'
import { series } from './poll'

export interface Line {
  name: string // column of `series`
  label: string
  colour: string // custom property of the style sheet
}

interface Props {
  title: string
  unit: string
  lines: Line[]
  digits?: number
}

const HEIGHT = 150 // pixels
const SPAN_MIN = 60 // seconds
const STEPS = [10, 15, 30, 60, 120, 300]

// Seconds before the newest sample.
const ago = (times: (number | null)[] = []) => times.map((time) => time! - times.at(-1)!)
const ages = (_: uPlot, times: number[]) => times.map((time) => (time ? `−${-time} s` : 'now'))

// A custom property as a colour for a canvas: light-dark() is resolved only in a real property.
function colour(element: HTMLElement, name: string): string {
  element.style.color = `var(${name})`
  const value = getComputedStyle(element).color
  element.style.color = ''
  return value
}

function axis(stroke: string, grid: string): uPlot.Axis {
  return {
    stroke,
    font: '11px system-ui, sans-serif',
    ticks: { show: false },
    size: 42,
    gap: 4,
    grid: { stroke: grid, width: 1 },
  }
}

function create(element: HTMLElement, lines: Line[]): uPlot {
  const muted = colour(element, '--muted')
  const grid = colour(element, '--line')
  return new uPlot(
    {
      width: element.clientWidth || 300,
      height: HEIGHT,
      legend: { show: false },
      cursor: { show: false },
      padding: [8, 8, 0, 0],
      scales: {
        x: { time: false, range: (_, min, max) => [Math.min(min, max - SPAN_MIN), max] },
        y: { range: (_, __, max) => [0, Math.max(1, max * 1.15)] },
      },
      axes: [
        {
          ...axis(muted, grid),
          size: 24,
          space: 70,
          grid: { show: false },
          incrs: STEPS,
          values: ages,
        },
        { ...axis(muted, grid), space: 36 },
      ],
      series: [
        {},
        ...lines.map((line) => ({
          stroke: colour(element, line.colour),
          width: 1.75,
          points: { show: false },
          spanGaps: false,
        })),
      ],
    },
    [[], ...lines.map(() => [])],
    element,
  )
}

export function Chart({ title, unit, lines, digits = 0 }: Props) {
  const place = useRef<HTMLDivElement>(null)
  const plot = useRef<uPlot | null>(null)
  const { theme } = settings.value
  useEffect(() => {
    const element = place.current!
    const chart = (plot.current = create(element, lines))
    const observer = new ResizeObserver(() =>
      chart.setSize({ width: element.clientWidth, height: HEIGHT }),
    )
    observer.observe(element)
    return () => {
      observer.disconnect()
      chart.destroy()
    }
  }, [theme, title, lines.length])
  const columns = series.value
  useEffect(() => {
    plot.current?.setData([
      ago(columns['time']),
      ...lines.map((line) => columns[line.name] ?? []),
    ] as uPlot.AlignedData)
  }, [columns, theme, lines.length])
  const values = lines.map((line) => columns[line.name]?.at(-1))
  const text = (value: number | null | undefined) => (value == null ? '–' : value.toFixed(digits))
  return (
    <section
      class="card chart"
      aria-label={`${title}: ${lines.map((line, index) => `${line.label} ${text(values[index])} ${unit}`).join(', ')}`}
    >
      <header>
        <h2>{title}</h2>
        <span class="grow" />
        {lines.map((line, index) => (
          <span key={line.name} class="key">
            <i class={line.colour.slice(2)} />
            {line.label} <b>{text(values[index])}</b>
          </span>
        ))}
        <small>{unit}</small>
      </header>
      <div class="plot" ref={place} aria-hidden="true" />
    </section>
  )
}
