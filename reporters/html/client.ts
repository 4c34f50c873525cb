/** Recorded traffic on the page: what was found about clients, which no requirement speaks of. */
import type { ClientFinding } from '../../suites/traffic/traffic-report.ts'
import type { Results } from '../results.ts'
import { countOf, html, type Markup } from './markup.ts'

/** Nothing where the results are of a run. */
export function* clientSection({ run: { traffic } }: Results): Generator<Markup> {
  if (traffic === undefined) return
  const left = traffic.leftOut.map(({ reason, count }) => html`<li>left out, ${count}: ${reason}</li>\n`)
  const bases = traffic.baseUrls.map(
    ({ url, exchanges }) => html`<li>${countOf(exchanges, 'exchange')} under <code>${url}</code></li>\n`,
  )
  yield html`<div class="notice"><p><strong>Recorded traffic.</strong> Nothing was sent: ${countOf(traffic.recordings, 'recording')} with ${countOf(traffic.exchanges, 'exchange')} of the operations.</p>
<ul>${bases}${left}</ul></div>
`
  if (traffic.client.length === 0) return
  yield html`<section aria-labelledby="client"><h2 id="client">Client</h2>
<p>Requests that no conforming server needs to accept.</p>
<ul>`
  for (const finding of traffic.client) yield item(finding)
  yield html`</ul></section>\n`
}

function item({ id, level, operation, message, expected, actual, count, places }: ClientFinding): Markup {
  return html`<li><strong>${level}</strong> <code>${id}</code>, ${operation}, in ${countOf(count, 'exchange')}: ${message}. Expected: ${expected}. Sent: ${actual}. Where: ${places.join('; ')}</li>\n`
}
