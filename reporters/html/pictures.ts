/** What is drawn as a table: the operations by kind of rule, and who may do what. */
import { actorNames } from '../../deployment/configuration/actors.ts'
import type { RoleObservation } from '../../runner/check-result.ts'
import { type ExchangeSummary, valueClasses } from '../../runner/exchange-summary.ts'
import { type SchemaName, schemaOf } from '../../schemas/catalogue.ts'
import { ruleKinds } from '../../specs/operation.ts'
import { operationIds } from '../../specs/operations.ts'
import { type Outcome, worst } from '../../specs/outcomes.ts'
import { byKey } from '../alike.ts'
import type { RequirementResult, Results } from '../results.ts'
import { countOf, operationTitle, outcomeWords, titleOf } from '../wording.ts'
import { filterAnchor, html, type Markup, scrollTable } from './markup.ts'

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
<p class="lead">Each cell shows the worst outcome of its requirements, and how many there are. It leads to them.</p>
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

/** On how many exchanges the requirements were looked at, where the results tell. */
function looksIn(requirements: readonly RequirementResult[]): string {
  const told = requirements.flatMap(({ looks }) => (looks === undefined ? [] : [looks.exchanges]))
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

/** Whom a requirement about callers speaks of, by the last part of its id. */
const spokenOf: Readonly<Record<string, readonly string[]>> = {
  'refuses-guest': ['guestAdministrator'],
  'refuses-non-administrator': ['hostMember'],
  'refuses-anonymous': ['anonymous'],
  'refuses-invalid-credential': ['impostor'],
  'refuses-non-designated': ['syncNonInitiator', 'hostAdministrator'],
  'refuses-other-organization': ['guestAdministrator'],
  'allows-default-administrator': ['contentAdministrator'],
  'allows-custom-administrator': ['customAdministrator'],
  'allows-owner': ['itemOwner'],
  'refuses-owner-without-privilege': ['itemOwnerUnprivileged'],
  'refuses-other-user': ['outsider'],
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
    requirements.filter(
      (each) =>
        each.operation === operation && spokenOf[each.id.split('/')[1] ?? '']?.includes(actor) === true,
    )
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
