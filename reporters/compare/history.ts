/** The runs on each target over time: what broke when, what was mended, which open points changed, how fast it was. */
import { isGating } from '../../specs/outcomes.ts'
import { byKey } from '../alike.ts'
import { boundWithin } from '../html/charts.ts'
import { constant, html, type Markup, pageEnd, pageStart } from '../html/markup.ts'
import { headOf } from '../outline.ts'
import { type Results, startOf } from '../results.ts'
import type { ResultsOfFile } from '../results-json.ts'
import { code, prose } from '../safe-text.ts'
import { formatOf, type Page, Sheet } from '../terminal/sheet.ts'
import { verdictWords } from '../verdict.ts'
import { countOf, durationOf, names, verdictLooks } from '../wording.ts'
import { compareResults } from './compare.ts'
import { comparisonHead, table } from './html.ts'

interface TargetHistory {
  readonly baseUrl: string
  /** The oldest first; at least one. */
  readonly runs: readonly PastRun[]
}

interface PastRun {
  readonly file: string
  readonly startedAt: string
  readonly verdict: Results['verdict']
  /** With the operations that it covers, where these are not all. */
  readonly words: string
  readonly sign: string
  /** Must and implied requirements that passed, and those that apply. */
  readonly passed: number
  readonly applicable: number
  /** Within which time half of the answers came, in milliseconds; absent where the results do not tell. */
  readonly halfMs?: number
  /** Since the run before: requirements that passed then and failed now, and the reverse. */
  readonly broken: readonly string[]
  readonly fixed: readonly string[]
  /** Questions that the target answers in another way than in the run before. */
  readonly openPoints: readonly string[]
}

/** The targets in the order of their names; of each the runs by time. */
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
    sign: headOf(results).sign,
    passed: gating.filter(({ outcome }) => outcome === 'passed').length,
    applicable: gating.length,
    ...(halfMs === undefined ? {} : { halfMs }),
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

const heads = [
  'run',
  'verdict',
  'passed',
  'half of the answers within',
  'broke',
  'mended',
  'open points that changed',
]

const shareOf = ({ passed, applicable }: PastRun): string => `${passed} of ${applicable}`
const speedOf = ({ halfMs }: PastRun): string => (halfMs === undefined ? '' : durationOf(halfMs))

/** For a terminal: the latest run of each target, and when what broke. */
export function historyOnTerminal(histories: readonly TargetHistory[], page: Page): string {
  const sheet = new Sheet(page)
  for (const { baseUrl, runs } of histories) {
    sheet.heading(`${baseUrl}: ${countOf(runs.length, 'run')}`)
    for (const run of runs) {
      const label = { text: `${run.sign} ${run.startedAt}`, format: formatOf(verdictLooks[run.verdict]) }
      const changes = [
        ...(run.broken.length === 0 ? [] : [`broke: ${names(run.broken)}`]),
        ...(run.fixed.length === 0 ? [] : [`mended: ${names(run.fixed)}`]),
        ...(run.openPoints.length === 0 ? [] : [`${countOf(run.openPoints.length, 'open point')} changed`]),
      ]
      const speed = speedOf(run) === '' ? [] : [`half of the answers within ${speedOf(run)}`]
      const part = run.words === run.verdict ? [] : [run.words]
      sheet.labelled(2, label, [...part, `${shareOf(run)} passed`, ...speed, ...changes].join('; '))
    }
  }
  return sheet.toString()
}

export function* historyMarkdown(histories: readonly TargetHistory[]): Generator<string> {
  yield '# History\n'
  for (const { baseUrl, runs } of histories) {
    yield `\n## ${code(baseUrl)}\n\n| ${heads.join(' | ')} |\n| ${heads.map(() => '---').join(' | ')} |\n`
    for (const run of runs) {
      const cells = [
        prose(run.startedAt),
        `${run.sign} ${run.words}`,
        shareOf(run),
        speedOf(run),
        names(run.broken, code),
        names(run.fixed, code),
        run.openPoints.map(prose).join('<br>'),
      ]
      yield `| ${cells.join(' | ')} |\n`
    }
  }
}

export function* historyHtml(histories: readonly TargetHistory[]): Generator<string> {
  for (const piece of page(histories)) yield piece.toString()
}

function* page(histories: readonly TargetHistory[]): Generator<Markup> {
  yield pageStart('History', 'To the runs')
  yield comparisonHead(`History of ${countOf(histories.length, 'target')}`)
  for (const { baseUrl, runs } of histories) {
    const latest = runs.at(-1) as PastRun
    // Of many targets only those that are not conformant now stand in the open.
    const open = histories.length === 1 || latest.verdict !== 'conformant'
    yield html`<details ${constant(open ? 'open' : '')}><summary><span class="o ${verdictLooks[latest.verdict]}">${latest.sign} ${latest.words}</span> ${baseUrl} <small>${countOf(runs.length, 'run')}</small></summary>
${rates(runs)}`
    yield* table(`Runs on ${baseUrl}`, heads, runs.map(row))
    yield html`</details>
`
  }
  yield html`</main>\n`
  yield pageEnd(
    'Written by portal-conformance. Everything that was measured stands in the results of each run.',
  )
}

function row(run: PastRun): Markup {
  return html`<tr><th scope="row"><time datetime="${run.startedAt}">${run.startedAt}</time></th><td class="heat ${verdictLooks[run.verdict]}">${run.sign} ${run.words}</td><td>${shareOf(run)}</td><td>${speedOf(run)}</td><td>${names(run.broken)}</td><td>${names(run.fixed)}</td><td>${run.openPoints.join(' ')}</td></tr>
`
}

const height = 40

/** What passed, run by run; the table below it says the same in numbers. */
function rates(runs: readonly PastRun[]): Markup | undefined {
  if (runs.length < 2) return undefined
  const width = 100 / runs.length
  return html`<svg class="rates" width="100%" height="${height}" aria-hidden="true" focusable="false">${runs.map(
    ({ passed, applicable, verdict }, at) => {
      const tall = applicable === 0 ? 0 : (passed / applicable) * height
      return html`<rect class="${verdictLooks[verdict]}" x="${(at * width).toFixed(2)}%" y="${(height - tall).toFixed(1)}" width="${(width * 0.85).toFixed(2)}%" height="${tall.toFixed(1)}"/>`
    },
  )}</svg>`
}
