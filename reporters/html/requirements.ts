/** All requirements: as tables, and as a list with what narrows it, whose rows open to findings and checks. */
import { situations } from '../../clauses/situations.ts'
import { actorNames } from '../../deployment/configuration/actors.ts'
import type { RoleObservation } from '../../runner/check-result.ts'
import { type ExchangeSummary, valueClasses } from '../../runner/exchange-summary.ts'
import { type SchemaName, schemaOf } from '../../schemas/catalogue.ts'
import { ruleKinds } from '../../specs/operation.ts'
import { operationIds } from '../../specs/operations.ts'
import { countsByOutcome, type Outcome, outcomes, worst } from '../../specs/outcomes.ts'
import { type Requirement, requirementOf } from '../../specs/requirements.ts'
import { byKey, reasonKey } from '../alike.ts'
import type { ReportedCheck, RequirementResult, Results } from '../results.ts'
import { countOf, countsInWords, durationOf, operationTitle, outcomeWords, titleOf } from '../wording.ts'
import { timeline } from './charts.ts'
import { anchorIn, findingBody, foundWords, isTimed } from './finding.ts'
import {
  anchorOf,
  bounded,
  filterAnchor,
  html,
  linkTo,
  type Markup,
  outcomeBadge,
  scrollTable,
} from './markup.ts'

/** A row for each operation, a column for each kind; each cell leads to its requirements. */
export function matrix(requirements: readonly RequirementResult[]): Markup {
  // A kind that this version does not know comes last.
  const kinds = [...new Set<string>([...ruleKinds, ...requirements.map(({ kind }) => kind)])]
  const rows = [...byKey(requirements, ({ operation }) => operation)].map(([operation, ofOperation]) => {
    const cells = kinds.map((kind) =>
      cell(
        operation,
        kind,
        ofOperation.filter((each) => each.kind === kind),
      ),
    )
    return html`<tr><th scope="row">${titleOf(operation)}</th>${cells}</tr>
`
  })
  return html`<section aria-labelledby="matrix"><h2 id="matrix">Coverage of the contract</h2>
<p class="lead">Each cell shows the worst outcome of its requirements, and how many there are. It leads to them.${shareOftenLooked(requirements)}</p>
${scrollTable('matrix', 'matrix', ['Operation', ...kinds], rows)}</section>
`
}

function cell(operation: string, kind: string, requirements: readonly RequirementResult[]): Markup {
  if (requirements.length === 0) return html`<td class="empty"><span class="away">no rule</span></td>`
  const outcome = worst(requirements.map((each) => each.outcome))
  const { sign, word } = outcomeWords[outcome]
  return html`<td class="${outcome}"><a href="#${filterAnchor({ operation, kind })}"><i aria-hidden="true">${sign}</i> ${word} <small>${share(outcome, requirements)}${looksIn(requirements)}</small></a></td>`
}

function share(outcome: Outcome, requirements: readonly RequirementResult[]): string {
  const such = requirements.filter((each) => each.outcome === outcome).length
  return such === requirements.length ? String(such) : `${such} of ${requirements.length}`
}

const knownActors: readonly string[] = [...actorNames, 'anonymous', 'impostor']

/** What the two that are no actors of a configuration are. */
const explained: Readonly<Record<string, string>> = {
  anonymous: 'no credential',
  impostor: 'a credential that nobody was given',
}

const looksOf = (requirements: readonly RequirementResult[]): number[] =>
  requirements.flatMap(({ looks }) => (looks === undefined ? [] : [looks.exchanges]))

/** A requirement that was looked at on more answers was looked at often. */
const often = 100

/** How many of them were looked at often, where the results tell. */
function shareOftenLooked(requirements: readonly RequirementResult[]): string {
  const told = looksOf(requirements).sort((one, other) => one - other)
  if (told.length === 0) return ''
  const such = told.filter((count) => count > often).length
  const median = told[Math.floor(told.length / 2)] as number
  return ` ${such} of ${countOf(told.length, 'requirement')} were looked at on more than ${often} answers; the median is ${median}.`
}

/** On how many exchanges the requirements were looked at, where the results tell. */
function looksIn(requirements: readonly RequirementResult[]): string {
  const told = looksOf(requirements)
  if (told.length === 0) return ''
  const most = Math.max(...told)
  return most === 0 ? ', never looked at' : `, looked at in up to ${countOf(most, 'exchange')}`
}

