/** Counts of a run: the answers that show each requirement, and what was sent and how it was answered. */
import { acceptanceIfRead } from '../../clauses/acceptance.ts'
import type { Judgement } from '../../clauses/clause.ts'
import { type SituationId, situations } from '../../clauses/situations.ts'
import type { PortalName } from '../../deployment/configuration/actors.ts'
import { BodyLimitError, TransportError } from '../../deployment/http/exchange.ts'
import type { OutgoingRequest } from '../../deployment/http/outgoing-request.ts'
import { requestSchema } from '../../schemas/catalogue.ts'
import type { ExchangeSummary } from '../../schemas/types/results.ts'
import { type OperationId, operationIds } from '../../specs/operations.ts'
import { type RequirementId, requirementOf } from '../../specs/requirements.ts'
import type { CheckId } from '../check-result.ts'
import { remembered } from '../remembered.ts'
import { type Asked, type Fold, type RunExchange, suiteItself } from './run-log.ts'

/** How many answers keep and break a requirement. */
interface RequirementCounts {
  readonly requirement: RequirementId
  kept: number
  broken: number
  /** How many of these answers came in each situation. */
  readonly situations: SituationCounts
}

type SituationCounts = Partial<Record<SituationId, number>>

/** The counts for results. */
export interface RequirementLooks {
  readonly requirement: RequirementId
  /** Answers that show the requirement, kept or broken. */
  readonly exchanges: number
  readonly kept: number
  readonly situations: SituationCounts
}

/** What is counted: a requirement, separately for each operation if it is about all. */
interface Look {
  readonly requirement: RequirementId
  readonly operation: OperationId
}

/** RequirementCounts by requirement, or by check if the requirement is about all operations. */
export class Looks extends Map<CheckId, RequirementCounts> {
  count(look: Look, judgement: NonNullable<Judgement>, met: readonly SituationId[]): void {
    const { requirement } = look
    const counts = remembered(this, checkOf(look), () => ({
      requirement,
      kept: 0,
      broken: 0,
      situations: {},
    }))
    counts[typeof judgement === 'object' ? 'broken' : 'kept'] += 1
    for (const id of met) counts.situations[id] = (counts.situations[id] ?? 0) + 1
  }

  summary(): RequirementLooks[] {
    const sums = new Map<
      RequirementId,
      { -readonly [Key in keyof RequirementLooks]: RequirementLooks[Key] }
    >()
    for (const { requirement, kept, broken, situations: met } of this.values()) {
      const sum = remembered(sums, requirement, () => ({
        requirement,
        exchanges: 0,
        kept: 0,
        situations: {},
      }))
      sum.exchanges += kept + broken
      sum.kept += kept
      sum.situations = addedUp([sum.situations, met])
    }
    return [...sums.values()]
  }
}

/** The id to count under: requirements about all operations are counted for each operation. */
export const checkOf = ({ requirement, operation }: Look): CheckId =>
  requirementOf(requirement).operation === 'protocol' ? `${requirement}:${operation}` : requirement

/** Adds up counts, in the order of the situations. */
export function addedUp(several: readonly SituationCounts[]): SituationCounts {
  const sum = (id: SituationId): number => several.reduce((total, counts) => total + (counts[id] ?? 0), 0)
  const ids = Object.keys(situations) as SituationId[]
  return Object.fromEntries(ids.flatMap((id) => (sum(id) === 0 ? [] : [[id, sum(id)]])))
}

/** Classes of values in the order of reports. */
export const valueClasses = [
  'left out',
  'empty',
  'within the limit',
  'at the limit',
  'one over',
  'far over',
  'ordinary',
  'ASCII',
  'beyond ASCII',
  'astral',
  'reserved characters',
  'sent twice',
] as const

type ValueClass = (typeof valueClasses)[number]

const boundsMs = [1, 2, 5, 10, 20, 50, 100, 200, 500, 1000, 2000, 5000, 10_000]
const mostSlowest = 3
const mostSlices = 60

const kinds = ['accepted', 'refused', 'broken'] as const

type Kind = (typeof kinds)[number]

type Counts = [accepted: number, refused: number, broken: number]

interface OfOperation {
  readonly times: number[]
  slowest: { durationMs: number; atMs: number; check: string }[]
  slices: Counts[]
}

/** Limits of a parameter in characters or items. */
interface Limits {
  readonly most: number | undefined
  readonly isList: boolean
}

export class ExchangeTally implements Fold {
  /** When the run began in ms of `performance.now()`: the origin of all times in reports. */
  readonly began: number
  /** Answers for each check since this map was last cleared. */
  readonly answered = new Map<CheckId, number>()
  readonly #operations = new Map<OperationId, OfOperation>()
  readonly #callers = new Map<string, Record<Kind, number>>()
  readonly #values = new Map<string, Record<Kind, number>>()
  #sliceMs = 100

  /** `began`: when the run began in ms of `performance.now()`. */
  constructor(began: number) {
    this.began = began
  }

  came(exchange: RunExchange): void {
    const { asked, sentAt, answeredAt } = exchange
    const check = asked.by as CheckId
    if (asked.by !== suiteItself) this.answered.set(check, (this.answered.get(check) ?? 0) + 1)
    this.#count(asked, sentAt, kindOf(exchange), answeredAt - sentAt)
  }

