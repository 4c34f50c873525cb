/** Values of runs over time, drawn as lines. The table beside them holds the numbers. */
import type { Outcome } from '../../specs/outcomes.ts'
import { html, type Markup } from './markup.ts'

/** One value of all runs, with its changes marked. */
interface Trend {
  readonly name: string
  /** One for each run. Undefined: the run has none. */
  readonly values: readonly (number | undefined)[]
  /** The latest value, in words. */
  readonly words: string
  /** The value at the top. Default: the largest. */
  readonly most?: number
  /** Runs at which something changed, and the style of the mark. */
  readonly marks: readonly (Outcome | undefined)[]
}

const [width, height, margin] = [200, 36, 5] as const

export function trendLines(trends: readonly Trend[]): Markup {
  return html`<ul class="trends">${trends.map(
    (trend) => html`<li>${line(trend)}<span>${trend.name} <small>${trend.words}</small></span></li>`,
  )}</ul>`
}

function line({ values, most, marks }: Trend): Markup {
  const top = most ?? Math.max(1, ...values.flatMap((value) => value ?? []))
  const points = values.flatMap((value, at) => {
    if (value === undefined) return []
    const x = margin + (at * (width - 2 * margin)) / Math.max(1, values.length - 1)
    const y = height - margin - (value / top) * (height - 2 * margin)
    return [{ at, x: x.toFixed(1), y: y.toFixed(1) }]
  })
  return html`<svg viewBox="0 0 ${width} ${height}" width="${width}" height="${height}" aria-hidden="true" focusable="false"><polyline points="${points.map(({ x, y }) => `${x},${y}`).join(' ')}"/>${points.map(
    ({ at, x, y }) => marks[at] && html`<circle class="${marks[at]}" cx="${x}" cy="${y}" r="4"/>`,
  )}</svg>`
}
