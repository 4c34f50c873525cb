/** The runs on each target over time: what broke, what was fixed, which open points changed, and how fast it was. */
import type { Change } from '../../schemas/types/comparison.ts'
import { byKey } from '../../schemas/values.ts'
import { isGating, type Outcome } from '../../specs/outcomes.ts'
import { html, type Markup, page } from '../html/markup.ts'
import { inHtml } from '../html/paint.ts'
import { inMarkdown } from '../markdown/paint.ts'
import { type Cell, codeOf, type Inline, type Node, namesOf, type Section, sectionOf } from '../nodes.ts'
import { boundWithin } from '../report/tables.ts'
import type { Results } from '../results.ts'
import type { ResultsOfFile } from '../results-json.ts'
import { onTerminal } from '../terminal/paint.ts'
import type { Page } from '../terminal/sheet.ts'
import { verdictWords } from '../verdict.ts'
import { countOf, durationOf, outcomeWords, titleOf, verdictLooks } from '../wording.ts'
import { compareResults } from './compare.ts'

interface TargetHistory {
  readonly baseUrl: string
  /** The oldest first. At least one. */
  readonly runs: readonly PastRun[]
}

interface PastRun {
  readonly results: Results
  /** Requirements that passed in the previous run and fail now, and the reverse. */
  readonly broken: readonly string[]
  readonly fixed: readonly string[]
  /** Requirements that passed in the previous run and were not judged now, and the reverse. */
  readonly lost: readonly string[]
  readonly regained: readonly string[]
  /** Questions that the target answers differently than in the previous run. */
  readonly openPoints: readonly string[]
}

/** The targets by name, each with its runs by time. */
export function historyOf(inputs: readonly ResultsOfFile[]): TargetHistory[] {
  const targets = [...byKey(inputs, ({ results }) => results.target.baseUrl)]
  return targets
    .sort(([one], [other]) => one.localeCompare(other, 'en', { numeric: true }))
    .map(([baseUrl, several]) => {
      const runs = several.toSorted((one, other) => startOf(one) - startOf(other))
      return { baseUrl, runs: runs.map((run, at) => pastRun(run, runs[at - 1])) }
    })
}

const startOf = ({ results }: ResultsOfFile): number => Date.parse(results.run.startedAt)

function pastRun(run: ResultsOfFile, before: ResultsOfFile | undefined): PastRun {
  const { requirements = [], openPoints = [] } = before === undefined ? {} : compareResults([before, run])
  const went = (change: Change): string[] =>
    requirements.filter(({ changes }) => changes[0] === change).map(({ id }) => id)
  const differing = openPoints.filter(({ difference }) => difference === 'different')
  return {
    results: run.results,
    broken: went('broken'),
    fixed: went('fixed'),
    lost: went('lost'),
    regained: requirements
      .filter(({ changes, outcomes }) => changes[0] === 'changed' && outcomes[1] === 'passed')
      .map(({ id }) => id),
    openPoints: [...new Set(differing.map(({ question }) => question))],
  }
}

/** The must and implied requirements that apply, and how many of them passed. */
function sharesOf({ requirements }: Results): { readonly passed: number; readonly of: number } {
  const gating = requirements.filter(({ level, outcome }) => isGating(level) && outcome !== 'not-applicable')
  return { passed: gating.filter(({ outcome }) => outcome === 'passed').length, of: gating.length }
}

/** As in `98 of 101`. */
function shareWords(results: Results): string {
  const { passed, of } = sharesOf(results)
  return `${passed} of ${of}`
}

/** The median latency of each operation in ms, by its title. */
function mediansOf({ exchanges }: Results): Map<string, number> {
  const { boundsMs = [], operations = [] } = exchanges ?? {}
  return new Map(
    operations.flatMap(({ operation, times }): [string, number][] => {
      const ms = boundWithin(times, boundsMs, 0.5)
      return ms === undefined ? [] : [[titleOf(operation), ms]]
    }),
  )
}

/** The median latency of all answers. Empty: unknown. */
function medianWords({ exchanges }: Results): string {
  const { boundsMs = [], operations = [] } = exchanges ?? {}
  const counts = [...boundsMs, Number.POSITIVE_INFINITY].map((_, at) =>
    operations.reduce((sum, { times }) => sum + (times[at] ?? 0), 0),
  )
  const ms = boundWithin(counts, boundsMs, 0.5)
  return ms === undefined ? '' : durationOf(ms)
}

