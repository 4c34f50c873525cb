/** Tables of a page: how much of the contract was covered, who may do what, what was sent, and how fast answers were. */
import { actorNames } from '../../deployment/configuration/actors.ts'
import type { RoleObservation } from '../../runner/check-result.ts'
import { valueClasses } from '../../runner/log/counts.ts'
import { type SchemaName, schemaOf } from '../../schemas/catalogue.ts'
import type { ExchangeSummary } from '../../schemas/types/results.ts'
import { byKey } from '../../schemas/values.ts'
import { ruleKinds } from '../../specs/operation.ts'
import { operationIds } from '../../specs/operations.ts'
import { worst } from '../../specs/outcomes.ts'
import { type Requirement, requirementOf } from '../../specs/requirements.ts'
import { filterAnchor } from '../html/markup.ts'
import {
  type Cell,
  type Inline,
  idOf,
  linkOf,
  looking,
  namesOf,
  outcomeOf,
  type Section,
  tableSection,
} from '../nodes.ts'
import type { RequirementResult, Results } from '../results.ts'
import { capitalised, countOf, durationOf, numeral, operationTitle, titleOf } from '../wording.ts'

/** A row for each operation, a column for each kind. Each cell links to its requirements. */
export function coverage({ requirements }: Results): Section {
  // Kinds that this version does not know come last.
  const kinds = [...new Set<string>([...ruleKinds, ...requirements.map(({ kind }) => kind)])]
  const rows = [...byKey(requirements, ({ operation }) => operation)].map(([operation, ofOperation]) => [
    titleOf(operation),
    ...kinds.map((kind) =>
      cell(
        filterAnchor({ operation, kind }),
        ofOperation.filter((each) => each.kind === kind),
      ),
    ),
  ])
  const lead =
    'Each cell shows the worst outcome of its requirements, and how many there are. It leads to them.'
  const heads = ['Operation', ...kinds.map(capitalised)]
  return tableSection({ title: 'Coverage of the contract', id: 'matrix', lead }, { heads, rows })
}

function cell(anchor: string, requirements: readonly RequirementResult[]): Inline | Cell {
  if (requirements.length === 0) return ''
  const outcome = worst(requirements.map((each) => each.outcome))
  const such = requirements.filter((each) => each.outcome === outcome).length
  const share = such === requirements.length ? String(such) : `${such} of ${requirements.length}`
  const text = [outcomeOf(outcome), ' ', looking('quiet', share)]
  return { look: outcome, text: linkOf(`#${anchor}`, text) }
}

const knownActors: readonly string[] = [...actorNames, 'anonymous', 'impostor']

/** Whether the requirement says if that actor may call the operation. */
function speaksOf({ id }: RequirementResult, actor: string): boolean {
  // Results of another version may hold a requirement that this one does not know.
  const { refuses = [], allows = [] }: Partial<Requirement> = requirementOf(id) ?? {}
  return refuses.includes(actor) || allows.includes(actor)
}

/** A row for each actor, a column for each operation. A cell without a requirement is blank. Empty without observations. */
export function roleTable({ roles = [], requirements: all }: Results): Section[] {
  const requirements = all.filter(({ kind }) => kind === 'roles')
  const seen = roles.map(({ actor }) => actor)
  const rows = [...new Set([...knownActors, ...seen])].map((actor) => [
    actor,
    ...operationIds.map((operation) =>
      roleCell(
        `#${filterAnchor({ operation, kind: 'roles' })}`,
        roles.find((each) => each.actor === actor && each.operation === operation),
        requirements.filter((each) => each.operation === operation && speaksOf(each, actor)),
      ),
    ),
  ])
  const filled = rows.filter(([, ...cells]) => cells.some((each) => each !== ''))
  const lead: Inline = [
    'What each actor got in the checks; anonymous sends no credential, impostor an invalid one. ',
    looking('failed', '✗ wrong'),
    ': the contract requires the opposite. ',
    looking('inconclusive', 'untried'),
    ': a requirement names this caller, but was not judged. Blank: no requirement names this caller.',
  ]
  const heads = ['Actor', ...operationIds.map(operationTitle)]
  return filled.length === 0
    ? []
    : [tableSection({ title: 'Who may do what', id: 'roles', lead }, { heads, rows: filled })]
}

