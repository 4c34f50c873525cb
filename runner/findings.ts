/** The ways in which a check ends early. Any other error is an error of the suite itself. */
import { isAccepted } from '../clauses/acceptance.ts'
import { FixtureFailure, FixtureNotOffered } from '../deployment/fixtures/fixture-kinds.ts'
import { type Answer, BodyLimitError, TransportError } from '../deployment/http/exchange.ts'
import type { RequirementId } from '../specs/requirements.ts'
import type { Failure } from './check-result.ts'

/** What a finding says in results, and what it rests on. */
export interface Grounds extends Omit<Failure, 'message' | 'seed' | 'repeat'> {
  /** The answers that show it, in order. */
  readonly answers: readonly Answer[]
  /** The finding rests on timing or on a later answer, so a single sighting may have another cause. */
  readonly indirect?: boolean
  /** The answers prove the finding although it rests on a race, so one sighting suffices. */
  readonly proved?: true
  /** The message already names the situation. */
  readonly namesSituation?: true
}

/** The target broke the requirement. */
export class Finding extends Error {
  override readonly name = 'Finding'
  readonly grounds: Grounds

  constructor(message: string, grounds: Grounds) {
    super(message)
    this.grounds = grounds
  }

  /** The same finding with more details and another message. */
  with(more: Partial<Grounds>, message = this.message): Finding {
    return new Finding(message, { ...this.grounds, ...more })
  }
}

/** Nothing was proved: a control failed, the transport broke, or timing was unclear. */
export class Unproven extends Error {
  override readonly name = 'Unproven'
  readonly answers: readonly Answer[]

  constructor(message: string, answers: readonly Answer[] = []) {
    super(message)
    this.answers = answers
  }
}

/** The request was not sent: the target is gone, or the credential of its caller ended. No later one will be either. */
export class NothingSent extends Unproven {}

/** A control was refused. If the reason is what came before it, that breaks a requirement of its own. */
export class ControlRefused extends Unproven {
  readonly answer: Answer
  /** The requirement that says it must be accepted. Absent: the first one of its operation. */
  readonly clause: RequirementId | undefined

  constructor(message: string, answer: Answer, clause?: RequirementId) {
    super(message, [answer])
    this.answer = answer
    this.clause = clause
  }
}

/** Throws `Unproven` if a request that must be refused was accepted, because then the rest proves nothing. */
export function mustBeRefused(answer: Answer, why: string): void {
  if (isAccepted(answer)) throw new Unproven(why, [answer])
}

/** The check cannot run on this target: no actor, no fixture, or a forbidden effect. */
export class NotTested extends Error {
  override readonly name = 'NotTested'
  /** What the configuration lacks for it. */
  readonly add: readonly string[]

  constructor(message: string, add: readonly string[]) {
    super(message)
    this.add = add
  }
}

/** The check does not apply to this target. */
export class NotApplicable extends NotTested {
  constructor(message: string) {
    super(message, [])
  }
}

/** A case that cannot be judged: neither passed nor failed, and not counted. */
export class Discarded extends Error {
  override readonly name = 'Discarded'
}

/** Whether an error is about the target or its fixtures, and not about the suite. */
export const isOfTheTarget = (error: unknown): error is Error =>
  error instanceof Finding ||
  error instanceof Unproven ||
  error instanceof NotTested ||
  error instanceof TransportError ||
  error instanceof BodyLimitError ||
  error instanceof FixtureFailure ||
  error instanceof FixtureNotOffered

/** Why one of these answers was retried, so that its request may have been performed twice. Undefined: none was. */
export function repeatedAmong(answers: readonly Answer[]): string | undefined {
  return answers.find(({ repeatedAfter }) => repeatedAfter !== undefined)?.repeatedAfter?.join(', ')
}
