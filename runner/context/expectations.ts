/** What a check says of an answer: a control that must hold for a probe to prove anything, and the expectation itself. */

import { type AcceptedBody, acceptance, describe } from '../../clauses/acceptance.ts'
import type { Judgement } from '../../clauses/clause.ts'
import type { Told } from '../../clauses/facts.ts'
import { answersWithSuccess } from '../../clauses/portal-like.ts'
import type { Answer } from '../../deployment/http/exchange.ts'
import { withoutUndefined } from '../../schemas/without-undefined.ts'
import type { OperationId } from '../../specs/operations.ts'
import { type RequirementId, requirementOf } from '../../specs/requirements.ts'
import { ControlRefused, Finding, type Grounds, repeatedAmong, Unproven } from '../findings.ts'

/** Acceptable outcomes, in words. */
export const acceptedOutcome = 'HTTP 2xx with a JSON object whose success is true and that holds no error'
const refusedOutcomes = ['any complete answer that is not HTTP 2xx with success: true and no error']

/** A valid request that must be accepted before its probe proves anything. Throws `ControlRefused` where it was not. */
export function control(
  answer: Answer,
  what = 'the control, a valid request,',
  clause?: RequirementId,
): AcceptedBody {
  const judged = acceptance(answer)
  if (judged.accepted) return judged.body
  const met = repeatedAmong([answer])
  const why = met === undefined ? '' : `, and had to be sent again after ${met}`
  const message = `${what} was ${describe(answer)}${why}; so the probe proves nothing`
  throw new ControlRefused(message, { answer, what, clause })
}

/** What a page, or the times of several answers, had to show. */
interface Shown {
  readonly expected: string
  readonly actual: string
  readonly indirect?: boolean
  readonly counterexample?: string
  readonly request?: readonly string[]
}

/** Is told what expectations look at. */
interface Watch {
  /** The operation that the check is about. */
  readonly operation?: OperationId | undefined
  /** An expectation was really looked at. */
  judged(): void
  /** What was expected of the answer came. */
  held(): void
  /** The answer was read; `wanted` where that itself was the expectation. */
  read(accepted: boolean, wanted?: 'accepted' | 'refused'): void
  /** What the answer shows of a clause. */
  look(requirement: RequirementId, told?: Told): Judgement
}

/** What is expected of an answer. `before` are the answers that lead to it and are shown with a finding. */
export class Expectation {
  readonly #answer: Answer
  /** All that led to it, and itself. */
  readonly #answers: readonly Answer[]
  readonly #watch: Watch

  constructor(answer: Answer, before: readonly Answer[], watch: Watch) {
    this.#answer = answer
    this.#answers = [...before.filter((earlier) => earlier !== answer), answer]
    this.#watch = watch
  }

