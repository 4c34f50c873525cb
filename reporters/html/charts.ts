/** What is drawn against time. */
import type { Evidence } from '../../target/http/exchange.ts'
import { durationOf } from '../wording.ts'
import { bounded, html, type Markup } from './markup.ts'

const mostLanes = 16
const laneHeight = 34
const axisHeight = 22
const longestLabel = 90

type Timed = Evidence & { readonly atMs: number }

/** The drawing, or undefined where fewer than two exchanges tell when they were sent. */
export function timeline(evidence: readonly Evidence[] = []): Markup | undefined {
  const timed = evidence.filter((exchange): exchange is Timed => Number.isFinite(exchange.atMs))
  if (timed.length < 2) return undefined
  const lanes = timed.toSorted((one, other) => one.atMs - other.atMs).slice(0, mostLanes)
  const from = Math.min(...lanes.map(({ atMs }) => atMs))
  const span = Math.max(1, ...lanes.map((lane) => lane.atMs + (lane.response?.durationMs ?? 0) - from))
  const height = lanes.length * laneHeight + axisHeight
  const left = timed.length - lanes.length
  return html`<figure class="timeline"><figcaption>${timed.length} requests over ${durationOf(span)}${left > 0 ? `; the first ${mostLanes} are drawn` : ''}</figcaption>
<svg role="img" aria-label="Timeline: ${lanes.map((lane) => spoken(lane, from)).join('; ')}" width="100%" height="${height}">
${[0, 25, 50, 75, 100].map((percent) => tick(percent, span, height))}
${lanes.map((lane, at) => drawn(lane, at, from, span))}</svg></figure>
`
}

function tick(percent: number, span: number, height: number): Markup {
  const anchor = percent === 0 ? 'start' : percent === 100 ? 'end' : 'middle'
  return html`<line class="grid" x1="${percent}%" x2="${percent}%" y1="0" y2="${height - axisHeight}"/><text class="tick" x="${percent}%" y="${height - 6}" text-anchor="${anchor}">${durationOf((span * percent) / 100)}</text>`
}

function drawn(lane: Timed, at: number, from: number, span: number): Markup {
  const top = at * laneHeight
  const start = ((lane.atMs - from) / span) * 100
  // What was never answered reaches to the end.
  const width = lane.response === undefined ? 100 - start : (lane.response.durationMs / span) * 100
  const look = lane.response === undefined ? 'unanswered' : lane.response.status < 400 ? 'answered' : 'error'
  return html`<text class="lane" x="0" y="${top + 13}">${label(lane)}</text><rect class="${look}" x="${percentOf(start)}" y="${top + 18}" width="${percentOf(Math.max(width, 0.4))}" height="10" rx="2"/>`
}

const percentOf = (share: number): string => `${Math.min(100, Math.max(0, share)).toFixed(2)}%`

function label({ actor, request, response, error }: Timed): string {
  const path = request.url.split(/[?#]/)[0]?.split('/').at(-1) ?? ''
  const end =
    response === undefined
      ? `no answer: ${error ?? 'none came'}`
      : `HTTP ${response.status} after ${durationOf(response.durationMs)}`
  return bounded(`${actor === undefined ? '' : `${actor}: `}${path}, ${end}`, longestLabel)
}

function spoken(lane: Timed, from: number): string {
  return `at ${durationOf(lane.atMs - from)} ${label(lane)}`
}
