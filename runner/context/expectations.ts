/** What a check expects of an answer, and controls that must be accepted before a probe proves anything. */
import { type AcceptedBody, acceptance, answersWithSuccess, describe } from '../../clauses/acceptance.ts'
import type { Judgement } from '../../clauses/clause.ts'
import type { CheckKnowledge } from '../../clauses/facts.ts'
import type { Answer } from '../../deployment/http/exchange.ts'
import { withoutUndefined } from '../../schemas/values.ts'
import type { OperationId } from '../../specs/operations.ts'
import { type RequirementId, requirementOf } from '../../specs/requirements.ts'
import { ControlRefused, Finding, type Grounds, repeatedAmong, Unproven } from '../findings.ts'

/** The acceptable outcome, in words. */
const acceptedOutcome = 'HTTP 2xx with a JSON object with success: true and without error'

/** A valid request that must be accepted before its probe proves anything. Throws `ControlRefused` otherwise. */
export function control(
  answer: Answer,
  what = 'the control, a valid request,',
  clause?: RequirementId,
): AcceptedBody {
  const judged = acceptance(answer)
  if (judged.accepted) return judged.body
  const met = repeatedAmong([answer])
  const why = met === undefined ? '' : `, and was retried after ${met}`
  throw new ControlRefused(
    `${what} was ${describe(answer)}${why}; so the probe proves nothing`,
    answer,
    clause,
  )
}

/** What a finding has beside its message. */
interface Found extends Pick<Grounds, 'expected' | 'actual' | 'wanted' | 'indirect' | 'proved'>, Marks {
  readonly counterexample?: string | undefined
  /** Earlier answers that the check did not name. */
  readonly led?: readonly Answer[]
}

type Marks = NonNullable<Grounds['marks']>

/** What a page, or the times of several answers, should show. */
interface Shown extends Omit<Found, 'expected' | 'wanted' | 'response' | 'led'> {
  readonly expected: string
}

/** Follows what expectations check. */
interface Watch {
  /** The operation that the check is about. */
  readonly operation?: OperationId | undefined
  /** An expectation was checked. */
  judged(): void
  /** The expectation was met. */
  held(): void
  /** The answer was read. `wanted`: the expectation, if it was about acceptance. */
  read(accepted: boolean, wanted?: 'accepted' | 'refused'): void
  /** What the answer shows of a requirement. */
  look(requirement: RequirementId, fromCheck?: CheckKnowledge): Judgement
  /** Why the answer may show nothing, if the run knows. */
  whyUndecided?(): string | undefined
}

/** Expectations of one answer. `before`: earlier answers, shown with a finding. */
export class Expectation {
  readonly #answer: Answer
  /** The earlier answers and this one. */
  readonly #answers: readonly Answer[]
  readonly #watch: Watch

  constructor(answer: Answer, before: readonly Answer[], watch: Watch) {
    this.#answer = answer
    this.#answers = [...before.filter((earlier) => earlier !== answer), answer]
    this.#watch = watch
  }

  /**
   * Throws a `Finding` unless the answer is accepted, and `Unproven` if it is malformed and another one is judged.
   * `counterexample`: the request in words. `request`: the parameters that the check is about.
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
    return this.#fail('a valid request was not accepted', {
      expected: [acceptedOutcome],
      actual: describe(this.#answer),
      counterexample,
      request,
      response: this.#isMalformedSuccess() ? ['success'] : [],
      wanted: 'accepted',
    })
  }

  /** Throws a `Finding` with that message if the answer is accepted. */
  toBeRefused(message = 'the request was accepted', ...request: readonly string[]): void {
    this.#watch.judged()
    if (this.#read('refused').accepted)
      this.#fail(message, {
        expected: ['a refusal'],
        actual: describe(this.#answer),
        request,
        wanted: 'refused',
      })
    this.#watch.held()
  }

