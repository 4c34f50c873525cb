/** The top of the page: the verdict, what was judged, how and when, the counts, and what must be known before all that is trusted. */

import type { ClientFinding } from '../../runner/traffic/traffic-report.ts'
import { outcomes } from '../../specs/outcomes.ts'
import { headOf, type Outline } from '../outline.ts'
import type { ReportedCheck, Results } from '../results.ts'
import { countOf, durationOf, outcomeWords, verdictLooks } from '../wording.ts'
import { filterAnchor, html, idLink, type Markup } from './markup.ts'

/** Errors beyond this number are left to results.json. */
const mostErrors = 50

/** The title of the document. */
export function pageTitle(results: Results): string {
  return `${headOf(results).word}: ${results.target.baseUrl}`
}

/** Verdict, facts and counts. */
export function pageHead(results: Results, { head, counts }: Outline): Markup {
  const { sign, word, grounds, verdict } = head
  return html`<header class="top">
<div class="brand"><p>portal-conformance ${results.suite.version} <span>report</span></p>
<button type="button" id="theme" aria-pressed="false">Dark</button></div>
<div class="verdict ${verdictLooks[verdict]}"><i aria-hidden="true">${sign}</i>
<div><h1>${word}</h1><p>${grounds.charAt(0).toUpperCase()}${grounds.slice(1)}</p></div></div>
${facts(results)}
<div class="totals"><h2 id="counts">${counts.title}</h2>
${bar(results.totals)}
<ul class="counts">${outcomes.map((outcome) => countLink(outcome, results.totals[outcome]))}</ul></div>
</header>
`
}

function facts({ target, run }: Results): Markup {
  const share = run.shard === undefined ? '' : `, share ${run.shard.index} of ${run.shard.count}`
  const parts = run.mergedFrom === undefined ? '' : `, put together from ${run.mergedFrom.length} runs`
  const took = durationOf(run.durationMs)
  const sent: [string, string | Markup][] =
    run.traffic === undefined
      ? [
          ['Seed', html`<code>${run.seed}</code>`],
          ['Cases', `${run.runs} of each generated check`],
        ]
      : []
  const rows: [string, string | Markup][] = [
    ['Target', html`<code>${target.baseUrl}</code>`],
    ['Release', target.version ?? 'not configured'],
    ['Edition', target.edition ?? 'not configured'],
    ['Profile', target.profile],
    ...sent,
    ['Began', html`<time datetime="${run.startedAt}">${momentOf(run.startedAt)}</time>`],
    ['Took', run.traffic === undefined ? `${took}, ${run.requests} requests of the checks` : took],
    ['Run', html`<code>${run.id}</code>${share}${parts}`],
  ]
  return html`<dl class="facts">${rows.map(([name, value]) => html`<div><dt>${name}</dt><dd>${value}</dd></div>`)}</dl>`
}

/** ISO 8601 for people; what is none is shown as it is. */
function momentOf(iso: string): string {
  const moment = new Date(iso)
  return Number.isNaN(moment.getTime()) ? iso : `${moment.toISOString().slice(0, 19).replace('T', ' ')} UTC`
}

function countLink(outcome: (typeof outcomes)[number], count: number): Markup {
  const { sign, word } = outcomeWords[outcome]
  return html`<li class="${outcome}${count === 0 ? ' none' : ''}"><a href="#${filterAnchor({ outcome })}" data-outcome="${outcome}" data-count="${count}"><i aria-hidden="true">${sign}</i>
<b>${count}</b> ${word}</a></li>`
}

/** The shares of the outcomes, drawn; the counts below say the same. */
function bar(totals: Results['totals']): Markup {
  const sum = outcomes.reduce((all, outcome) => all + totals[outcome], 0)
  let from = 0
  const parts = outcomes.map((outcome) => {
    const width = sum === 0 ? 0 : (totals[outcome] / sum) * 100
    const start = from
    from += width
    return width === 0
      ? undefined
      : html`<rect class="${outcome}" x="${start.toFixed(3)}%" width="${width.toFixed(3)}%" height="10"/>`
  })
  return html`<svg class="bar" width="100%" height="10" aria-hidden="true" focusable="false">${parts}</svg>`
}

/** The banners, or nothing. */
export function* notices(results: Results, outline: Outline): Generator<Markup> {
  for (const { title, text, grave } of outline.notices) {
    yield html`<p class="notice${grave === true ? ' failed' : ''}"><strong>${title}</strong> ${text}</p>\n`
  }
  const waived = outline.causes.flatMap(({ checks }) => checks.filter(({ waiver }) => waiver !== undefined))
  if (waived.length > 0) yield waivers(waived)
  const { errors } = outline
  if (errors.length > 0) {
    const left = errors.length - mostErrors
    yield html`<section class="notice failed" aria-labelledby="errors"><h2 id="errors">Errors of the run itself</h2>
<ul>${errors.slice(0, mostErrors).map((error) => html`<li>${error}</li>`)}${
      left > 0 ? html`<li>and ${left} more: results.json holds them</li>` : undefined
    }</ul></section>
`
  }
  yield* recordedTraffic(results)
}

function waivers(waived: readonly ReportedCheck[]): Markup {
  return html`<div class="notice"><details><summary><strong>Waived.</strong> ${countOf(waived.length, 'failure')} ${waived.length === 1 ? 'does' : 'do'} not count, by decision of the owner of the deployment.</summary>
<ul>${waived.map((check) => html`<li>${idLink(check.id)}: ${waiverWords(check)}</li>\n`)}</ul></details></div>
`
}

/** Why a failure does not count, who answers for it, and until when. */
export function waiverWords({ waiver }: ReportedCheck): Markup | undefined {
  if (waiver === undefined) return undefined
  const { reason, owner, link, expires } = waiver
  return html`${reason} (${owner}, until ${expires}${link === undefined ? '' : html`, ${outside(link)}`})`
}

/** A link out of the page is one only where it leads to a web page. */
function outside(link: string): Markup {
  return /^https?:\/\/[^\s]+$/i.test(link)
    ? html`<a href="${link}" rel="noopener noreferrer">${link}</a>`
    : html`<code>${link}</code>`
}

/** Where traffic was recorded, and what was found about clients, which no requirement speaks of; nothing of a run. */
function* recordedTraffic({ run: { traffic } }: Results): Generator<Markup> {
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
  for (const finding of traffic.client) yield clientFinding(finding)
  yield html`</ul></section>\n`
}

function clientFinding(finding: ClientFinding): Markup {
  const { id, level, operation, message, expected, actual, count, places } = finding
  return html`<li><strong>${level}</strong> <code>${id}</code>, ${operation}, in ${countOf(count, 'exchange')}: ${message}. Expected: ${expected}. Sent: ${actual}. Where: ${places.join('; ')}</li>\n`
}
