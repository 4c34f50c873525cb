/** The results as Markdown, for the summary of a CI step: short, failures first, within the limit of GitHub. */
import type { Node } from '../nodes.ts'
import { outlineOf } from '../outline.ts'
import { type CardExtent, findings } from '../report/findings.ts'
import {
  additions,
  counts,
  errors,
  facts,
  notices,
  observed,
  reasons,
  recordedTraffic,
  verdict,
} from '../report/parts.ts'
import type { Results } from '../results.ts'
import { prose } from '../safe-text.ts'
import { verdictWords } from '../verdict.ts'
import { inMarkdown, stepSummaryLimit } from './paint.ts'

export { stepSummaryLimit }

/** The head of a document needs this much space. With less, no report is worth writing. */
export const leastBytes = 16 * 1024

const extent: CardExtent = {
  cards: Number.POSITIVE_INFINITY,
  inFull: Number.POSITIVE_INFINITY,
  withExchanges: ['failed'],
  othersInFull: 0,
  also: Number.POSITIVE_INFINITY,
  earlier: 0,
  cases: true,
}

/** The document in pieces, at most this many bytes in all. */
export function* markdownReport(results: Results, mostBytes = stepSummaryLimit): Generator<string> {
  const outline = outlineOf(results)
  yield `# ${outline.head.sign} portal-conformance ${prose(results.suite.version)}: ${verdictWords(results)}\n\n`
  yield* inMarkdown(nodes(results, outline), mostBytes)
}

function* nodes(results: Results, outline: ReturnType<typeof outlineOf>): Generator<Node> {
  const { cards } = outline
  yield verdict(outline)
  yield* notices(outline)
  yield facts(results, outline)
  yield counts(results, outline, false)
  yield* errors(outline)
  yield* findings(cards, extent, 'failed')
  yield* recordedTraffic(results)
  yield* reasons(outline, 'inconclusive')
  yield* findings(cards, extent, 'waived', 'warned')
  yield* reasons(outline, 'not-tested')
  yield* additions(outline.additions)
  yield* reasons(outline, 'not-applicable', 'passed')
  yield* observed(outline)
}
