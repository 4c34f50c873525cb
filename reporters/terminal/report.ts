/** The report of a run as text for a terminal or a log: findings, what was not judged and why, and the verdict last. */
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
import { byOperation, operations } from '../report/requirements.ts'
import type { Results } from '../results.ts'
import { onTerminal } from './paint.ts'
import type { Page } from './sheet.ts'

interface ReportPage extends Page {
  /** All requirements with their outcomes and all observations, instead of counts. */
  readonly verbose?: boolean
}

const extent: CardExtent = {
  cards: 500,
  inFull: 30,
  withExchanges: ['failed'],
  othersInFull: 0,
  also: 6,
  earlier: 0,
  cases: false,
}

/** The whole report, ending in a line end. */
export function terminalReport(results: Results, { verbose = false, ...page }: ReportPage): string {
  return onTerminal(nodes(results, verbose), page)
}

function* nodes(results: Results, verbose: boolean): Generator<Node> {
  const outline = outlineOf(results)
  yield {
    kind: 'section',
    title: `portal-conformance ${results.suite.version}`,
    blocks: [facts(results, outline)],
  }
  yield* verbose ? byOperation(results.requirements) : operations(results)
  if (verbose) yield* observed(outline)
  yield* recordedTraffic(results)
  yield* findings(outline.cards, extent)
  yield* reasons(outline, 'inconclusive', 'not-tested', 'not-applicable', 'passed')
  yield* errors(outline)
  yield* additions(outline.additions)
  yield counts(results, outline, !verbose)
  yield* notices(outline)
  yield verdict(outline)
}
