/** The list of all requirements, by operation and kind of rule, with what narrows it. A row opens to findings and checks. */
import { situations } from '../../clauses/situations.ts'
import { countsByOutcome, outcomes } from '../../specs/outcomes.ts'
import { type Requirement, requirementOf } from '../../specs/requirements.ts'
import { byKey, Tellings } from '../alike.ts'
import type { ReportedCheck, RequirementResult } from '../results.ts'
import { countOf, countsInWords, durationOf, outcomeWords, titleOf } from '../wording.ts'
import { timeline } from './charts.ts'
import { anchorIn, findingMarkup, isTimed } from './finding.ts'
import { anchorOf, bounded, filterAnchor, html, linkTo, type Markup, outcomeBadge } from './markup.ts'

/** However many causes there are, the page stays small enough to open. */
const room = { fullAlike: 3, briefAlike: 17, fullAkin: Number.POSITIVE_INFINITY, full: 150, brief: 1000 }

/** The filter and the rows, piece by piece. */
export function* requirementList(requirements: readonly RequirementResult[]): Generator<Markup> {
  yield html`<section aria-labelledby="requirements" id="list"><h2 id="requirements">All requirements</h2>
<span id="${filterAnchor({ outcome: 'passed' })}"></span>
${filterForm(requirements)}
<p class="none" hidden>No requirement matches. <button type="button" class="reset">Show all</button></p>
`
  const tellings = new Tellings(room)
  for (const [operation, ofOperation] of byKey(requirements, ({ operation }) => operation)) {
    yield html`<section class="operation" aria-label="${titleOf(operation)}"><h3>${titleOf(operation)} <small>${countOf(ofOperation.length, 'requirement')}: ${countsInWords(countsByOutcome(ofOperation))}</small></h3>
`
    for (const [kind, ofKind] of byKey(ofOperation, (requirement) => requirement.kind)) {
      yield html`<div class="kind" id="${filterAnchor({ operation, kind })}"><h4>${kind}</h4>\n`
      for (const requirement of ofKind) yield* requirementRow(requirement, tellings)
      yield html`</div>\n`
    }
    yield html`</section>\n`
  }
  if (requirements.length === 0) yield html`<p>These results hold no requirement.</p>\n`
  yield html`</section>\n`
}

function filterForm(requirements: readonly RequirementResult[]): Markup {
  const present = outcomes.filter((outcome) => requirements.some((each) => each.outcome === outcome))
  const levels = new Set(requirements.map(({ level }) => level))
  const operations = new Set(requirements.map(({ operation }) => operation))
  const kinds = new Set(requirements.map(({ kind }) => kind))
  return html`<form id="filter" role="search" aria-label="Requirements">
<div class="wide"><label for="q">Search</label><input id="q" name="q" type="search" autocomplete="off" spellcheck="false" placeholder="id, sentence, finding"></div>
${choice('outcome', 'Outcome', present, (outcome) => outcomeWords[outcome].word)}
${choice('level', 'Level', [...levels])}
${choice('operation', 'Operation', [...operations], titleOf)}
${choice('kind', 'Kind of rule', [...kinds])}
<div class="hits"><output id="hits" for="q outcome level operation kind">${countOf(requirements.length, 'requirement')}</output> <button type="button" class="reset">Show all</button></div>
</form>
`
}

function choice<Value extends string>(
  name: string,
  label: string,
  values: readonly Value[],
  wordsFor: (value: Value) => string = (value) => value,
): Markup {
  return html`<div><label for="${name}">${label}</label><select id="${name}" name="${name}"><option value="">all</option>${values.map(
    (value) => html`<option value="${value}">${wordsFor(value)}</option>`,
  )}</select></div>
`
}

const longestReason = 600

/** Checks of a requirement that passed and are drawn on a line of time. */
const mostTimelines = 2

/** The row, piece by piece: a requirement may have thousands of checks. */
function* requirementRow(requirement: RequirementResult, tellings: Tellings): Generator<Markup> {
  const { id, outcome, level, operation, kind, text, checks } = requirement
  yield html`<div class="req ${outcome}" data-outcome="${outcome}" data-level="${level}" data-operation="${operation}" data-kind="${kind}"><details><summary>${outcomeBadge(outcome)}<h5>${id}</h5><small>${level}</small><span>${text}</span></summary>
<div class="body" id="${anchorOf(id)}">
${clause(requirement)}${looked(requirement)}
`
  const findings = checks.filter(isFinding)
  for (const check of findings) yield findingMarkup(requirement, check, tellings.tell(requirement, check))
  const others = checks.filter((check) => !isFinding(check))
  yield* otherChecks(requirement, others)
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

/** On how many answers it was looked at, and in which situations; nothing where the results do not tell. */
function looked({ looks }: RequirementResult): Markup | undefined {
  if (looks === undefined || looks.exchanges === 0) return undefined
  const met = Object.entries(looks.situations ?? {}).map(
    ([id, count]) => `${count} ${situations[id as keyof typeof situations] ?? id}`,
  )
  return html`<p class="meta">Looked at on ${countOf(looks.exchanges, 'answer')}${met.length === 0 ? '' : `: ${met.join(', ')}`}</p>`
}

function* otherChecks(requirement: RequirementResult, checks: readonly ReportedCheck[]): Generator<Markup> {
  if (checks.length === 0) return
  const drawn = isTimed(requirement)
  let timelines = 0
  yield html`<ul class="checks">`
  for (const check of checks) {
    const drawing = drawn && timelines < mostTimelines ? timeline(check.evidence) : undefined
    if (drawing !== undefined) timelines += 1
    yield html`<li${anchorIn(requirement, check)}>${outcomeBadge(check.outcome)} ${check.title}${effort(check)}${why(requirement, check)}${drawing}</li>
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

/** Whether there is something to tell of a check beyond its outcome. */
function isFinding({ failure, outcome, evidence = [] }: ReportedCheck): boolean {
  return failure !== undefined || (outcome === 'inconclusive' && evidence.length > 0)
}