/** A cell is also wrong if its requirement failed. A note about an unconfirmed finding does not count. */
function roleCell(
  to: string,
  role: RoleObservation | undefined,
  speaking: readonly RequirementResult[],
): Inline | Cell {
  if (role === undefined) {
    const open = speaking.filter(({ outcome }) => outcome === 'not-tested' || outcome === 'inconclusive')
    return open.length === 0 ? '' : { text: linkOf(to, 'untried'), look: 'inconclusive' }
  }
  const broken =
    speaking.length === 0 || speaking.some(({ outcome }) => outcome === 'failed' || outcome === 'waived')
  if (role.wrong === true && broken) return { text: linkOf(to, `✗ ${role.observed}, wrong`), look: 'failed' }
  return { text: role.observed === 'allowed' ? '● allowed' : '○ refused', look: 'quiet' }
}

/** The values of each parameter and their outcomes. Empty if the results have none. */
export function values({ exchanges }: Results): Section[] {
  if (exchanges === undefined || exchanges.values.length === 0) return []
  const { values: sent } = exchanges
  const present = valueClasses.filter((each) => sent.some((value) => value.class === each))
  const rows = operationIds.flatMap((operation) => {
    const { properties = {} } = schemaOf(`${operation}.request` as SchemaName) as {
      properties?: Record<string, Parameter>
    }
    return Object.entries(properties).flatMap(([name, parameter]) => {
      const such = sent.filter((each) => each.operation === operation && each.parameter === name)
      if (name === 'f' || such.length === 0) return []
      const cells = present.map((valueClass) => {
        const found = such.find((each) => each.class === valueClass)
        return found === undefined ? (canHave(parameter, valueClass) ? never : '') : valueCell(found)
      })
      return [[[name, ' ', looking('quiet', operationTitle(operation))], ...cells]]
    })
  })
  const lead: Inline = [
    'How many requests had a value of that kind, and how many of them were accepted; the rest was refused or had no answer. ',
    looking('inconclusive', 'never'),
    ' is a hole: nothing of that kind was sent. Whether it should have been accepted is reported at the requirements.',
  ]
  const heads = ['Parameter', ...present.map(capitalised)]
  return [tableSection({ title: 'What was sent', id: 'values', lead }, { heads, rows })]
}

const never: Cell = { text: 'never', look: 'inconclusive' }

/** The schema of a parameter, in words. */
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

function valueCell({ accepted, refused, broken }: ExchangeSummary['values'][number]): Cell {
  const all = accepted + refused + broken
  const share = `${accepted === all ? 'all' : `${numeral(accepted)} of`} ${numeral(all)} `
  const look = accepted === all ? 'passed' : accepted === 0 ? 'not-tested' : 'quiet'
  return { look, text: [share, looking('quiet', 'accepted')] }
}

/** How long answers took. Empty if the results have no times. */
export function latency({ exchanges }: Results): Section[] {
  if (exchanges === undefined) return []
  const { operations, boundsMs } = exchanges
  const rows = operations.map(({ operation, times, slowest }): Inline[] => [
    operationTitle(operation),
    countOf(sum(times), 'answer'),
    within(times, boundsMs, 0.5),
    within(times, boundsMs, 0.95),
    namesOf(
      slowest.map(({ durationMs, check }) => [durationOf(durationMs), ' ', looking('quiet', idOf(check))]),
    ),
  ])
  const heads = ['Operation', 'Answers', 'Half within', '95 % within', 'Slowest, and the check that waited']
  const lead =
    'All answers of the operations count, also those before the checks and to repeated requests. The number of requests of the run counts those of the checks only.'
  return [tableSection({ title: 'How long answers took', id: 'latency', lead }, { heads, rows })]
}

const sum = (counts: readonly number[]): number => counts.reduce((all, count) => all + count, 0)

function within(counts: readonly number[], boundsMs: readonly number[], share: number): string {
  if (sum(counts) === 0) return 'no answer'
  const bound = boundWithin(counts, boundsMs, share)
  return bound === undefined ? `over ${durationOf(boundsMs.at(-1) ?? 0)}` : durationOf(bound)
}

/** The bound in ms within which that share of the answers came. Undefined if no bound holds that share. */
export function boundWithin(
  counts: readonly number[],
  boundsMs: readonly number[],
  share: number,
): number | undefined {
  const enough = Math.max(1, sum(counts) * share)
  let seen = 0
  return boundsMs[
    counts.findIndex((count) => {
      seen += count
      return seen >= enough
    })
  ]
}
