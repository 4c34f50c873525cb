/** Charts of a page: shares, exchanges of a finding over time, counts as bars. The text beside each chart holds its facts too. */
import type { AnswerClass, Evidence } from '../../deployment/http/exchange.ts'
import { outcomes } from '../../specs/outcomes.ts'
import type { Results } from '../results.ts'
import { bounded } from '../safe-text.ts'
import { durationOf } from '../wording.ts'
import { html, type Markup } from './markup.ts'

const mostLanes = 16
const laneHeight = 34
const axisHeight = 22
const longestLabel = 90

type Timed = Evidence & { readonly atMs: number }

/** The chart. Empty if fewer than two exchanges have a time. */
export function timeline(evidence: readonly Evidence[] = []): Markup {
  const timed = evidence.filter((exchange): exchange is Timed => Number.isFinite(exchange.atMs))
  if (timed.length < 2) return html``
  const lanes = timed.toSorted((one, other) => one.atMs - other.atMs).slice(0, mostLanes)
  const from = Math.min(...lanes.map(({ atMs }) => atMs))
  const limits = limitsOf(lanes)
  // A limit at the very edge would be invisible.
  const ends = [...lanes.map((lane) => endOf(lane) - from), ...limits.map((limit) => (limit - from) * 1.03)]
  const span = Math.max(1, ...ends)
  const height = lanes.length * laneHeight + axisHeight
  const left = timed.length - lanes.length
  return html`<figure class="timeline"><figcaption>${timed.length} requests over ${durationOf(span)}${left > 0 ? `; the first ${mostLanes} are drawn` : ''}${limits.length === 0 ? '' : html`. <b class="limit">Limit</b>: a sync runs at least until there, by its fixture`}</figcaption>
<div role="group" tabindex="0" aria-label="Timeline"><svg role="img" aria-label="Timeline: ${lanes.map((lane) => `at ${durationOf(lane.atMs - from)} ${label(lane, lanes)}`).join('; ')}${limits.map((limit) => `; limit: a sync runs at least until ${durationOf(limit - from)}`).join('')}" width="100%" height="${height}">
${[0, 25, 50, 75, 100].map((percent) => tick(percent, span, height))}
${lanes.map((lane, at) => drawn(lane, at, lanes, from, span))}${limits.map((limit) => marked(limit - from, span, height))}</svg></div></figure>
`
}

function tick(percent: number, span: number, height: number): Markup {
  const anchor = percent === 0 ? 'start' : percent === 100 ? 'end' : 'middle'
  return html`<line class="grid" x1="${percent}%" x2="${percent}%" y1="0" y2="${height - axisHeight}"/><text class="tick" x="${percent}%" y="${height - 6}" text-anchor="${anchor}">${durationOf((span * percent) / 100)}</text>`
}

function drawn(lane: Timed, at: number, lanes: readonly Timed[], from: number, span: number): Markup {
  const top = at * laneHeight
  const start = ((lane.atMs - from) / span) * 100
  // A request without an answer extends to the end.
  const width = lane.response === undefined ? 100 - start : (lane.response.durationMs / span) * 100
  return html`<text class="lane" x="0" y="${top + 13}">${label(lane, lanes)}</text><rect class="${lookOf(lane, lanes)}" x="${percentOf(start)}" y="${top + 18}" width="${percentOf(Math.max(width, 0.4))}" height="10" rx="2"/>`
}

/** The earliest ends of syncs, without those that would be drawn at the same place. */
function limitsOf(lanes: readonly Timed[]): number[] {
  const all = lanes.flatMap(({ syncUntilMs }) => syncUntilMs ?? []).sort((one, other) => one - other)
  const [first = 0, last = 0] = [all[0], all.at(-1)]
  const near = (last - first) / 50
  return all.filter((limit, at) => at === 0 || limit - (all[at - 1] as number) > near)
}

function marked(limit: number, span: number, height: number): Markup {
  const at = percentOf((limit / span) * 100)
  return html`<line class="limit" x1="${at}" x2="${at}" y1="0" y2="${height - axisHeight}"><title>Limit: a sync runs at least until ${durationOf(limit)}</title></line>`
}

type Look = AnswerClass | 'held' | 'unanswered'

const endOf = ({ atMs, response }: Timed): number => atMs + (response?.durationMs ?? 0)

/** Delayed: accepted, but answered only after an earlier sync at the same place was over. */
function lookOf(lane: Timed, lanes: readonly Timed[]): Look {
  if (lane.response === undefined) return 'unanswered'
  if (lane.class !== 'accepted') return lane.class
  const behind = lanes.some(
    (other) =>
      other !== lane &&
      other.request.url === lane.request.url &&
      other.atMs <= lane.atMs &&
      lane.atMs < endOf(other) &&
      endOf(other) <= endOf(lane),
  )
  return behind ? 'held' : 'accepted'
}

const percentOf = (share: number): string => `${Math.min(100, Math.max(0, share)).toFixed(2)}%`

function label(lane: Timed, lanes: readonly Timed[]): string {
  const { actor, request, response, error } = lane
  const path = request.url.split(/[?#]/)[0]?.split('/').at(-1) ?? ''
  const end =
    response === undefined
      ? `no answer: ${error ?? 'none came'}`
      : `${lookOf(lane, lanes).replace('-', ' ')}, HTTP ${response.status} after ${durationOf(response.durationMs)}`
  return bounded(`${actor === undefined ? '' : `${actor}: `}${path}, ${end}`, longestLabel)
}

const chartHeight = 28
const leastHeight = 1.5

/** Columns of stacked counts, each at its place, and the largest sum. The table beside the chart has the numbers. */
export function columnChart(
  columns: readonly (readonly number[])[],
  kinds: readonly string[],
  places: number,
  most: number,
): Markup {
  const bars = columns.flatMap((counts, at) => {
    let top = chartHeight
    return kinds.flatMap((kind, index) => {
      const share = (counts[index] ?? 0) / most
      if (share === 0) return []
      const height = Math.max(share * chartHeight, leastHeight)
      top -= height
      return [
        html`<rect class="${kind}" x="${((at / places) * 100).toFixed(2)}%" y="${Math.max(0, top).toFixed(1)}" width="${(90 / places).toFixed(2)}%" height="${height.toFixed(1)}"/>`,
      ]
    })
  })
  return html`<svg width="100%" height="${chartHeight}" aria-hidden="true" focusable="false">${bars}</svg>`
}

/** The shares of the outcomes. The counts are below. */
export function bar(totals: Results['totals']): Markup {
  const sum = outcomes.reduce((all, outcome) => all + totals[outcome], 0)
  let from = 0
  const parts = outcomes.map((outcome) => {
    const width = sum === 0 ? 0 : (totals[outcome] / sum) * 100
    const start = from
    from += width
    return width === 0
      ? undefined
      : html`<rect class="${outcome}" x="${start.toFixed(3)}%" width="${width.toFixed(3)}%" height="10"/>`
  })
  return html`<svg class="bar" width="100%" height="10" aria-hidden="true" focusable="false">${parts}</svg>`
}
