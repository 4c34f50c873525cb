/** The report of a run as one HTML page for people. It stands alone: nothing is fetched, and only our own script runs. */
import type { ClientFinding } from '../../runner/traffic/traffic-report.ts'
import { type Outcome, outcomes } from '../../specs/outcomes.ts'
import { placesInWords } from '../finding-text.ts'
import { type Outline, outlineOf, type Question, type Reason } from '../outline.ts'
import type { ReportedCheck, Results } from '../results.ts'
import {
  additionsNote,
  additionsTitle,
  capitalised,
  countOf,
  durationOf,
  gainOf,
  outcomeWords,
  verdictLooks,
  wordsFor,
} from '../wording.ts'
import { cardAnchors, cardSection } from './cards.ts'
import { runCharts } from './charts.ts'
import { waiverWords } from './finding.ts'
import {
  bounded,
  filterAnchor,
  html,
  idLink,
  links,
  listed,
  type Markup,
  outcomeBadge,
  pageEnd,
  pageStart,
} from './markup.ts'
import { matrix, requirementList, roleMatrix, valueTable } from './requirements.ts'

/** The page, piece by piece: it is never whole in memory. */
export function* htmlReport(results: Results): Generator<string> {
  for (const piece of pieces(results)) yield piece.toString()
}

function* pieces(results: Results): Generator<Markup> {
  const { requirements } = results
  const outline = outlineOf(results)
  yield pageStart(`${outline.head.word}: ${results.target.baseUrl}`, 'To the requirements')
  yield pageHead(results, outline)
  yield contents(results, outline.cards.length > 0)
  yield html`<main>\n`
  yield* notices(results, outline)
  yield* cardSection(outline.cards)
  yield matrix(requirements)
  yield roleMatrix(results)
  const values = valueTable(results)
  if (values !== undefined) yield values
  yield* runCharts(results)
  yield* requirementList(requirements, cardAnchors(outline.cards))
  yield unresolved(outline)
  yield observationList(outline)
  yield html`</main>\n`
  yield pageEnd(
    `Written by portal-conformance ${results.suite.version}. Everything that was measured, with every exchange kept as evidence, stands in results.json. Secrets are hidden in both.`,
  )
}

function contents({ exchanges }: Results, found: boolean): Markup {
  const drawn =
    exchanges === undefined
      ? undefined
      : html`<a href="#values">What was sent</a> <a href="#run-time">Time</a> <a href="#latency">Latency</a> `
  return html`<nav aria-label="On this page">${found ? html`<a href="#found">Findings</a> ` : undefined}<a href="#matrix">Coverage</a> <a href="#roles">Roles</a> ${drawn}<a href="#requirements">Requirements</a> <a href="#untested">Not tested</a> <a href="#observed">Open points</a></nav>
`
}

/** Errors beyond this number are left to results.json. */
const mostErrors = 50

function pageHead(results: Results, { head, counts }: Outline): Markup {
  const { sign, word, grounds, verdict } = head
  return html`<header class="top">
<div class="brand"><p>portal-conformance ${results.suite.version} <span>report</span></p>
<button type="button" id="theme" aria-pressed="false">Dark</button></div>
<div class="verdict ${verdictLooks[verdict]}"><i aria-hidden="true">${sign}</i>
<div><h1>${word}</h1><p>${capitalised(grounds)}</p></div></div>
${facts(results)}
<div class="totals"><h2 id="counts">${counts.title}</h2>
${bar(results.totals)}
<ul class="counts">${outcomes.map((outcome) => countLink(outcome, results.totals[outcome]))}</ul></div>
</header>
`
}

function facts({ target, run }: Results): Markup {
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
    ['Run', html`<code>${run.id}</code>`],
  ]
  return html`<dl class="facts">${rows.map(([name, value]) => html`<div><dt>${name}</dt><dd>${value}</dd></div>`)}</dl>`
}

/** ISO 8601 for people; what is none is shown as it is. */
function momentOf(iso: string): string {
  const moment = new Date(iso)
  return Number.isNaN(moment.getTime()) ? iso : `${moment.toISOString().slice(0, 19).replace('T', ' ')} UTC`
}

