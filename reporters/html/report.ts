/** The report of a run as one HTML page for people. It stands alone: nothing is fetched, and only our own script runs. */
import { outlineOf } from '../outline.ts'
import type { Results } from '../results.ts'
import { runCharts } from './charts.ts'
import { findingsOverview, observationList, unresolved } from './found.ts'
import { notices, pageHead, pageTitle } from './head.ts'
import { html, type Markup } from './markup.ts'
import { pageEnd, pageStart } from './page.ts'
import { matrix, roleMatrix, valueTable } from './pictures.ts'
import { requirementList } from './requirements.ts'

/** The page, piece by piece: it is never whole in memory. */
export function* htmlReport(results: Results): Generator<string> {
  for (const piece of pieces(results)) yield piece.toString()
}

function* pieces(results: Results): Generator<Markup> {
  const { requirements } = results
  const outline = outlineOf(results)
  yield pageStart(pageTitle(results), 'To the requirements')
  yield pageHead(results, outline)
  yield contents(results)
  yield html`<main>\n`
  yield* notices(results, outline)
  yield findingsOverview(outline)
  yield matrix(requirements)
  yield roleMatrix(results)
  const values = valueTable(results)
  if (values !== undefined) yield values
  yield* runCharts(results)
  yield* requirementList(requirements)
  yield unresolved(outline)
  yield observationList(outline)
  yield html`</main>\n`
  yield pageEnd(
    `Written by portal-conformance ${results.suite.version}. Everything that was measured, with every exchange kept as evidence, stands in results.json. Secrets are hidden in both.`,
  )
}

function contents({ exchanges }: Results): Markup {
  const drawn =
    exchanges === undefined
      ? undefined
      : html`<a href="#values">What was sent</a> <a href="#run-time">Time</a> <a href="#latency">Latency</a> `
  return html`<nav aria-label="On this page"><a href="#matrix">Coverage</a> <a href="#roles">Roles</a> ${drawn}<a href="#requirements">Requirements</a> <a href="#untested">Not tested</a> <a href="#observed">Open points</a></nav>
`
}
