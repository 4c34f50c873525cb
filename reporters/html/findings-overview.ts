/** What was found, on one screen: one entry for each cause, with links to where it is told. */
import type { RequirementResult } from '../results.ts'
import { type CauseSummary, causesOf } from './causes.ts'
import { bounded, countOf, html, linkTo, type Markup } from './markup.ts'
import { outcomeBadge } from './outcome.ts'

const mostCauses = 40
const longestMessage = 300

/** The causes of what failed, was waived or warned of; nothing where there is none. */
export function findingsOverview(requirements: readonly RequirementResult[]): Markup {
  const causes = causesOf(requirements)
  if (causes.length === 0) return html``
  const left = causes.length - mostCauses
  return html`<section aria-labelledby="found"><h2 id="found">What was found</h2>
<ol class="found">${causes.slice(0, mostCauses).map(entry)}</ol>
${left > 0 ? html`<p class="lead">And ${countOf(left, 'more finding')}: they stand at their requirements below.</p>` : undefined}</section>
`
}

function entry({ check, requirement, ids, count }: CauseSummary): Markup {
  const { failure, outcome, id } = check
  if (failure === undefined) return html``
  const more = count - ids.length
  const also = ids.slice(1).map((other) => html`, <a href="${linkTo(other)}">${other}</a>`)
  return html`<li>${outcomeBadge(outcome)}
<div><p class="sentence">${requirement.text} <small>§${requirement.section}</small></p>
<p>${bounded(failure.message, longestMessage)}</p>
<p class="where">${count === 1 ? '' : `${countOf(count, 'check')}: `}<a href="${linkTo(id)}">${id}</a>${also}${more > 0 ? ` and ${more} more` : ''}</p></div></li>
`
}
