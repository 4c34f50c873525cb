/** One finding: what was acceptable, what came, the smallest case that shows it, and how to see it again. */
import type { Evidence } from '../../target/http/exchange.ts'
import { sightings } from '../finding-text.ts'
import type { ReportedCheck, RequirementResult } from '../results.ts'
import type { Told } from './causes.ts'
import { command } from './command.ts'
import { exchangeMarkup } from './exchange.ts'
import { withMarks } from './form-text.ts'
import { jsonMarkup } from './json-text.ts'
import { anchorOf, bounded, countOf, html, linkTo, type Markup } from './markup.ts'
import { waiverWords } from './notices.ts'
import { outcomeBadge } from './outcome.ts'
import { timeline } from './timeline.ts'

/** Before the exchange that the finding rests on. */
const mostEarlier = 4
const longestText = 4000

/** The finding as far as it is to be told. */
export function findingMarkup(requirement: RequirementResult, check: ReportedCheck, told: Told): Markup {
  return told.telling === 'listed' ? listed(requirement, check, told) : shown(requirement, check, told)
}

function listed(requirement: RequirementResult, check: ReportedCheck, { first }: Told): Markup {
  const same =
    first === undefined
      ? 'results.json tells it'
      : html`the same as at <a href="${linkTo(first)}">${first}</a>`
  return html`<p class="same"${anchorIn(requirement, check)}>${outcomeBadge(check.outcome)} ${check.title} <code>${check.id}</code>: ${same}</p>
`
}

/** A check that is called like its requirement is linked to with it. */
function anchorIn(requirement: RequirementResult, check: ReportedCheck): Markup | undefined {
  return check.id === requirement.id ? undefined : html` id="${anchorOf(check.id)}"`
}

function shown(requirement: RequirementResult, check: ReportedCheck, { telling, first }: Told): Markup {
  const { failure, outcome, reason } = check
  const full = telling === 'full'
  const waiver = waiverWords(check)
  const exchanges = check.evidence ?? []
  const last = exchanges.at(-1)
  return html`<article class="finding ${outcome}"${anchorIn(requirement, check)}>
<h6>${outcomeBadge(outcome)} ${bounded(failure?.message ?? reason ?? 'no reason given', longestText)}</h6>
<p class="which">${check.title} <code>${check.id}</code>${first === undefined ? undefined : html`; the same as at <a href="${linkTo(first)}">${first}</a>`}</p>
${waiver === undefined ? undefined : html`<p class="which"><strong>Waived:</strong> ${waiver}</p>`}
${failure === undefined ? undefined : grounds(failure, full)}
${full && last !== undefined ? html`${isTimed(requirement) ? timeline(exchanges) : undefined}${exchangeMarkup(last, failure?.marks)}${command('curl', last.curl)}` : undefined}
${failure === undefined ? undefined : command('replay', failure.replay)}
${full ? earlierExchanges(exchanges) : undefined}</article>
`
}

function grounds(failure: NonNullable<ReportedCheck['failure']>, full: boolean): Markup {
  const { expected, actual, counterexample, seed, path } = failure
  const seen = sightings(failure)
  const place = seed === undefined ? undefined : `seed ${seed}${path === undefined ? '' : `, case ${path}`}`
  return html`<dl class="grounds">${
    full
      ? html`<div><dt>Acceptable</dt><dd>${expected.map((each, at) => html`${at === 0 ? '' : html`<br><small>or</small> `}${bounded(each, longestText)}`)}</dd></div>`
      : undefined
  }<div><dt>Came</dt><dd><strong>${bounded(actual, longestText)}</strong></dd></div>${
    seen === undefined ? undefined : html`<div><dt>Seen</dt><dd>${seen}</dd></div>`
  }${
    full && counterexample !== undefined
      ? html`<div><dt>Smallest case</dt><dd><pre><code>${caseMarkup(counterexample, failure.marks?.request ?? [])}</code></pre>${place === undefined ? undefined : html`<small>${place}</small>`}</dd></div>`
      : undefined
  }</dl>`
}

/** In a pair of control and probe only the probe is at fault. */
function caseMarkup(counterexample: string, marked: readonly string[]): Markup {
  const text = bounded(counterexample, longestText)
  return (
    jsonMarkup(text, (path) => path[0] !== 'control' && marked.includes(path.at(-1) as string)) ??
    withMarks(text, marked)
  )
}

/** Rules of which the order and the time of requests are the point. */
export function isTimed({ kind }: RequirementResult): boolean {
  return kind === 'order' || kind === 'races'
}

function earlierExchanges(exchanges: readonly Evidence[]): Markup | undefined {
  const earlier = exchanges.slice(0, -1)
  if (earlier.length === 0) return undefined
  const near = earlier.slice(-mostEarlier)
  const far = earlier.length - near.length
  return html`<details class="earlier"><summary>${countOf(near.length, 'exchange')} before it${far > 0 ? ` (${far} more in results.json)` : ''}</summary>
${near.map((exchange) => html`${exchangeMarkup(exchange)}${command('curl', exchange.curl)}`)}</details>
`
}
