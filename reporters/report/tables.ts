/** Tables of a page: how much of the contract was covered, who may do what, what was sent when, and how fast answers were. */
import { actorNames } from '../../deployment/configuration/actors.ts'
import type { RoleObservation } from '../../runner/check-result.ts'
import { valueClasses } from '../../runner/log/counts.ts'
import { type SchemaName, schemaOf } from '../../schemas/catalogue.ts'
import type { ExchangeSummary } from '../../schemas/types/results.ts'
import { ruleKinds } from '../../specs/operation.ts'
import { operationIds } from '../../specs/operations.ts'
import { worst } from '../../specs/outcomes.ts'
import { type Requirement, requirementOf } from '../../specs/requirements.ts'
import { byKey } from '../grouping.ts'
import { columnChart } from '../html/charts.ts'
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
  sectionOf,
  tableSection,
  textOf,
} from '../nodes.ts'
import type { RequirementResult, Results } from '../results.ts'
import { capitalised, countOf, durationOf, operationTitle, titleOf } from '../wording.ts'

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
  const lead = `Each cell shows the worst outcome of its requirements, and how many there are. It leads to them.${shareOftenLooked(requirements)}`
  const heads = ['Operation', ...kinds.map(capitalised)]
  return tableSection({ title: 'Coverage of the contract', id: 'matrix', lead }, { heads, rows })
}

function cell(anchor: string, requirements: readonly RequirementResult[]): Inline | Cell {
  if (requirements.length === 0) return ''
  const outcome = worst(requirements.map((each) => each.outcome))
  const such = requirements.filter((each) => each.outcome === outcome).length
  const share = such === requirements.length ? String(such) : `${such} of ${requirements.length}`
  const text = [outcomeOf(outcome), ' ', looking('quiet', share + looksIn(requirements))]
  return { look: outcome, text: linkOf(`#${anchor}`, text) }
}

const knownActors: readonly string[] = [...actorNames, 'anonymous', 'impostor']

/** The two callers that are no actors of a configuration. */
const explained: Readonly<Record<string, string>> = {
  anonymous: 'no credential',
  impostor: 'an invalid credential',
}

const looksOf = (requirements: readonly RequirementResult[]): number[] =>
  requirements.flatMap(({ looks }) => (looks === undefined ? [] : [looks.exchanges]))

/** A requirement that was judged on more answers than this was judged often. */
const often = 100

/** How many of them were judged often, if the results say so. */
function shareOftenLooked(requirements: readonly RequirementResult[]): string {
  const reported = looksOf(requirements).sort((one, other) => one - other)
  if (reported.length === 0) return ''
  const such = reported.filter((count) => count > often).length
  const median = reported[Math.floor(reported.length / 2)] as number
  return ` ${such} of ${countOf(reported.length, 'requirement')} were judged on more than ${often} answers; the median is ${median}.`
}

/** On how many exchanges the requirements were judged, if the results say so. */
function looksIn(requirements: readonly RequirementResult[]): string {
  const reported = looksOf(requirements)
  if (reported.length === 0) return ''
  const most = Math.max(...reported)
  return most === 0 ? ', never judged' : `, up to ${countOf(most, 'exchange')} each`
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
  const came = accepted === all ? 'all accepted' : accepted === 0 ? 'none accepted' : `${accepted} accepted`
  const look = accepted === all ? 'passed' : accepted === 0 ? 'not-tested' : 'quiet'
  return { look, text: [`${all} `, looking('quiet', came)] }
}

/** Whether the requirement says if that actor may call the operation. */
function speaksOf({ id }: RequirementResult, actor: string): boolean {
  // Results of another version may hold a requirement that this one does not know.
  const { refuses = [], allows = [] }: Partial<Requirement> = requirementOf(id) ?? {}
  return refuses.includes(actor) || allows.includes(actor)
}

/** A row for each actor, a column for each operation. A cell without a requirement is blank. */
export function roleTable({ roles = [], requirements: all, exchanges }: Results): Section {
  const requirements = all.filter(({ kind }) => kind === 'roles')
  const part = { title: 'Who may do what', id: 'roles' }
  if (roles.length === 0 && requirements.length === 0) {
    const none = textOf('These results hold no observations of roles.', 'quiet')
    return sectionOf(part.title, [none], { id: part.id })
  }
  const callers = exchanges?.callers ?? []
  const speakingOf = (actor: string, operation: string): RequirementResult[] =>
    requirements.filter((each) => each.operation === operation && speaksOf(each, actor))
  const columns = [...new Set<string>([...operationIds, ...roles.map(({ operation }) => operation)])]
  const seen = new Set<string>(roles.map(({ actor }) => actor))
  const actors = [...new Set<string>([...knownActors, ...seen])].filter(
    (actor) => seen.has(actor) || columns.some((operation) => speakingOf(actor, operation).length > 0),
  )
  const rows = actors.map((actor) => [
    explained[actor] === undefined ? actor : [actor, ' ', looking('quiet', explained[actor])],
    ...columns.map((operation) =>
      roleCell(
        filterAnchor({ operation, kind: 'roles' }),
        roles.find((each) => each.actor === actor && each.operation === operation),
        speakingOf(actor, operation),
        callers.filter((each) => each.actor === actor && each.operation === operation),
      ),
    ),
  ])
  const lead: Inline = [
    'What each actor got in the checks. ',
    looking('failed', '✗ wrong'),
    ': the contract requires the opposite. ',
    looking('inconclusive', 'untried'),
    `: a requirement names this caller, but was not judged. Blank: no requirement names this caller.${callers.length === 0 ? '' : ' Below: accepted requests by portal id.'}`,
  ]
  const heads = ['Actor', ...columns.map(operationTitle)]
  return tableSection({ ...part, lead }, { heads, rows })
}

