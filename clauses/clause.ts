/** How an exchange speaks for a requirement. */
import { acceptance, describe } from './acceptance.ts'
import type { Exchange } from './exchange.ts'
import type { Facts } from './facts.ts'

/** What is at fault in an exchange: parameters of the request, paths of fields in the answer. */
export interface Marks {
  readonly request?: readonly string[]
  readonly response?: readonly string[]
}

/** The exchange breaks the requirement. */
export interface Breach {
  readonly message: string
  readonly expected: string
  readonly actual: string
  /** What led to it, shown before it. */
  readonly before?: readonly Exchange[]
  readonly marks?: Marks
}

/** What an exchange shows: an instance that keeps the requirement, one that breaks it, or nothing. */
export type Judgement = 'kept' | Breach | undefined

export type Look = (exchange: Exchange, facts: Facts) => Judgement

/** A judge begins anew for each run or recording; it is shown the exchanges in the order of their answers. */
export interface Judge {
  readonly begin: () => Look
  /** It rests on who calls, or on ids that the run made up: a recording does not tell that. */
  readonly runsOnly?: true
}

/** A judge that looks at each exchange by itself. */
export const each = (look: Look): Judge => ({ begin: () => look })

/** A judge that remembers what it saw before. */
export const overTime = (begin: () => Look): Judge => ({ begin })

/** A judge of accepted answers. */
export const accepted = (look: Look): Judge =>
  each((exchange, facts) => (exchange.accepted === undefined ? undefined : look(exchange, facts)))

/** A clause that an accepted request of a certain kind keeps, and that no exchange can break. */
export const acceptedWhere = (holds: (exchange: Exchange) => boolean): Judge =>
  accepted((exchange) => (holds(exchange) ? 'kept' : undefined))

/** The answer in words; only for exchanges that have one. */
export function came({ answer }: Exchange): string {
  return answer === undefined ? 'no answer' : describe(answer)
}

/** Why an answer is no acceptance. */
export function whyNot({ answer }: Exchange): string {
  if (answer === undefined) return 'no answer'
  const read = acceptance(answer)
  return read.accepted ? 'accepted' : read.why
}

export const isObject = (value: unknown): value is Readonly<Record<string, unknown>> =>
  typeof value === 'object' && value !== null && !Array.isArray(value)
