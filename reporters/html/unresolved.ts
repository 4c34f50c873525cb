/** What was not judged, and why: grouped by reason. */
import type { Outcome } from '../../specs/outcomes.ts'
import { additionsAfter } from '../additions.ts'
import { byKey } from '../grouping.ts'
import type { RequirementResult, Results } from '../results.ts'
import { additionList } from './additions.ts'
import { bounded, countOf, filterAnchor, html, linkTo, type Markup } from './markup.ts'
import { outcomeBadge } from './outcome.ts'

/** Requirements of one reason beyond this number are told with their number. */
const mostLinks = 100
const mostReasons = 100
/** More than this would hide the other reasons: they are folded. */
const mostOpen = 8
const longestReason = 600

const parts: readonly (readonly [Outcome, string])[] = [
  ['inconclusive', 'Could not be told'],
  ['not-tested', 'Not tested'],
  ['not-applicable', 'Not applicable'],
  ['passed', 'Passed, but with fewer cases than asked for'],
]

/** The reasons with the requirements that they hold for, and what to add. */
export function unresolved(results: Results): Markup {
  const { requirements } = results
  const shown = parts.flatMap(([outcome, title]) => {
    const such = requirements.filter(
      (each) => each.outcome === outcome && (outcome !== 'passed' || each.reason !== undefined),
    )
    return such.length === 0 ? [] : [part(outcome, title, such)]
  })
  return html`<section aria-labelledby="untested"><h2 id="untested">What was not tested, and why</h2>
${shown.length === 0 ? html`<p>Everything that applies was judged.</p>` : shown}${additionList(additionsAfter(results))}</section>
`
}

function part(outcome: Outcome, title: string, requirements: readonly RequirementResult[]): Markup {
  const reasons = [...byKey(requirements, ({ reason }) => reason ?? 'no reason given')]
  const left = reasons.length - mostReasons
  const anchor = outcome === 'passed' ? undefined : html` id="${filterAnchor({ outcome })}"`
  return html`<h3${anchor}>${title} <small>${countOf(requirements.length, 'requirement')}</small></h3>
<ul class="reasons">${reasons.slice(0, mostReasons).map(([reason, several]) => entry(outcome, reason, several))}${
    left > 0
      ? html`<li>and ${countOf(left, 'more reason')}: they stand at their requirements above</li>`
      : undefined
  }</ul>
`
}

function entry(outcome: Outcome, reason: string, several: readonly RequirementResult[]): Markup {
  const links = several
    .slice(0, mostLinks)
    .map(({ id }, at) => html`${at === 0 ? '' : ', '}<a href="${linkTo(id)}">${id}</a>`)
  const left = several.length - mostLinks
  const list = html`${links}${left > 0 ? ` and ${left} more` : ''}`
  const told = html`<li>${outcomeBadge(outcome)} ${bounded(reason, longestReason)} <small>${countOf(several.length, 'requirement')}</small>`
  return several.length <= mostOpen
    ? html`${told}<p class="where">${list}</p></li>`
    : html`${told}<details class="where"><summary>which</summary><p>${list}</p></details></li>`
}