/** What was sent as each parameter and what came of it; nothing where the results do not tell. */
export function valueTable({ exchanges }: Results): Markup | undefined {
  if (exchanges === undefined || exchanges.values.length === 0) return undefined
  const { values } = exchanges
  const present = valueClasses.filter((each) => values.some((value) => value.class === each))
  const rows = operationIds.flatMap((operation) => {
    const { properties = {} } = schemaOf(`${operation}.request` as SchemaName) as {
      properties?: Record<string, Parameter>
    }
    return Object.entries(properties).flatMap(([name, parameter]) => {
      const sent = values.filter((each) => each.operation === operation && each.parameter === name)
      if (name === 'f' || sent.length === 0) return []
      const cells = present.map((valueClass) => {
        const found = sent.find((each) => each.class === valueClass)
        if (found !== undefined) return valueCell(found)
        return canHave(parameter, valueClass)
          ? html`<td class="hole">never</td>`
          : html`<td class="empty"><span class="away">does not apply</span></td>`
      })
      return html`<tr><th scope="row">${name} <small>${operationTitle(operation)}</small></th>${cells}</tr>
`
    })
  })
  return html`<section aria-labelledby="values"><h2 id="values">What was sent</h2>
<p class="lead">How many requests had a value of that kind, and how many of them were accepted; the rest was refused or had no answer. <b class="hole">never</b> is a hole: nothing of that kind was sent. Whether it should have been accepted is told at the requirements.</p>
${scrollTable('values', 'matrix values', ['Parameter', ...present], rows)}</section>
`
}

/** What the schema says of a parameter. */
interface Parameter {
  readonly maxLength?: number
  readonly maxItems?: number
  readonly 'x-realistic'?: string
}

/** Whether a value of that class could have been sent as the parameter. */
function canHave({ maxLength, maxItems, 'x-realistic': realistic }: Parameter, valueClass: string): boolean {
  if (ofLimits.has(valueClass)) return (maxItems ?? maxLength) !== undefined
  return ofTexts.has(valueClass) ? realistic !== undefined : valueClass !== 'ordinary'
}

const ofLimits: ReadonlySet<string> = new Set(['within the limit', 'at the limit', 'one over', 'far over'])
const ofTexts: ReadonlySet<string> = new Set(['ASCII', 'beyond ASCII', 'astral', 'reserved characters'])

function valueCell({ accepted, refused, broken }: ExchangeSummary['values'][number]): Markup {
  const all = accepted + refused + broken
  const look = accepted === all ? 'took' : accepted === 0 ? 'took-none' : 'took-some'
  return html`<td class="${look}">${all} <small>${accepted === all ? 'all accepted' : accepted === 0 ? 'none accepted' : `${accepted} accepted`}</small></td>`
}

/** Whether the requirement says if that actor may call the operation. */
function speaksOf({ id }: RequirementResult, actor: string): boolean {
  // Results of another version may hold a requirement that this one does not know.
  const { refuses = [], allows = [] }: Partial<Requirement> = requirementOf(id) ?? {}
  return refuses.includes(actor) || allows.includes(actor)
}

/** A row for each actor, a column for each operation; a cell that no requirement speaks of is blank. */
export function roleMatrix({ roles = [], requirements, exchanges }: Results): Markup {
  const judged = requirements.filter(({ kind }) => kind === 'roles')
  const none = roles.length === 0 && judged.length === 0
  return html`<section aria-labelledby="roles"><h2 id="roles">Who may do what</h2>
${none ? html`<p class="lead">These results hold no observations of roles.</p>` : roleTable(roles, judged, exchanges?.callers ?? [])}</section>
`
}

function roleTable(
  roles: readonly RoleObservation[],
  requirements: readonly RequirementResult[],
  callers: ExchangeSummary['callers'],
): Markup {
  const speakingOf = (actor: string, operation: string): RequirementResult[] =>
    requirements.filter((each) => each.operation === operation && speaksOf(each, actor))
  const columns = [...new Set<string>([...operationIds, ...roles.map(({ operation }) => operation)])]
  const seen = new Set<string>(roles.map(({ actor }) => actor))
  const actors = [...new Set<string>([...knownActors, ...seen])].filter(
    (actor) => seen.has(actor) || columns.some((operation) => speakingOf(actor, operation).length > 0),
  )
  const rows = actors.map((actor) => {
    const cells = columns.map((operation) =>
      roleCell(
        operation,
        roles.find((each) => each.actor === actor && each.operation === operation),
        speakingOf(actor, operation),
        callers.filter((each) => each.actor === actor && each.operation === operation),
      ),
    )
    return html`<tr><th scope="row">${actor}${explained[actor] === undefined ? undefined : html` <small>${explained[actor]}</small>`}</th>${cells}</tr>
`
  })
  return html`<p class="lead">What each actor got, as far as checks looked. <b class="failed wrong"><i aria-hidden="true">✗</i> wrong</b> stands where the contract wants the other, <b class="hole">untried</b> where a requirement speaks of it that was not judged. A blank cell is one of which no requirement speaks.${callers.length === 0 ? '' : ' Below stands under whose portal id how many of the requests were accepted.'}</p>
${scrollTable('roles', 'matrix roles', ['Actor', ...columns.map(operationTitle)], rows)}`
}

