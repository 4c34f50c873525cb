/** One requirement: a row that opens to the sentence, the findings and the checks. */
import type { Requirement } from '../../specs/requirement.ts'
import { requirementOf } from '../../specs/requirements.ts'
import type { ReportedCheck, RequirementResult } from '../results.ts'
import { type Causes, isFinding } from './causes.ts'
import { findingMarkup, isTimed } from './finding.ts'
import { anchorOf, bounded, countOf, durationOf, html, linkTo, type Markup } from './markup.ts'
import { outcomeBadge } from './outcome.ts'
import { timeline } from './timeline.ts'

const longestReason = 600

/** Checks of a requirement that passed and are drawn on a line of time. */
const mostTimelines = 2

/** The row, piece by piece: a requirement may have thousands of checks. */
export function* requirementRow(requirement: RequirementResult, causes: Causes): Generator<Markup> {
  const { id, outcome, level, operation, kind, text, checks } = requirement
  yield html`<div class="req ${outcome}" data-outcome="${outcome}" data-level="${level}" data-operation="${operation}" data-kind="${kind}"><details><summary>${outcomeBadge(outcome)}<h5>${id}</h5><small>${level}</small><span>${text}</span></summary>
<div class="body" id="${anchorOf(id)}">
${clause(requirement)}
`
  const findings = checks.filter(isFinding)
  for (const check of findings) yield findingMarkup(requirement, check, causes.tell(check))
  yield* otherChecks(
    requirement,
    findings.length === 0 ? checks : checks.filter((check) => !isFinding(check)),
  )
  yield html`</div></details><a class="permalink" href="${linkTo(id)}" aria-label="Link to ${id}">#</a></div>
`
}

function clause(requirement: RequirementResult): Markup {
  const { id, level, section, text, outcome, reason, kind } = requirement
  const meta = html`<p class="meta">§${section}, ${level}, ${kind}${reason === undefined ? '' : `: ${bounded(reason, longestReason)}`}</p>`
  if (outcome !== 'failed' && outcome !== 'warned' && outcome !== 'waived') return meta
  const source = level === 'advice' ? 'Advice' : level === 'must (profile)' ? 'The profile' : 'The contract'
  // Results of another version may hold a requirement that this one does not know.
  const follows = (requirementOf(id) as Requirement | undefined)?.follows
  return html`<blockquote><p>${text}</p><p class="meta">${source}, §${section}, ${level}, ${kind}</p>${
    follows === undefined ? undefined : html`<p class="meta">It follows: ${follows}</p>`
  }</blockquote>`
}

function* otherChecks(requirement: RequirementResult, checks: readonly ReportedCheck[]): Generator<Markup> {
  if (checks.length === 0) return
  const drawn = isTimed(requirement)
  let timelines = 0
  yield html`<ul class="checks">`
  for (const check of checks) {
    const drawing = drawn && timelines < mostTimelines ? timeline(check.evidence) : undefined
    if (drawing !== undefined) timelines += 1
    yield html`<li${check.id === requirement.id ? undefined : html` id="${anchorOf(check.id)}"`}>${outcomeBadge(check.outcome)} ${check.title}${effort(check)}${why(requirement, check)}${drawing}</li>
`
  }
  yield html`</ul>`
}

function effort({ requests, durationMs }: ReportedCheck): Markup | undefined {
  if (requests === 0) return undefined
  return html` <small>${countOf(requests, 'request')}, ${durationOf(durationMs)}</small>`
}

/** The reason of a check, unless its requirement gives it already. */
function why(requirement: RequirementResult, { reason }: ReportedCheck): Markup | undefined {
  if (reason === undefined || reason === requirement.reason) return undefined
  return html`: ${bounded(reason, longestReason)}`
}
