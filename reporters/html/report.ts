/** The report of a run as one self-contained HTML page: it fetches nothing and runs only our own script. */
import type { Node, Section } from '../nodes.ts'
import { outlineOf } from '../outline.ts'
import { coverage, roleTable, values } from '../report/coverage.ts'
import { type CardExtent, cardAnchors, findings, overview } from '../report/findings.ts'
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
import { requirementList } from '../report/requirements.ts'
import { times } from '../report/times.ts'
import type { Results } from '../results.ts'
import { html, page } from './markup.ts'
import { inHtml } from './paint.ts'

const extent: CardExtent = {
  cards: 500,
  inFull: 60,
  withExchanges: ['failed', 'waived', 'warned'],
  othersInFull: 3,
  also: 20,
  earlier: 4,
  cases: true,
}
const mostListed = 40

/** The page in pieces, so that it is never whole in memory. */
export function* htmlReport(results: Results): Generator<string> {
  const outline = outlineOf(results)
  const { version } = results.suite
  const foot = `Written by portal-conformance ${version}. results.json holds everything that was measured, with the exchanges kept as evidence. Both hide secrets.`
  const title = `${outline.head.word}: ${results.target.baseUrl}`
  const heading = `portal-conformance ${version}: report`
  yield* page({ title, heading, content: content(results, outline), foot, skipTo: 'requirements' })
}

function* content(results: Results, outline: ReturnType<typeof outlineOf>) {
  const parts = partsOf(results, outline)
  yield* inHtml(head(results, outline))
  yield html`<nav aria-label="On this page">${parts.map(({ id, title }) => html`<a href="#${id}">${title as string}</a> `)}</nav>\n`
  yield* inHtml(overview(outline.cards, mostListed))
  yield* inHtml(parts)
}

function* head(results: Results, outline: ReturnType<typeof outlineOf>): Generator<Node> {
  yield verdict(outline)
  yield* notices(outline)
  yield facts(results, outline)
  yield counts(results, outline, false)
  yield* errors(outline)
}

/** Each part has a title. The top of the page links to it. */
function partsOf(results: Results, outline: ReturnType<typeof outlineOf>): Section[] {
  const { cards } = outline
  return [
    ...findings(cards, extent),
    ...recordedTraffic(results),
    coverage(results),
    roleTable(results),
    ...values(results),
    ...times(results),
    requirementList(results, cardAnchors(cards), extent),
    ...reasons(outline, 'inconclusive', 'not-tested', 'not-applicable', 'passed'),
    ...additions(outline.additions),
    ...observed(outline),
  ]
}
