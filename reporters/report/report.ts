/** The report of a run for people: which parts it has on a terminal, in Markdown and on a page, and in which order. */
import { findingsByCause } from '../cards.ts'
import { html, type Markup, page } from '../html/markup.ts'
import { inHtml } from '../html/paint.ts'
import { inMarkdown, stepSummaryLimit } from '../markdown/paint.ts'
import { type Node, sectionOf } from '../nodes.ts'
import type { Results } from '../results.ts'
import { prose } from '../safe-text.ts'
import { onTerminal } from '../terminal/paint.ts'
import type { Page } from '../terminal/sheet.ts'
import { verdictInWords, verdictWords } from '../verdict.ts'
import { outcomeWords, verdictLooks } from '../wording.ts'
import { cardAnchors, findings, overview } from './findings.ts'
import {
  additionsAfter,
  allReasons,
  counts,
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
}

/** The report as text for a terminal or a log, with the verdict last. Ends in a line end. */
export function terminalReport(results: Results, { verbose = false, ...screen }: ReportPage): string {
  return onTerminal(terminalNodes(results, verbose), screen)
}

function* terminalNodes(results: Results, verbose: boolean): Generator<Node> {
  const cards = findingsByCause(results)
  yield sectionOf(`portal-conformance ${results.suite.version}`, [facts(results)])
  yield* verbose ? byOperation(results.requirements) : operations(results)
  if (verbose) yield* observed(results)
  yield* recordedTraffic(results)
  yield* findings(cards, 'text')
  yield* reasons(results, cards, allReasons)
  yield* errors(results)
  yield* additionsAfter(results)
  yield counts(results, !verbose)
  yield* notices(results)
  yield verdict(results)
}

export { stepSummaryLimit }

/** The head of a summary needs this much space. With less, no report is worth writing. */
export const leastBytes = 16 * 1024

/** The report in Markdown for the summary of a CI step, in pieces: short, failures first, at most this many bytes. */
export function* markdownReport(results: Results, mostBytes = stepSummaryLimit): Generator<string> {
  const { sign } = outcomeWords[verdictLooks[results.verdict]]
  yield `# ${sign} portal-conformance ${prose(results.suite.version)}: ${verdictWords(results)}\n\n`
  yield* inMarkdown(markdownNodes(results), mostBytes)
}

function* markdownNodes(results: Results): Generator<Node> {
  const cards = findingsByCause(results)
  yield* head(results)
  yield* findings(cards, 'text', 'failed')
  yield* recordedTraffic(results)
  yield* reasons(results, cards, ['inconclusive'])
  yield* findings(cards, 'text', 'waived', 'warned')
  yield* reasons(results, cards, ['not-tested'])
  yield* additionsAfter(results)
  yield* reasons(results, cards, ['not-applicable', 'passed'])
  yield* observed(results)
}

function* head(results: Results): Generator<Node> {
  yield verdict(results)
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
    ...findings(cards, 'page'),
    ...recordedTraffic(results),
    ...reasons(results, cards, allReasons),
    ...additionsAfter(results),
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
