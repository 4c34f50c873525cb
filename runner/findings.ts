/** The ways in which a check ends early. Anything else that is thrown is an error of the suite itself. */
import { isAccepted } from '../clauses/acceptance.ts'
import { FixtureFailure, FixtureNotOffered } from '../deployment/fixtures/fixture-kinds.ts'
import { type Answer, BodyLimitError, TransportError } from '../deployment/http/exchange.ts'
import type { RequirementId } from '../specs/requirements.ts'
import type { Failure, Sightings } from './check-result.ts'

/** What a finding rests on. */
export interface Grounds {
  /** All acceptable outcomes. */
  readonly expected: readonly string[]
  readonly actual: string
  /** How the target had to answer; absent where something else is wrong. */
  readonly wanted?: 'accepted' | 'refused'
  /** The answers that show it, in the order in which they came. */
  readonly answers: readonly Answer[]
  /** The case in words, where the answers alone do not tell it. */
  readonly counterexample?: string
  /** What is at fault in the last of the answers and its request. */
  readonly marks?: Failure['marks']
  /** It rests on how long something took, or on what a later answer leads to: what shows once may have another cause. */
  readonly indirect?: boolean
  /** Of a generated case that showed it again: its place among the cases. */
  readonly place?: { readonly seed: number; readonly path: string }
  /** Its message ends with the situation in which it shows. */
  readonly namesSituation?: true
  /** How often it showed where it was looked for again; absent: it was seen, and not tried again yet. */
  readonly seen?: Sightings
}

/** The target broke the requirement. */
export class Finding extends Error {
  override readonly name = 'Finding'
  readonly grounds: Grounds

  constructor(message: string, grounds: Grounds) {
    super(message)
    this.grounds = grounds
  }

  /** The same finding with more that is known of it, and with that message. */
  with(more: Partial<Grounds>, message = this.message): Finding {
    return new Finding(message, { ...this.grounds, ...more })
  }
}

/** Nothing was proved: a control failed, the transport broke, timing could not tell. */
export class Unproven extends Error {
  override readonly name = 'Unproven'
  readonly answers: readonly Answer[]

  constructor(message: string, answers: readonly Answer[] = []) {
    super(message)
    this.answers = answers
  }
}

/** A valid request on which a probe rests was refused. Refused again and again, it breaks a clause of its own. */
export class ControlRefused extends Unproven {
  readonly answer: Answer
  readonly what: string
  /** By what it must be accepted; absent: by the first requirement of its operation. */
  readonly clause: RequirementId | undefined

  constructor(message: string, { answer, what, clause }: Pick<ControlRefused, 'answer' | 'what' | 'clause'>) {
    super(message, [answer])
    this.answer = answer
    this.what = what
    this.clause = clause
  }
}

/** Throws `Unproven` where what was to be refused was accepted: then what follows proves nothing. */
export function mustBeRefused(answer: Answer, why: string): void {
  if (isAccepted(answer)) throw new Unproven(why, [answer])
}

/** The check cannot be made on this target: no actor, no fixture, an effect that is not allowed. */
export class NotTested extends Error {
  override readonly name = 'NotTested'
  /** What the configuration lacks for it. */
  readonly add: readonly string[]

  constructor(message: string, add: readonly string[]) {
    super(message)
    this.add = add
  }
}

/** The check does not apply to this target, for that reason. */
export class NotApplicable extends NotTested {
  constructor(message: string) {
    super(message, [])
  }
}

/** A case that does not lend itself to judging: neither passed nor failed, and not counted. */
export class Discarded extends Error {
  override readonly name = 'Discarded'
}

/** Whether an error says something of the target or its fixtures, rather than of the suite. */
export const isOfTheTarget = (error: unknown): error is Error =>
  error instanceof Finding ||
  error instanceof Unproven ||
  error instanceof NotTested ||
  error instanceof TransportError ||
  error instanceof BodyLimitError ||
  error instanceof FixtureFailure ||
  error instanceof FixtureNotOffered

/** What one of these answers met with before in which it may have had its effect already; undefined: all were sent once. */
export function repeatedAmong(answers: readonly Answer[]): string | undefined {
  return answers.find(({ repeatedAfter }) => repeatedAfter !== undefined)?.repeatedAfter?.join(', ')
}
