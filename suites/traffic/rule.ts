/** How recorded traffic speaks for a requirement: what one exchange shows of it. */
import type { Failure } from '../check-result.ts'
import { acceptance, describe } from '../judging/acceptance.ts'
import type { TrafficExchange } from './exchange.ts'

/** The exchange breaks the requirement. */
export interface Breach {
  readonly message: string
  readonly expected: string
  readonly actual: string
  /** What led to it, shown before it. */
  readonly before?: readonly TrafficExchange[]
  readonly marks?: Failure['marks']
}

/** What an exchange shows: an instance that keeps the requirement, one that breaks it, or nothing. */
export type Sight = 'kept' | Breach | undefined

/** The whole recording, for rules that one exchange alone cannot show. */
export interface Recording {
  /**
   * An accepted exchange that differs in that parameter alone: same operation, path and credential, all other
   * parameters equal. Without it a refusal may have any reason.
   */
  readonly controlFor: (exchange: TrafficExchange, parameter: string) => TrafficExchange | undefined
}

export type Look = (exchange: TrafficExchange, recording: Recording) => Sight

/** A rule begins anew for each recording; it is shown the exchanges in the order in which they were sent. */
export interface Rule {
  readonly begin: () => Look
}

/** A rule that looks at each exchange by itself. */
export const each = (look: Look): Rule => ({ begin: () => look })

/** A rule that remembers what it saw before. */
export const overTime = (begin: () => Look): Rule => ({ begin })

/** A rule on accepted answers. */
export const accepted = (look: Look): Rule =>
  each((exchange, recording) => (exchange.accepted === undefined ? undefined : look(exchange, recording)))

/** A rule that an accepted request of a certain kind keeps, and that no recording can break. */
export const acceptedWhere = (holds: (exchange: TrafficExchange) => boolean): Rule =>
  accepted((exchange) => (holds(exchange) ? 'kept' : undefined))

/** The answer in words; only for exchanges that have one. */
export function came({ answer }: TrafficExchange): string {
  return answer === undefined ? 'no answer' : describe(answer)
}

/** Why an answer is no acceptance. */
export function whyNot({ answer }: TrafficExchange): string {
  if (answer === undefined) return 'no answer'
  const read = acceptance(answer)
  return read.accepted ? 'accepted' : read.why
}

export const isObject = (value: unknown): value is Readonly<Record<string, unknown>> =>
  typeof value === 'object' && value !== null && !Array.isArray(value)