  /**
   * Throws a `Finding` unless the answer is an acceptance, and `Unproven` where one that is to show something else is
   * malformed. `counterexample` says what was asked; `request` are the parameters that the check is about.
   */
  toBeAccepted(counterexample?: string, ...request: readonly string[]): AcceptedBody {
    this.#watch.judged()
    const found = this.#read('accepted')
    if (found.accepted) {
      this.#watch.held()
      return found.body
    }
    this.#unlessMalformed()
    this.#unlessRepeated('a valid request was not accepted')
    return this.#fail('a valid request was not accepted', [acceptedOutcome], describe(this.#answer), {
      counterexample,
      request,
      wanted: 'accepted',
    })
  }

  /** Throws a `Finding` with that message where the answer is an acceptance. */
  toBeRefused(message = 'the request was accepted', ...request: readonly string[]): void {
    this.#watch.judged()
    if (this.#read('refused').accepted)
      this.#fail(message, refusedOutcomes, describe(this.#answer), { request, wanted: 'refused' })
    this.#watch.held()
  }

  /**
   * Throws a `Finding` where the answer breaks that clause, by its one judge, and `Unproven` where it shows nothing of
   * it. Of the answers before it the last that was accepted is the control; `told`: what else its sender knows of it.
   */
  toKeep(requirement: RequirementId, told?: Told): void {
    if (this.keeps(requirement, told)) return
    this.#unlessRepeated(`the answer shows nothing of ${requirement}`)
    throw new Unproven(`the answer shows nothing of ${requirement}: ${describe(this.#answer)}`, this.#answers)
  }

  /** The same; false, and nothing thrown, where the answer shows nothing of the clause. */
  keeps(requirement: RequirementId, told?: Told): boolean {
    const judgement = this.#watch.look(requirement, told)
    this.#read(requirementOf(requirement).kind === 'roles' ? 'refused' : undefined)
    // What shows it in part proves nothing by itself.
    if (judgement === undefined || judgement === 'in part') return false
    this.#watch.judged()
    if (judgement === 'kept') return true
    const { message, expected, actual, marks, indirect, before: led = [] } = judgement
    if (indirect) this.#unlessRepeated(message)
    return this.#fail(message, [expected], actual, {
      ...marks,
      ...(indirect ? { indirect } : {}),
      led: led.flatMap(({ answer: earlier }) => earlier ?? []),
    })
  }

  /**
   * Throws a `Finding` unless the condition holds: for what no exchange of an operation shows, such as pages and the
   * times of several answers. `indirect`: the times of answers show it, which a busy machine may spoil. `request`: the
   * parameters of the request before it that it is about.
   */
  toShow(holds: boolean, message: string, { expected, actual, ...grounds }: Shown): void {
    this.#watch.judged()
    if (!holds) {
      this.#unlessRepeated(message)
      this.#fail(message, [expected], actual, grounds)
    }
    this.#watch.held()
  }

  #read(wanted?: 'accepted' | 'refused'): ReturnType<typeof acceptance> {
    const found = acceptance(this.#answer)
    this.#watch.read(found.accepted, wanted)
    return found
  }

  #fail(
    message: string,
    expected: readonly string[],
    actual: string,
    { counterexample, wanted, indirect = false, led = [], ...marks }: FindingParts = {},
  ): never {
    throw new Finding(message, {
      expected,
      actual,
      answers: [...led.filter((earlier) => !this.#answers.includes(earlier)), ...this.#answers],
      ...withoutUndefined({ indirect: indirect || undefined, counterexample, wanted }),
      ...markedBy(marks),
    })
  }

  /** What may have been done by a request that had to be sent again explains a refusal, a delay and a relation. */
  #unlessRepeated(what: string): void {
    const met = repeatedAmong(this.#answers)
    if (met === undefined) return
    const why = `a request had to be sent again after ${met}, and may have been done then`
    throw new Unproven(`${what}: ${describe(this.#answer)}; but ${why}`, this.#answers)
  }

  /** A malformed answer of success took the request: its form is judged by itself, and says nothing of what went before. */
  #unlessMalformed(): void {
    const about = this.#answer.request.about as OperationId | undefined
    const isAskedItself = about === this.#watch.operation && this.#answers.length === 1
    if (about === undefined || isAskedItself || !answersWithSuccess(this.#answer, about)) return
    const what = 'the answer means success and is malformed, so no more follows from it'
    throw new Unproven(`${what}: ${describe(this.#answer)}`, this.#answers)
  }
}

/** What a finding holds beside its message; `led`: answers that led to it and that its check did not name. */
interface FindingParts extends Marks {
  readonly counterexample?: string | undefined
  readonly wanted?: Grounds['wanted']
  readonly indirect?: boolean
  readonly led?: readonly Answer[]
}

type Marks = NonNullable<Grounds['marks']>

/** The marks, where there are any. */
function markedBy({ request = [], response = [] }: Marks): { marks?: Marks } {
  // An answer that is wrong as a whole has no field to mark.
  const fields = [...new Set(response)].filter((path) => path !== '')
  if (request.length + fields.length === 0) return {}
  const some = (list: readonly string[]) => (list.length === 0 ? undefined : list)
  return { marks: withoutUndefined({ request: some(request), response: some(fields) }) }
}