/** Wrong is what a requirement says that failed, too: a note of a check that was not confirmed is none. */
function roleCell(
  operation: string,
  role: RoleObservation | undefined,
  speaking: readonly RequirementResult[],
  callers: ExchangeSummary['callers'],
): Markup {
  const paths = html`${callers.map(({ portal, accepted, refused, broken }) => html` <small>${portal}: ${accepted} of ${accepted + refused + broken}</small>`)}`
  const link = (content: Markup): Markup =>
    html`<a href="#${filterAnchor({ operation, kind: 'roles' })}">${content}</a>`
  if (role === undefined) {
    const open = speaking.filter(({ outcome }) => outcome === 'not-tested' || outcome === 'inconclusive')
    return open.length === 0
      ? html`<td class="empty"><span class="away">no rule</span></td>`
      : html`<td class="hole">${link(html`untried`)}</td>`
  }
  const broken =
    speaking.length === 0 || speaking.some(({ outcome }) => outcome === 'failed' || outcome === 'waived')
  if (role.wrong === true && broken)
    return html`<td class="failed">${link(html`<i aria-hidden="true">✗</i> ${role.observed}, wrong${paths}`)}</td>`
  return role.observed === 'allowed'
    ? html`<td class="allowed"><i aria-hidden="true">●</i> allowed${paths}</td>`
    : html`<td class="refused"><i aria-hidden="true">○</i> refused${paths}</td>`
}

/** Open checks whose exchanges are shown: one for each reason, and no more than that. */
const mostOpenShown = 50

/** What rows need to know of the rest of the page. */
interface Elsewhere {
  /** The anchor of the card that a finding is part of, by the id of its check. */
  readonly cardOf: ReadonlyMap<string, string>
  /** Reasons of open checks whose exchanges were shown. */
  readonly shown: Set<string>
}

/** The filter and the rows, piece by piece. `cardOf`: anchors of cards by the ids of their checks. */
export function* requirementList(
  requirements: readonly RequirementResult[],
  cardOf: ReadonlyMap<string, string>,
): Generator<Markup> {
  yield html`<section aria-labelledby="requirements" id="list"><h2 id="requirements">All requirements</h2>
<span id="${filterAnchor({ outcome: 'passed' })}"></span>
${filterForm(requirements)}
<p class="none" hidden>No requirement matches. <button type="button" class="reset">Show all</button></p>
`
  const elsewhere: Elsewhere = { cardOf, shown: new Set() }
  for (const [operation, ofOperation] of byKey(requirements, ({ operation }) => operation)) {
    yield html`<section class="operation" aria-label="${titleOf(operation)}"><h3>${titleOf(operation)} <small>${countOf(ofOperation.length, 'requirement')}: ${countsInWords(countsByOutcome(ofOperation))}</small></h3>
`
    for (const [kind, ofKind] of byKey(ofOperation, (requirement) => requirement.kind)) {
      yield html`<div class="kind" id="${filterAnchor({ operation, kind })}"><h4>${kind}</h4>\n`
      for (const requirement of ofKind) yield* requirementRow(requirement, elsewhere)
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
function* requirementRow(requirement: RequirementResult, elsewhere: Elsewhere): Generator<Markup> {
  const { id, outcome, level, operation, kind, text, checks } = requirement
  yield html`<div class="req ${outcome}" data-outcome="${outcome}" data-level="${level}" data-operation="${operation}" data-kind="${kind}"><details><summary>${outcomeBadge(outcome)}<h5>${id}</h5><small>${level}</small><span>${text}</span></summary>
<div class="body" id="${anchorOf(id)}">
${clause(requirement)}${looked(requirement)}
`
  const findings = checks.filter(isFinding)
  for (const check of findings) yield findingRow(requirement, check, elsewhere)
  const others = checks.filter((check) => !isFinding(check))
  yield* otherChecks(requirement, others)
  yield html`</div></details><a class="permalink" href="${linkTo(id)}" aria-label="Link to ${id}">#</a></div>
`
}

/** A finding with a link to its card; or a check that could not be judged, with its exchanges where they are the first of the kind. */
function findingRow(
  requirement: RequirementResult,
  check: ReportedCheck,
  { cardOf, shown }: Elsewhere,
): Markup {
  const { id, title, outcome } = check
  const anchor = anchorIn(requirement, check)
  if (check.failure !== undefined) {
    const card = cardOf.get(id)
    const link = card === undefined ? '' : html` <a href="#${card}">Evidence</a>`
    return html`<p class="same"${anchor}>${outcomeBadge(outcome)} ${title} <code>${id}</code>: ${foundWords(check)}${link}</p>
`
  }
  const key = reasonKey(check)
  if (shown.has(key) || shown.size >= mostOpenShown)
    return html`<p class="same"${anchor}>${outcomeBadge(outcome)} ${title} <code>${id}</code>${why(requirement, check)}</p>
`
  shown.add(key)
  return html`<article class="finding ${outcome}"${anchor}>
<h6>${outcomeBadge(outcome)} ${foundWords(check)}</h6>
<p class="which">${title} <code>${id}</code></p>
${findingBody(requirement, check)}</article>
`
}

function clause(requirement: RequirementResult): Markup {
  const { level, section, outcome, reason, kind } = requirement
  const meta = html`<p class="meta">§${section}, ${level}, ${kind}${reason === undefined ? '' : `: ${bounded(reason, longestReason)}`}</p>`
  return outcome === 'failed' || outcome === 'warned' || outcome === 'waived' ? sentence(requirement) : meta
}

/** The sentence of the contract, and where it stands. */
export function sentence({ id, level, section, text, kind }: RequirementResult): Markup {
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
