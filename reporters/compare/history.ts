/** The runs on each target over time: what broke, what was fixed, which open points changed, and how fast it was. */
import { isGating } from '../../specs/outcomes.ts'
import { byKey } from '../grouping.ts'
import { trendLines } from '../html/charts.ts'
import { html, type Markup, page } from '../html/markup.ts'
import { inHtml } from '../html/paint.ts'
import { inMarkdown } from '../markdown/paint.ts'
import { type Cell, codeOf, type Inline, looking, type Node, namesOf, type Section } from '../nodes.ts'
import { boundWithin } from '../report/tables.ts'
import { type Results, startOf } from '../results.ts'
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
  readonly file: string
  readonly startedAt: string
  readonly verdict: Results['verdict']
  /** With the operations that it covers, if it does not cover all. */
  readonly words: string
  /** The numbers of must and implied requirements that passed and that apply. */
  readonly passed: number
  readonly applicable: number
  /** The median latency in ms. Absent: unknown. */
  readonly halfMs?: number
  /** The median latency of each operation in ms, by its title. */
  readonly halfMsOf: ReadonlyMap<string, number>
  /** Requirements that passed in the previous run and fail now, and the reverse. */
  readonly broken: readonly string[]
  readonly fixed: readonly string[]
  /** Questions that the target answers differently than in the previous run. */
  readonly openPoints: readonly string[]
}

/** The targets by name, each with its runs by time. */
export function historyOf(inputs: readonly ResultsOfFile[]): TargetHistory[] {
  const targets = [...byKey(inputs, ({ results }) => results.target.baseUrl)]
  return targets
    .sort(([one], [other]) => one.localeCompare(other, 'en', { numeric: true }))
    .map(([baseUrl, several]) => {
      const runs = several.toSorted((one, other) => startOf(one.results.run) - startOf(other.results.run))
      return { baseUrl, runs: runs.map((run, at) => pastRun(run, runs[at - 1])) }
    })
}

function pastRun({ file, results }: ResultsOfFile, before: ResultsOfFile | undefined): PastRun {
  const gating = results.requirements.filter(
    ({ level, outcome }) => isGating(level) && outcome !== 'not-applicable',
  )
  const changed = before === undefined ? undefined : compareResults([before, { file, results }])
  const went = (change: string): string[] =>
    (changed?.requirements ?? []).filter(({ changes }) => changes[0] === change).map(({ id }) => id)
  const halfMs = halfWithin(results.exchanges)
  return {
    file,
    startedAt: results.run.startedAt,
    verdict: results.verdict,
    words: verdictWords(results),
    passed: gating.filter(({ outcome }) => outcome === 'passed').length,
    applicable: gating.length,
    ...(halfMs === undefined ? {} : { halfMs }),
    halfMsOf: halvesOf(results.exchanges),
    broken: went('broken'),
    fixed: went('fixed'),
    openPoints: [
      ...new Set(
        (changed?.openPoints ?? [])
          .filter(({ difference }) => difference === 'different')
          .map(({ question }) => question),
      ),
    ],
  }
}

function halfWithin(exchanges: Results['exchanges']): number | undefined {
  if (exchanges === undefined) return undefined
  const { boundsMs, operations } = exchanges
  const counts = [...boundsMs, Number.POSITIVE_INFINITY].map((_, at) =>
    operations.reduce((sum, { times }) => sum + (times[at] ?? 0), 0),
  )
  return boundWithin(counts, boundsMs, 0.5)
}

function halvesOf(exchanges: Results['exchanges']): Map<string, number> {
  const { boundsMs = [], operations = [] } = exchanges ?? {}
  return new Map(
    operations.flatMap(({ operation, times }): [string, number][] => {
      const ms = boundWithin(times, boundsMs, 0.5)
      return ms === undefined ? [] : [[titleOf(operation), ms]]
    }),
  )
}

const heads = ['run', 'verdict', 'passed', 'median', 'since the run before']

const shareOf = ({ passed, applicable }: PastRun): string => `${passed} of ${applicable}`
const speedOf = ({ halfMs }: PastRun): string => (halfMs === undefined ? '' : durationOf(halfMs))

/** The history for a terminal. */
export function historyOnTerminal(histories: readonly TargetHistory[], screen: Page): string {
  return onTerminal(histories.map(targetPart), screen)
}

export function* historyMarkdown(histories: readonly TargetHistory[]): Generator<string> {
  yield '# History\n'
  yield* inMarkdown(histories.map(targetPart))
}

/** The history as a page. Of many targets, those that are conformant now are folded. */
export function* historyHtml(histories: readonly TargetHistory[]): Generator<string> {
  const isOpen = ({ runs }: TargetHistory): boolean =>
    histories.length === 1 || runs.at(-1)?.verdict !== 'conformant'
  const nodes = histories.map((history): Node => {
    const part = targetPart(history)
    const { words, verdict } = history.runs.at(-1) as PastRun
    const summary = [outcomeSign(verdict, words), ` ${history.baseUrl} `, looking('quiet', part.aside ?? '')]
    return { kind: 'fold', summary, open: isOpen(history), blocks: part.blocks }
  })
  const title = `History of ${countOf(histories.length, 'target')}`
  const foot = 'Written by portal-conformance. The results of each run hold everything that was measured.'
  yield* page({ title: 'History', heading: title, content: inHtml(nodes), foot })
}

const outcomeSign = (verdict: PastRun['verdict'], words: string): Inline =>
  looking(verdictLooks[verdict], `${outcomeWords[verdictLooks[verdict]].sign} ${words}`)

function targetPart({ baseUrl, runs }: TargetHistory): Section {
  const label = `Runs on ${baseUrl}`
  return {
    kind: 'section',
    title: codeOf(baseUrl),
    aside: countOf(runs.length, 'run'),
    of: 'runs',
    blocks: [
      { kind: 'picture', draw: () => trends(runs) },
      { kind: 'table', label, heads, rows: runs.map(rowOf), tinted: true },
    ],
  }
}

function rowOf(run: PastRun): (Inline | Cell)[] {
  const { startedAt, verdict, words, broken, fixed, openPoints } = run
  const lines: Inline[] = [
    ...(broken.length === 0 ? [] : [['broke: ', namesOf(broken.map(codeOf))]]),
    ...(fixed.length === 0 ? [] : [['fixed: ', namesOf(fixed.map(codeOf))]]),
    ...openPoints.map((question) => `open point changed: ${question}`),
  ]
  return [
    startedAt,
    { text: outcomeSign(verdict, words), look: verdictLooks[verdict] },
    shareOf(run),
    speedOf(run),
    { kind: 'lines', lines },
  ]
}

/** Pass rate and latency by run. The table below has the numbers. */
function trends(runs: readonly PastRun[]): Markup {
  if (runs.length < 2) return html``
  const marks = runs.map(({ broken, fixed }) =>
    broken.length > 0 ? 'failed' : fixed.length > 0 ? 'passed' : undefined,
  )
  const titles = [...new Set(runs.flatMap(({ halfMsOf }) => [...halfMsOf.keys()]))]
  return trendLines([
    {
      name: 'passed',
      values: runs.map(({ passed, applicable }) => (applicable === 0 ? undefined : passed / applicable)),
      words: shareOf(runs.at(-1) as PastRun),
      most: 1,
      marks,
    },
    ...titles.map((name) => {
      const values = runs.map(({ halfMsOf }) => halfMsOf.get(name))
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
