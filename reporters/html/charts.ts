/** What is drawn against time: the exchanges of a finding, the whole run, and how long answers took. Each is a table, too. */

import type { AnswerClass, Evidence } from '../../deployment/http/exchange.ts'
import type { ExchangeSummary } from '../../runner/exchange-summary.ts'
import type { Results } from '../results.ts'
import { countOf, durationOf, operationTitle } from '../wording.ts'
import { bounded, html, idLink, listed, type Markup, scrollTable } from './markup.ts'

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
  const limits = limitsOf(lanes)
  // A limit at the very edge would not be seen.
  const ends = [...lanes.map((lane) => endOf(lane) - from), ...limits.map((limit) => (limit - from) * 1.03)]
  const span = Math.max(1, ...ends)
  const height = lanes.length * laneHeight + axisHeight
  const left = timed.length - lanes.length
  return html`<figure class="timeline"><figcaption>${timed.length} requests over ${durationOf(span)}${left > 0 ? `; the first ${mostLanes} are drawn` : ''}${limits.length === 0 ? '' : html`. <b class="limit">Limit</b>: until there a sync runs at least, as the fixture says`}</figcaption>
<div class="scroll" role="group" tabindex="0" aria-label="Timeline"><svg role="img" aria-label="Timeline: ${lanes.map((lane) => `at ${durationOf(lane.atMs - from)} ${label(lane, lanes)}`).join('; ')}${limits.map((limit) => `; limit: a sync runs at least until ${durationOf(limit - from)}`).join('')}" width="100%" height="${height}">
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
  // What was never answered reaches to the end.
  const width = lane.response === undefined ? 100 - start : (lane.response.durationMs / span) * 100
  return html`<text class="lane" x="0" y="${top + 13}">${label(lane, lanes)}</text><rect class="${lookOf(lane, lanes)}" x="${percentOf(start)}" y="${top + 18}" width="${percentOf(Math.max(width, 0.4))}" height="10" rx="2"/>`
}

/** Until when syncs run at least; those that are drawn at one place once. */
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

/** Held is what was accepted, but not answered before an earlier one at the same place was over. */
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

/** When the run sent what, and how long answers took; nothing where the results do not tell. */
export function* runCharts({ exchanges, run }: Results): Generator<Markup> {
  if (exchanges === undefined) return
  yield wholeRun(exchanges, run.durationMs)
  yield latency(exchanges)
}

function wholeRun({ operations, sliceMs }: ExchangeSummary, durationMs: number): Markup {
  const slices = Math.max(1, Math.ceil(durationMs / sliceMs), ...operations.map((each) => each.slices.length))
  const most = Math.max(1, ...operations.flatMap((each) => each.slices.map((counts) => sum(counts))))
  const rows = operations.map(({ operation, slices: counts }) => {
    const [accepted, refused, broken] = [0, 1, 2].map((kind) => sum(counts.map((each) => each[kind] ?? 0)))
    const began = counts.findIndex((each) => sum(each) > 0)
    return html`<tr><th scope="row">${operationTitle(operation)}</th><td class="drawing">${strip(counts, slices, most)}</td><td>${accepted} accepted, ${refused} refused${broken === 0 ? '' : `, ${broken} without an answer`}</td><td>${durationOf(Math.max(0, began) * sliceMs)} to ${durationOf(Math.min(durationMs, counts.length * sliceMs))}</td></tr>
`
  })
  return html`<section aria-labelledby="run-time"><h2 id="run-time">The run in time</h2>
<p class="lead">Requests in each ${durationOf(sliceMs)} of the run, from its beginning to its end at ${durationOf(durationMs)}: <b class="key accepted">accepted</b>, <b class="key refused">refused</b>, <b class="key broken">without an answer</b>.</p>
${scrollTable('run-time', 'chart', ['Operation', 'Over the run', 'Requests', 'From, to'], rows)}</section>
`
}

const sum = (counts: readonly number[]): number => counts.reduce((all, count) => all + count, 0)

const stripHeight = 28

/** A bar for each slice, as high as it has requests; the table beside it says the same in numbers. */
function strip(counts: readonly (readonly number[])[], slices: number, most: number): Markup {
  const bars = counts.flatMap((each, at) => {
    let top = stripHeight
    return ['accepted', 'refused', 'broken'].flatMap((kind, index) => {
      const height = ((each[index] ?? 0) / most) * stripHeight
      if (height === 0) return []
      top -= Math.max(height, 1.5)
      return [
        html`<rect class="${kind}" x="${((at / slices) * 100).toFixed(2)}%" y="${Math.max(0, top).toFixed(1)}" width="${(90 / slices).toFixed(2)}%" height="${Math.max(height, 1.5).toFixed(1)}"/>`,
      ]
    })
  })
  return html`<svg width="100%" height="${stripHeight}" aria-hidden="true" focusable="false">${bars}</svg>`
}

const latencyHeads = [
  'Operation',
  'Distribution',
  'Answers',
  'Half within',
  '95 % within',
  'Slowest, and the check that waited',
]

function latency({ operations, boundsMs }: ExchangeSummary): Markup {
  const most = Math.max(1, ...operations.flatMap(({ times }) => times))
  const rows = operations.map(({ operation, times, slowest }) => {
    const all = sum(times)
    return html`<tr><th scope="row">${operationTitle(operation)}</th><td class="drawing">${histogram(times, most)}</td><td>${countOf(all, 'answer')}</td><td>${within(times, boundsMs, 0.5)}</td><td>${within(times, boundsMs, 0.95)}</td><td>${listed(
      slowest.map(({ durationMs, check }) => html`${durationOf(durationMs)} <small>${idLink(check)}</small>`),
    )}</td></tr>
`
  })
  return html`<section aria-labelledby="latency"><h2 id="latency">How long answers took</h2>
<p class="lead">Each bar is a class of times: up to ${boundsMs.map((bound) => durationOf(bound)).join(', ')}, and longer.</p>
${scrollTable('latency', 'chart', latencyHeads, rows)}</section>
`
}

function histogram(times: readonly number[], most: number): Markup {
  const width = 100 / times.length
  const bars = times.map((count, at) => {
    const height = count === 0 ? 0 : Math.max(1.5, (count / most) * stripHeight)
    return html`<rect class="time" x="${(at * width).toFixed(2)}%" y="${(stripHeight - height).toFixed(1)}" width="${(width * 0.9).toFixed(2)}%" height="${height.toFixed(1)}"/>`
  })
  return html`<svg width="100%" height="${stripHeight}" aria-hidden="true" focusable="false">${bars}</svg>`
}

function within(times: readonly number[], boundsMs: readonly number[], share: number): string {
  if (sum(times) === 0) return 'no answer'
  const bound = boundWithin(times, boundsMs, share)
  return bound === undefined ? `over ${durationOf(boundsMs.at(-1) ?? 0)}` : durationOf(bound)
}

/** The bound in milliseconds within which that share of the answers came; undefined where none of them holds it. */
export function boundWithin(
  times: readonly number[],
  boundsMs: readonly number[],
  share: number,
): number | undefined {
  const enough = Math.max(1, sum(times) * share)
  let seen = 0
  return boundsMs[
    times.findIndex((count) => {
      seen += count
      return seen >= enough
    })
  ]
}
