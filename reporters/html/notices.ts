/** What a reader must know before trusting the verdict: interrupted, filtered, sharded, waived, broken. */
import type { ReportedCheck, Results } from '../results.ts'
import { putOffSentence, uncheckedTls } from '../verdict-sentence.ts'
import { countOf, html, linkTo, type Markup } from './markup.ts'

/** Errors beyond this number are left to results.json. */
const mostErrors = 50

/** The banners, or nothing. */
export function* notices(results: Results): Generator<Markup> {
  const { run, complete, errors = [] } = results
  const told = [
    ...(complete === true
      ? []
      : [
          html`<strong>Cut short.</strong> The run ended early: the verdict rests on the part that was measured.`,
        ]),
    ...(run.stopped === undefined ? [] : [html`<strong>Stopped.</strong> ${run.stopped}`]),
    ...(run.putOff === undefined ? [] : [html`${putOffSentence(run.putOff)}`]),
    ...(run.selection === undefined ? [] : [selected(run.selection)]),
    ...(run.shard === undefined
      ? []
      : [
          html`<strong>One share.</strong> This is share ${run.shard.index} of ${run.shard.count} of the suite: the others stand in results of their own.`,
        ]),
  ]
  for (const text of told) yield html`<p class="notice">${text}</p>\n`
  const insecure = uncheckedTls(results)
  if (insecure !== undefined) yield html`<p class="notice failed"><strong>${insecure}</strong></p>\n`
  yield* waivers(results)
  if (errors.length > 0) yield runErrors(errors)
}

function selected({ operations, requirements }: NonNullable<Results['run']['selection']>): Markup {
  const names = [...operations, ...requirements].map(
    (name, at) => html`${at === 0 ? '' : ', '}<code>${name}</code>`,
  )
  return html`<strong>Filtered.</strong> Only a selection was judged: ${names}. Everything else is not tested.`
}

function* waivers({ requirements }: Results): Generator<Markup> {
  const waived = requirements.flatMap(({ checks }) => checks.filter(({ waiver }) => waiver !== undefined))
  if (waived.length === 0) return
  yield html`<div class="notice"><details><summary><strong>Waived.</strong> ${countOf(waived.length, 'failure')} ${waived.length === 1 ? 'does' : 'do'} not count, by decision of the owner of the deployment.</summary>\n<ul>`
  for (const check of waived)
    yield html`<li><a href="${linkTo(check.id)}">${check.id}</a>: ${waiverWords(check)}</li>\n`
  yield html`</ul></details></div>\n`
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

function runErrors(errors: readonly string[]): Markup {
  const left = errors.length - mostErrors
  return html`<section class="notice failed" aria-labelledby="errors"><h2 id="errors">Errors of the run itself</h2>
<ul>${errors.slice(0, mostErrors).map((error) => html`<li>${error}</li>`)}${
    left > 0 ? html`<li>and ${left} more: results.json holds them</li>` : undefined
  }</ul></section>
`
}