function countLink(outcome: Outcome, count: number): Markup {
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

function* notices(results: Results, outline: Outline): Generator<Markup> {
  for (const { title, text, grave } of outline.notices) {
    yield html`<p class="notice${grave === true ? ' failed' : ''}"><strong>${title}</strong> ${text}</p>\n`
  }
  const waived = outline.cards
    .flatMap(({ findings }) => findings.map(({ check }) => check))
    .filter(({ waiver }) => waiver !== undefined)
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
  return html`<div class="notice"><details><summary><strong>Waived.</strong> ${countOf(waived.length, 'failure does', 'failures do')} not count, by decision of the owner of the deployment.</summary>
<ul>${waived.map((check) => html`<li>${idLink(check.id)}: ${waiverWords(check)}</li>\n`)}</ul></details></div>
`
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
  const { id, level, operation, message, expected, actual, count } = finding
  return html`<li><strong>${level}</strong> <code>${id}</code>, ${operation}, in ${countOf(count, 'exchange')}: ${message}. Expected: ${expected}. Sent: ${actual}. Where: ${placesInWords(finding)}</li>\n`
}

/** Requirements of one reason beyond this number are told with their number. */
const mostLinks = 100
const mostReasons = 100
/** More than this would hide the other reasons: they are folded. */
const mostOpen = 8
const longestReason = 600
const mostSteps = 100
const mostKeys = 50
const longestKey = 200
const mostQuestions = 200
const mostAnswers = 50
const longestAnswer = 1000

/** What was not tested, by reason, and what to add to the configuration so that the next run judges more. */
function unresolved({ reasons, additions, cards }: Outline): Markup {
  const blocked = cards.some((card) => card.blocked.length > 0)
  return html`<section aria-labelledby="untested"><h2 id="untested">What was not tested, and why</h2>
${blocked ? html`<p>What could not be judged because of a finding stands <a href="#found">at the finding</a>.</p>` : undefined}${
  reasons.length === 0
    ? blocked
      ? undefined
      : html`<p>Everything that applies was judged.</p>`
    : reasons.map(reasonSection)
}${additionList(additions)}</section>
`
}

function reasonSection({ outcome, title, reasons }: Outline['reasons'][number]): Markup {
  const left = reasons.length - mostReasons
  const count = reasons.reduce((sum, { ids }) => sum + ids.length, 0)
  const anchor = outcome === 'passed' ? undefined : html` id="${filterAnchor({ outcome })}"`
  return html`<h3${anchor}>${title} <small>${countOf(count, 'requirement')}</small></h3>
<ul class="reasons">${reasons.slice(0, mostReasons).map((reason) => reasonEntry(outcome, reason))}${
    left > 0
      ? html`<li>and ${countOf(left, 'more reason')}: they stand at their requirements above</li>`
      : undefined
  }</ul>
`
}

function reasonEntry(outcome: Outcome, { reason, ids }: Reason): Markup {
  const list = links(ids, mostLinks)
  const told = html`<li>${outcomeBadge(outcome)} ${bounded(reason, longestReason)} <small>${countOf(ids.length, 'requirement')}</small>`
  return ids.length <= mostOpen
    ? html`${told}<p class="where">${list}</p></li>`
    : html`${told}<details class="where"><summary>which</summary><p>${list}</p></details></li>`
}

function additionList(steps: Outline['additions']): Markup | undefined {
  if (steps.length === 0) return undefined
  const left = steps.length - mostSteps
  return html`<h3 id="add">${additionsTitle}</h3>
<ul class="reasons">${steps.slice(0, mostSteps).map(additionEntry)}${
    left > 0 ? html`<li>and ${countOf(left, 'more thing')}: results.json holds them</li>` : undefined
  }</ul>
<p><small>${additionsNote}</small></p>
`
}

function additionEntry(step: Outline['additions'][number]): Markup {
  const keys = step.add.slice(0, mostKeys).map((key) => bounded(key, longestKey))
  const meanings = keys.flatMap((key) => {
    const words = wordsFor(key)
    return words === undefined ? [] : [html`<p class="where"><code>${key}</code>: ${words}</p>`]
  })
  return html`<li>${listed(keys.map((key) => html`<code>${key}</code>`))} <small>${gainOf(step)}</small>${meanings}</li>`
}

/** The questions of the contract with the answers of the deployment. Never part of the verdict. */
function observationList({ questions }: Outline): Markup {
  const left = questions.length - mostQuestions
  return html`<section aria-labelledby="observed"><h2 id="observed">Observed on open points</h2>
${
  questions.length === 0
    ? html`<p class="lead">Nothing was observed on what the contract leaves open.</p>`
    : html`<p class="lead">What the contract leaves open, and this deployment does. It is no part of the verdict.</p>
<dl class="observed">${questions.slice(0, mostQuestions).map(questionEntry)}</dl>`
}${left > 0 ? html`<p class="lead">And ${countOf(left, 'more question')}: results.json holds them.</p>` : undefined}</section>
`
}

function questionEntry({ question, answers }: Question): Markup {
  const left = answers.length - mostAnswers
  return html`<div><dt>${question}</dt><dd>${answers
    .slice(0, mostAnswers)
    .map(
      ({ observed, places }) => html`<p>${bounded(observed, longestAnswer)} <small>${places}</small></p>`,
    )}${left > 0 ? html`<p><small>and ${left} more in results.json</small></p>` : undefined}</dd></div>
`
}
