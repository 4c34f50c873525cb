/** The report of a run for people: which parts it has on a terminal, in Markdown and on a page, and in which order. */
import { type Card, findingsByCause } from '../cards.ts'
import type { Ending } from '../exit-codes.ts'
import { html, type Markup, page } from '../html/markup.ts'
import { inHtml } from '../html/paint.ts'
import { inMarkdown, stepSummaryLimit } from '../markdown/paint.ts'
import { type Node, type Section, sectionOf } from '../nodes.ts'
import type { Results } from '../results.ts'
import { prose } from '../safe-text.ts'
import { onTerminal } from '../terminal/paint.ts'
import type { Page } from '../terminal/sheet.ts'
import { verdictInWords, verdictWords } from '../verdict.ts'
import { outcomeWords, verdictLooks } from '../wording.ts'
import { cardAnchors, findings, overview, type Room } from './findings.ts'
import {
  additionsAfter,
  counts,
  ending,
  errors,
  facts,
  notices,
  observed,
  reasons,
  recordedTraffic,
  verdict,
} from './parts.ts'
import { byOperation, listTitle, operations, requirementList } from './requirements.ts'
import { coverage, latency, roleTable, values } from './tables.ts'

interface ReportPage extends Page {
  /** All requirements with their outcomes and all observations, instead of counts. */
  readonly verbose?: boolean
  readonly ending?: Ending | undefined
}

/** The report as text for a terminal or a log, with the verdict and the exit code last. Ends in a line end. */
export function terminalReport(
  results: Results,
  { verbose = false, ending: end, ...screen }: ReportPage,
): string {
  return onTerminal([...terminalNodes(results, verbose), ...ending(end)], screen)
}

function* terminalNodes(results: Results, verbose: boolean): Generator<Node> {
  yield sectionOf(`portal-conformance ${results.suite.version}`, [facts(results)])
  yield* verbose ? byOperation(results.requirements) : operations(results)
  yield* body(results, findingsByCause(results), 'text')
  if (verbose) yield* observed(results)
  yield* errors(results)
  yield counts(results, !verbose)
  yield* notices(results)
  yield verdict(results)
}

/** What every report has, in this order. */
const body = (results: Results, cards: readonly Card[], room: Room): Section[] => [
  ...findings(cards, room),
  ...recordedTraffic(results),
  ...reasons(results, cards),
  ...additionsAfter(results),
]

export { stepSummaryLimit }

/** The head of a summary needs this much space. With less, no report is worth writing. */
export const leastBytes = 16 * 1024

/** The report in Markdown for the summary of a CI step, in pieces: short, failures first, at most this many bytes. */
export function* markdownReport(
  results: Results,
  end?: Ending,
  mostBytes = stepSummaryLimit,
): Generator<string> {
  const { sign } = outcomeWords[verdictLooks[results.verdict]]
  yield `# ${sign} portal-conformance ${prose(results.suite.version)}: ${verdictWords(results)}\n\n`
  yield* inMarkdown(markdownNodes(results, end), mostBytes)
}

function* markdownNodes(results: Results, end: Ending | undefined): Generator<Node> {
  yield* head(results, end)
  yield* body(results, findingsByCause(results), 'text')
  yield* observed(results)
}

function* head(results: Results, end?: Ending): Generator<Node> {
  yield verdict(results)
  yield* ending(end)
  yield* notices(results)
  yield facts(results)
  yield counts(results, false)
  yield* errors(results)
}

/** The report as one self-contained page, in pieces: it fetches nothing and runs only our own script. */
export function* htmlReport(results: Results): Generator<string> {
  const { version } = results.suite
  const foot = `Written by portal-conformance ${version}. results.json holds everything that was measured, with the exchanges kept as evidence. Both hide secrets.`
  const title = `${verdictInWords(results).word}: ${results.target.baseUrl}`
  const heading = `portal-conformance ${version}: report`
  yield* page({ title, heading, content: pageContent(results), foot, skipTo: 'requirements' })
}

/** Each part has a title. The top of the page links to it. */
function* pageContent(results: Results): Generator<Markup> {
  const cards = findingsByCause(results)
  const parts = [
    ...body(results, cards, 'page'),
    coverage(results),
    ...roleTable(results),
    ...values(results),
    ...latency(results),
    ...observed(results),
  ]
  yield* inHtml(head(results))
  yield html`<nav aria-label="On this page">${[...parts, listTitle].map(({ id, title }) => html`<a href="#${id}">${title as string}</a> `)}</nav>\n`
  yield* inHtml(overview(cards))
  yield* inHtml(parts)
  yield* requirementList(results, cardAnchors(cards))
}