const heads = ['run', 'verdict', 'passed', 'median', 'since the run before']

/** The history for a terminal. */
export function historyOnTerminal(histories: readonly TargetHistory[], screen: Page): string {
  return onTerminal(histories.map(targetPart), screen)
}

export function* historyMarkdown(histories: readonly TargetHistory[]): Generator<string> {
  yield '# History\n'
  yield* inMarkdown(histories.map(targetPart))
}

/** The history as a page. */
export function* historyHtml(histories: readonly TargetHistory[]): Generator<string> {
  const heading = `History of ${countOf(histories.length, 'target')}`
  const foot = 'Written by portal-conformance. The results of each run hold everything that was measured.'
  yield* page({ title: 'History', heading, content: inHtml(histories.map(targetPart)), foot })
}

function targetPart({ baseUrl, runs }: TargetHistory): Section {
  const lines: Node = { kind: 'picture', draw: () => trends(runs) }
  const table: Node = { kind: 'table', label: `Runs on ${baseUrl}`, heads, rows: runs.map(rowOf) }
  return sectionOf(codeOf(baseUrl), [lines, table], { aside: countOf(runs.length, 'run'), of: 'runs' })
}

function rowOf({ results, broken, fixed, lost, regained, openPoints }: PastRun): (Inline | Cell)[] {
  const look = verdictLooks[results.verdict]
  const lines: Inline[] = [
    ...Object.entries({ broke: broken, fixed, 'no longer judged': lost, 'judged again': regained }).flatMap(
      ([what, ids]): Inline[] => (ids.length === 0 ? [] : [[`${what}: `, namesOf(ids.map(codeOf))]]),
    ),
    ...openPoints.map((question) => `open point changed: ${question}`),
  ]
  return [
    results.run.startedAt,
    { text: `${outcomeWords[look].sign} ${verdictWords(results)}`, look },
    shareWords(results),
    medianWords(results),
    { kind: 'lines', lines },
  ]
}

/** Pass rate and latency by run. The table below has the numbers. */
function trends(runs: readonly PastRun[]): Markup {
  if (runs.length < 2) return html``
  const marks = runs.map(({ broken, fixed }) =>
    broken.length > 0 ? 'failed' : fixed.length > 0 ? 'passed' : undefined,
  )
  const shares = runs.map(({ results }) => sharesOf(results))
  const medians = runs.map(({ results }) => mediansOf(results))
  const titles = [...new Set(medians.flatMap((each) => [...each.keys()]))]
  return trendLines([
    {
      name: 'passed',
      values: shares.map(({ passed, of }) => (of === 0 ? undefined : passed / of)),
      words: shareWords((runs.at(-1) as PastRun).results),
      most: 1,
      marks,
    },
    ...titles.map((name) => {
      const values = medians.map((each) => each.get(name))
      const last = values.at(-1)
      return {
        name,
        values,
        words: last === undefined ? 'not sent in the last run' : `half within ${durationOf(last)}`,
        marks: values.map((value, at) => (isSlower(value, values[at - 1]) ? ('warned' as const) : undefined)),
      }
    }),
  ])
}

/** A latency that grew by this factor is marked. */
const muchSlower = 2

const isSlower = (now: number | undefined, before: number | undefined): boolean =>
  now !== undefined && before !== undefined && now >= before * muchSlower

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

/** What the marks mean. */
const legend = {
  failed: 'a requirement broke',
  passed: 'requirements were fixed and none broke',
  warned: `half of the answers took at least ${muchSlower} times as long as in the run before`,
}

const [width, height, margin] = [200, 36, 5] as const

function trendLines(trends: readonly Trend[]): Markup {
  return html`<ul class="trends">${trends.map(
    (trend) => html`<li>${line(trend)}<span>${trend.name} <small>${trend.words}</small></span></li>`,
  )}</ul><p><small>Dots: ${Object.entries(legend).map(
    ([look, meaning], at) => html`${at === 0 ? '' : ', '}<span class="o ${look}">●</span> ${meaning}`,
  )}.</small></p>`
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