  broke(asked: Asked, error: unknown): void {
    if (error instanceof TransportError || error instanceof BodyLimitError)
      this.#count(asked, asked.begun.at - performance.timeOrigin, 'broken')
  }

  /** Undefined if nothing was sent. */
  summary(): ExchangeSummary | undefined {
    if (this.#operations.size === 0) return undefined
    return {
      boundsMs,
      sliceMs: this.#sliceMs,
      operations: operationIds.flatMap((operation) => {
        const found = this.#operations.get(operation)
        return found === undefined ? [] : [{ operation, ...found }]
      }),
      callers: [...this.#callers].map(([key, counts]) => {
        const [operation, actor, portal] = key.split(' ') as [OperationId, string, PortalName]
        return { operation, actor, portal, ...counts }
      }),
      values: [...this.#values].map(([key, counts]) => {
        const [operation, parameter, ...words] = key.split(' ') as [OperationId, string, ...string[]]
        return { operation, parameter, class: words.join(' ') as ValueClass, ...counts }
      }),
    }
  }

  #count({ operation, actor, by, sent }: Asked, sentAt: number, kind: Kind, durationMs?: number): void {
    const found = remembered(this.#operations, operation, () => ({
      times: Array(boundsMs.length + 1).fill(0),
      slowest: [],
      slices: [],
    }))
    const atMs = Math.max(0, Math.round(sentAt - this.began))
    this.#slice(found, atMs)[kinds.indexOf(kind)]! += 1
    if (durationMs !== undefined) {
      const bucket = boundsMs.findIndex((bound) => durationMs <= bound)
      found.times[bucket === -1 ? boundsMs.length : bucket]! += 1
      const least = found.slowest[mostSlowest - 1]?.durationMs ?? -1
      if (durationMs > least) {
        const slow = { durationMs: Math.round(durationMs * 10) / 10, atMs, check: by }
        found.slowest = [...found.slowest, slow]
          .sort((one, other) => other.durationMs - one.durationMs)
          .slice(0, mostSlowest)
      }
    }
    bump(this.#callers, `${operation} ${actor} ${sent.portal}`, kind)
    for (const [parameter, { most, isList }] of limitsIn(operation)) {
      for (const each of classesOf(sent.fields, parameter, most, isList))
        bump(this.#values, `${operation} ${parameter} ${each}`, kind)
    }
  }

  /** The counts for that moment. A longer run merges neighbouring slices. */
  #slice(of: OfOperation, atMs: number): Counts {
    while (atMs >= this.#sliceMs * mostSlices) {
      this.#sliceMs *= 2
      for (const each of this.#operations.values()) {
        each.slices = Array.from({ length: Math.ceil(each.slices.length / 2) }, (_, at) =>
          [2 * at, 2 * at + 1].reduce<Counts>(
            (sum, from) => sum.map((count, kind) => count + (each.slices[from]?.[kind] ?? 0)) as Counts,
            [0, 0, 0],
          ),
        )
      }
    }
    const at = Math.floor(atMs / this.#sliceMs)
    while (of.slices.length <= at) of.slices.push([0, 0, 0])
    return of.slices[at] as Counts
  }
}

function bump(counts: Map<string, Record<Kind, number>>, key: string, kind: Kind): void {
  remembered(counts, key, () => ({ accepted: 0, refused: 0, broken: 0 }))[kind] += 1
}

function kindOf(exchange: RunExchange): Kind {
  const read = acceptanceIfRead(exchange)
  if (read === undefined) return 'broken'
  return read.accepted ? 'accepted' : 'refused'
}

/** The limits in the operation's request schema. */
const limitsIn = (operation: OperationId): (readonly [string, Limits])[] =>
  Object.entries(requestSchema(operation).properties)
    .filter(([name]) => name !== 'f')
    .map(([name, { maxLength, maxItems, 'x-form': form }]) => [
      name,
      { most: maxItems ?? maxLength, isList: form === 'comma' },
    ])

/** The classes of the value that was sent. */
export function classesOf(
  fields: OutgoingRequest['fields'],
  parameter: string,
  most: number | undefined,
  isList: boolean,
): ValueClass[] {
  const values = fields.filter(([name]) => name === parameter)
  const value = values[0]?.[1]
  if (value === undefined) return ['left out']
  if (value === '') return ['empty']
  const length = isList ? value.split(',').length : lengthOf(value, most)
  const classes: ValueClass[] = [most === undefined ? 'ordinary' : lengthClass(length, most)]
  if (values.length > 1) classes.push('sent twice')
  if (isList) return classes
  classes.push(
    /\p{Cs}|[\u{10000}-\u{10ffff}]/u.test(value) ? 'astral' : /[^ -~]/.test(value) ? 'beyond ASCII' : 'ASCII',
  )
  if (/[&=+%#;]/.test(value)) classes.push('reserved characters')
  return classes
}

/** In characters, if that can make a difference. */
const lengthOf = (value: string, most = 0): number =>
  value.length < most || value.length > 2 * most + 2 ? value.length : [...value].length

function lengthClass(length: number, most: number): ValueClass {
  if (length < most) return 'within the limit'
  if (length === most) return 'at the limit'
  return length === most + 1 ? 'one over' : 'far over'
}