  /**
   * Throws a `Finding` if the answer breaks the requirement, and `Unproven` if it shows nothing. The last accepted
   * answer before it is the control. `fromCheck`: what else the check knows.
   */
  toKeep(requirement: RequirementId, fromCheck?: CheckKnowledge): void {
    if (this.keeps(requirement, fromCheck)) return
    const why = this.#watch.whyUndecided?.()
    const what = `the answer neither keeps nor breaks ${requirement}${why === undefined ? '' : ` (${why})`}`
    this.#unlessRepeated(what)
    throw new Unproven(`${what}: ${describe(this.#answer)}`, this.#answers)
  }

  /** Like `toKeep`, but returns false if the answer shows nothing. */
  keeps(requirement: RequirementId, fromCheck?: CheckKnowledge): boolean {
    const judgement = this.#watch.look(requirement, fromCheck)
    this.#read(requirementOf(requirement).kind === 'roles' ? 'refused' : undefined)
    // Keeping a part proves nothing by itself.
    if (judgement === undefined || judgement === 'in part') return false
    this.#watch.judged()
    if (judgement === 'kept') return true
    const { message, expected, actual, marks, indirect, before: led = [] } = judgement
    if (indirect) this.#unlessRepeated(message)
    return this.#fail(message, {
      ...marks,
      expected: [expected],
      actual,
      ...(indirect ? { indirect } : {}),
      led: led.flatMap(({ answer: earlier }) => earlier ?? []),
    })
  }

  /**
   * Throws a `Finding` unless the condition holds. For what no single exchange shows, such as pages and times of
   * several answers. `indirect`: it rests on times, which a busy machine may distort. `request`: the parameters that
   * the check is about.
   */
  toShow(holds: boolean, message: string, shown: Shown): void {
    this.#watch.judged()
    if (!holds) {
      this.#unlessRepeated(message)
      this.#fail(message, { ...shown, expected: [shown.expected] })
    }
    this.#watch.held()
  }

  get #about(): OperationId | undefined {
    return this.#answer.request.about as OperationId | undefined
  }

  /** For an answer that was not accepted. */
  #isMalformedSuccess(): boolean {
    return this.#about !== undefined && answersWithSuccess(this.#answer, this.#about)
  }

  #read(wanted?: 'accepted' | 'refused'): ReturnType<typeof acceptance> {
    const found = acceptance(this.#answer)
    this.#watch.read(found.accepted, wanted)
    return found
  }

  #fail(message: string, { request, response, led = [], ...found }: Found): never {
    throw new Finding(
      message,
      withoutUndefined({
        ...found,
        answers: [...led.filter((earlier) => !this.#answers.includes(earlier)), ...this.#answers],
        marks: marksOf(request, response),
      }),
    )
  }

  /** A retried request may have been performed twice, which explains a refusal, a delay or a relation. */
  #unlessRepeated(what: string): void {
    const met = repeatedAmong(this.#answers)
    if (met === undefined) return
    const why = `a request was retried after ${met} and may have been performed twice`
    throw new Unproven(`${what}: ${describe(this.#answer)}; but ${why}`, this.#answers)
  }

  /** A malformed success was performed. Its form is judged separately and says nothing about earlier requests. */
  #unlessMalformed(): void {
    const isAskedItself = this.#about === this.#watch.operation && this.#answers.length === 1
    if (isAskedItself || !this.#isMalformedSuccess()) return
    const what = 'the answer is a malformed success, so it proves nothing more'
    throw new Unproven(`${what}: ${describe(this.#answer)}`, this.#answers)
  }
}

/** The marks, if there are any. */
function marksOf(request: readonly string[] = [], response: readonly string[] = []): Marks | undefined {
  // If the whole answer is wrong, no single field is.
  const fields = [...new Set(response)].filter((path) => path !== '')
  if (request.length + fields.length === 0) return undefined
  const some = (list: readonly string[]) => (list.length === 0 ? undefined : list)
  return withoutUndefined({ request: some(request), response: some(fields) })
}