/** A cell is also wrong if its requirement failed. A note about an unconfirmed finding does not count. */
function roleCell(
  anchor: string,
  role: RoleObservation | undefined,
  speaking: readonly RequirementResult[],
  callers: ExchangeSummary['callers'],
): Inline | Cell {
  const to = `#${anchor}`
  const paths = callers.map(({ portal, accepted, refused, broken }) =>
    looking('quiet', ` ${portal}: ${accepted} of ${accepted + refused + broken}`),
  )
  if (role === undefined) {
    const open = speaking.filter(({ outcome }) => outcome === 'not-tested' || outcome === 'inconclusive')
    return open.length === 0 ? '' : { text: linkOf(to, 'untried'), look: 'inconclusive' }
  }
  const broken =
    speaking.length === 0 || speaking.some(({ outcome }) => outcome === 'failed' || outcome === 'waived')
  if (role.wrong === true && broken)
    return { text: linkOf(to, [`✗ ${role.observed}, wrong`, paths]), look: 'failed' }
  return { text: [role.observed === 'allowed' ? '● allowed' : '○ refused', paths], look: 'quiet' }
}

/** When the run sent its requests, and how long answers took. Empty if the results have no times. */
export function times({ exchanges, run }: Results): Section[] {
  return exchanges === undefined ? [] : [wholeRun(exchanges, run.durationMs), latency(exchanges)]
}

/** How requests end, in the order of the counts of a slice. */
const ends = ['accepted', 'refused', 'broken']

function wholeRun({ operations, sliceMs }: ExchangeSummary, durationMs: number): Section {
  const slices = Math.max(1, Math.ceil(durationMs / sliceMs), ...operations.map((each) => each.slices.length))
  const most = Math.max(1, ...operations.flatMap((each) => each.slices.map((slice) => sum(slice))))
  const rows = operations.map(({ operation, slices: counts }): Inline[] => {
    const [accepted, refused, broken] = [0, 1, 2].map((kind) => sum(counts.map((each) => each[kind] ?? 0)))
    const began = Math.max(
      0,
      counts.findIndex((each) => sum(each) > 0),
    )
    return [
      operationTitle(operation),
      { kind: 'picture', draw: () => columnChart(counts, ends, slices, most) },
      `${accepted} accepted, ${refused} refused${broken === 0 ? '' : `, ${broken} without an answer`}`,
      `${durationOf(began * sliceMs)} to ${durationOf(Math.min(durationMs, counts.length * sliceMs))}`,
    ]
  })
  const keys: Inline = [
    looking('passed', '■ accepted'),
    ', ',
    looking('quiet', '■ refused'),
    ', ',
    looking('failed', '■ without an answer'),
  ]
  const lead = `Requests in each ${durationOf(sliceMs)} of the run, from its beginning to its end at ${durationOf(durationMs)}: `
  const heads = ['Operation', 'Over the run', 'Requests', 'From, to']
  return tableSection({ title: 'The run in time', id: 'run-time', lead: [lead, keys, '.'] }, { heads, rows })
}

const inColumns = (counts: readonly number[]): number[][] => counts.map((count) => [count])

const sum = (counts: readonly number[]): number => counts.reduce((all, count) => all + count, 0)

const latencyHeads = [
  'Operation',
  'Distribution',
  'Answers',
  'Half within',
  '95 % within',
  'Slowest, and the check that waited',
]

function latency({ operations, boundsMs }: ExchangeSummary): Section {
  const most = Math.max(1, ...operations.flatMap(({ times: counts }) => counts))
  const rows = operations.map(({ operation, times: counts, slowest }): Inline[] => [
    operationTitle(operation),
    { kind: 'picture', draw: () => columnChart(inColumns(counts), ['time'], counts.length, most) },
    countOf(sum(counts), 'answer'),
    within(counts, boundsMs, 0.5),
    within(counts, boundsMs, 0.95),
    namesOf(
      slowest.map(({ durationMs, check }) => [durationOf(durationMs), ' ', looking('quiet', idOf(check))]),
    ),
  ])
  const lead = `Each bar is a class of times: up to ${boundsMs.map((bound) => durationOf(bound)).join(', ')}, and longer.`
  return tableSection({ title: 'How long answers took', id: 'latency', lead }, { heads: latencyHeads, rows })
}

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
