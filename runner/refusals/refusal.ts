/** A refusal that the end of a check rests on, and questions about it that need no request. */
import { describe } from '../../clauses/acceptance.ts'
import type { Answer } from '../../deployment/http/exchange.ts'
import { operationOf } from '../../specs/operations.ts'
import type { CheckDefinition } from '../check.ts'
import type { Finding } from '../findings.ts'
import { type Effect, effectOf, succeeded } from '../log/run-log.ts'
import type { Session } from '../session.ts'

/** The last answer that the end of a check rests on: a refusal, or an answer at the wrong time. */
export interface Refusal {
  readonly definition: CheckDefinition
  readonly session: Session
  readonly answer: Answer
}

/** The refused call. Undefined if the answer is a success or a page. */
export const refusedEffect = ({ answer }: Refusal): Effect | undefined =>
  succeeded(answer) ? undefined : effectOf(answer)

/** Whether the check says only that valid requests of its operation are accepted, so that any refusal counts. */
export const isMainCheck = ({
  id,
  requirement,
  operation,
}: Pick<CheckDefinition, 'id' | 'requirement' | 'operation'>): boolean =>
  operation !== undefined &&
  (requirement === 'protocol/form-post' || id === operationOf(operation).requirements[0].id)

/** Whether the finding rests on a refusal. */
export const restsOnRefusal = (finding: Finding): boolean => !succeeded(lastAnswerOf(finding))

/** The answer that the finding rests on. */
export const lastAnswerOf = ({ grounds }: Finding): Answer => grounds.answers.at(-1) as Answer

/** The answer in one line. */
export const described = (answer: Answer | undefined): string =>
  answer === undefined ? 'nothing' : describe(answer)
