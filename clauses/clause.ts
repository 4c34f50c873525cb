/** How recorded traffic speaks for a requirement: what one exchange shows of it. */
import { acceptance, describe } from './acceptance.ts'
import type { Exchange } from './exchange.ts'

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

/** The whole recording, for rules that one exchange alone cannot show. */
export interface Recording {
  /**
   * An accepted exchange that differs in that parameter alone: same operation, path and credential, all other
   * parameters equal. Without it a refusal may have any reason.
   */
  readonly controlFor: (exchange: Exchange, parameter: string) => Exchange | undefined
}

export type Look = (exchange: Exchange, recording: Recording) => Judgement

/** A rule begins anew for each recording; it is shown the exchanges in the order in which they were sent. */
export interface Judge {
  readonly begin: () => Look
}

/** A rule that looks at each exchange by itself. */
export const each = (look: Look): Judge => ({ begin: () => look })

/** A rule that remembers what it saw before. */
export const overTime = (begin: () => Look): Judge => ({ begin })

/** A rule on accepted answers. */
export const accepted = (look: Look): Judge =>
  each((exchange, recording) => (exchange.accepted === undefined ? undefined : look(exchange, recording)))

/** A rule that an accepted request of a certain kind keeps, and that no recording can break. */
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
