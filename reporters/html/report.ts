/** The report of a run as one HTML page for people. It stands alone: nothing is fetched, and only our own script runs. */
import type { Results } from '../results.ts'
import { clientSection } from './client.ts'
import { findingsOverview } from './findings-overview.ts'
import { pageHead, pageTitle } from './head.ts'
import { html, type Markup } from './markup.ts'
import { matrix } from './matrix.ts'
import { notices } from './notices.ts'
import { observationList } from './observations.ts'
import { pageEnd, pageStart } from './page.ts'
import { requirementList } from './requirements.ts'
import { roleMatrix } from './roles.ts'
import { unresolved } from './unresolved.ts'

/** The page, piece by piece: it is never whole in memory. */
export function* htmlReport(results: Results): Generator<string> {
  for (const piece of pieces(results)) yield piece.toString()
}

function* pieces(results: Results): Generator<Markup> {
  const { requirements } = results
  yield pageStart(pageTitle(results))
  yield pageHead(results)
  yield contents
  yield html`<main>\n`
  yield* notices(results)
  yield* clientSection(results)
  yield findingsOverview(requirements)
  yield matrix(requirements)
  yield roleMatrix(results.roles)
  yield* requirementList(requirements)
  yield unresolved(results)
  yield observationList(results.observations)
  yield html`</main>\n`
  yield pageEnd(results.suite.version)
}

const contents = html`<nav aria-label="On this page"><a href="#matrix">Matrix</a> <a href="#roles">Roles</a> <a href="#requirements">Requirements</a> <a href="#untested">Not tested</a> <a href="#observed">Open points</a></nav>
`
