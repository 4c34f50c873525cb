/** A refusal on which the end of a check rests, and the questions about it that need no request. */
import { describe } from '../../clauses/acceptance.ts'
import type { Answer } from '../../deployment/http/exchange.ts'
import { operationOf } from '../../specs/operations.ts'
import type { CheckDefinition } from '../check.ts'
import type { Finding } from '../findings.ts'
import { type Effect, effectOf, took } from '../log/exchange.ts'
import type { Session } from '../session.ts'

/** The last answer that the end of a check rests on: a refusal, or one that came at the wrong time. */
export interface Refusal {
  readonly definition: CheckDefinition
  readonly session: Session
  readonly answer: Answer
  /** The finding that rests on the answer; absent: the check ended without one. */
  readonly finding?: Finding
}

/** Whether the target refused it, and it is a call of an operation: the effect that was asked for; else undefined. */
export const refusedEffect = ({ answer }: Refusal): Effect | undefined =>
  took(answer) ? undefined : effectOf(answer)

/** Whether a check says no more than that valid requests of its operation are accepted: there any refusal counts. */
export const isMain = ({
  id,
  requirement,
  operation,
}: Pick<CheckDefinition, 'id' | 'requirement' | 'operation'>): boolean =>
  operation !== undefined &&
  (requirement === 'protocol/form-post' || id === operationOf(operation).requirements[0].id)

/** Whether a finding rests on an answer that is none of success. */
export const isRefused = (finding: Finding): boolean => !took(lastOf(finding))

/** The answer that a finding rests on. */
export const lastOf = ({ grounds }: Finding): Answer => grounds.answers.at(-1) as Answer

/** An answer in one line. */
export const described = (answer: Answer | undefined): string =>
  answer === undefined ? 'nothing' : describe(answer)
