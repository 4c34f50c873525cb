/** What a check says of an answer: a control that must hold for a probe to prove anything, and the expectation itself. */

import { type AcceptedBody, acceptance, describe } from '../../clauses/acceptance.ts'
import type { ContractRequirementId } from '../../clauses/catalogue.ts'
import type { Judgement } from '../../clauses/clause.ts'
import type { Answer } from '../../deployment/http/exchange.ts'
import type { SchemaName } from '../../schemas/catalogue.ts'
import { issuesOf } from '../../schemas/validators.ts'
import { show } from '../../schemas/wording.ts'
import { requirementOf } from '../../specs/requirements.ts'
import { Finding, type Grounds, repeatedAmong, Unproven } from '../findings.ts'

/** Acceptable outcomes, in words. */
const acceptedOutcome = 'HTTP 2xx with a JSON object whose success is true and that holds no error'
const refusedOutcomes = ['any complete answer that is not HTTP 2xx with success: true and no error']

/** A valid request that must be accepted before its probe proves anything. Throws `Unproven` where it was not. */
export function control(answer: Answer, what = 'the control, a valid request,'): AcceptedBody {
  const judged = acceptance(answer)
  if (judged.accepted) return judged.body
  const met = repeatedAmong([answer])
  const why = met === undefined ? '' : `, and had to be sent again after ${met}`
  throw new Unproven(`${what} was ${describe(answer)}${why}; so the probe proves nothing`, [answer])
}

export interface Expectation {
  /**
   * Throws a `Finding` unless the answer is an acceptance. `counterexample` says what was asked; `parameters` are
   * those of the request that the check is about.
   */
  toBeAccepted(counterexample?: string, ...parameters: readonly string[]): AcceptedBody
  /** Throws a `Finding` where the answer is an acceptance; `explain` may give a better message for what came. */
  toBeRefused(explain?: (body: AcceptedBody) => string | undefined, ...parameters: readonly string[]): void
  /**
   * Throws a `Finding` where the answer breaks that clause, by its one judge, and `Unproven` where it shows nothing of
   * it. Of the answers before it the last that was accepted is the control.
   */
  toKeep(requirement: ContractRequirementId): void
  /** Throws a `Finding` where the accepted body breaks the schema at a path that concerns this requirement. */
  toMatch(schema: SchemaName, concerns?: (path: string) => boolean): void
  /** The object at that path of the accepted body; where there is none, what is in it proves nothing. */
  object(path: string): Readonly<Record<string, unknown>>
  /** The field of the accepted body at that path; a wrong type is another requirement's affair and proves nothing. */
  field(path: string): FieldExpectation
  /**
   * Throws a `Finding` unless the condition holds. `fields` are the paths in the answer that it is about; `indirect`:
   * the times of answers show it, which a busy machine may spoil.
   */
  toShow(
    holds: boolean,
    message: string,
    grounds: { expected: string; actual: string; fields?: readonly string[]; indirect?: boolean },
  ): void
}

/** Is told what expectations look at. */
export interface Watch {
  /** An expectation was really looked at. */
  judged(): void
  /** The answer was read; `wanted` where that itself was the expectation. */
  read(accepted: boolean, wanted?: 'accepted' | 'refused'): void
  /** What the answer shows of a clause. */
  look(requirement: ContractRequirementId): Judgement
}

export interface FieldExpectation {
  readonly string: string
  readonly integer: number
  /** Throws a `Finding` unless the field is exactly this string, `by` a reading of it where one is given. */
  toBe(expected: string, by?: (text: string) => string): void
}

/** Expects something of an answer. `before` are the answers that lead to it and are shown with a finding. */
export function expectation(
  answer: Answer,
  before: readonly Answer[],
  { judged, read, look }: Watch,
): Expectation {
  const answers = [...before.filter((earlier) => earlier !== answer), answer]
  const fail = (
    message: string,
    expected: readonly string[],
    actual: string,
    {
      counterexample,
      indirect = false,
      ...marks
    }: { counterexample?: string | undefined; indirect?: boolean } & Marks = {},
  ): never => {
    throw new Finding(message, {
      expected,
      actual,
      answers,
      ...(indirect ? { indirect } : {}),
      ...(counterexample === undefined ? {} : { counterexample }),
      ...markedBy(marks),
    })
  }
  /** What may have been done by a request that had to be sent again explains a refusal, a delay and a relation. */
  const unlessRepeated = (what: string): void => {
    const met = repeatedAmong(answers)
    if (met === undefined) return
    const why = `a request had to be sent again after ${met}, and may have been done then`
    throw new Unproven(`${what}: ${describe(answer)}; but ${why}`, answers)
  }
  const reading = (wanted?: 'accepted' | 'refused') => {
    const found = acceptance(answer)
    read(found.accepted, wanted)
    return found
  }
  const acceptedBody = (): AcceptedBody => {
    const found = reading()
    if (found.accepted) return found.body
    throw new Unproven(`the request was ${describe(answer)}; so there is nothing to look at`, [answer])
  }
  return {
    toBeAccepted(counterexample, ...request) {
      judged()
      const found = reading('accepted')
      if (found.accepted) return found.body
      unlessRepeated('a valid request was not accepted')
      return fail('a valid request was not accepted', [acceptedOutcome], describe(answer), {
        counterexample,
        request,
      })
    },
    toBeRefused(explain, ...request) {
      judged()
      const found = reading('refused')
      if (!found.accepted) return
      const message = explain?.(found.body) ?? 'the request was accepted'
      fail(message, refusedOutcomes, describe(answer), { request })
    },
    toKeep(requirement) {
      const judgement = look(requirement)
      const { accepted } = acceptance(answer)
      read(accepted, requirementOf(requirement).kind === 'roles' ? 'refused' : undefined)
      if (judgement === undefined)
        throw new Unproven(`the answer shows nothing of ${requirement}: ${describe(answer)}`, answers)
      judged()
      if (judgement === 'kept') return
      const { message, expected, actual, marks } = judgement
      fail(message, [expected], actual, { ...marks })
    },
    toMatch(schema, concerns = () => true) {
      const issues = issuesOf(schema, acceptedBody()).filter(({ path }) => concerns(path))
      judged()
      if (issues.length === 0) return
      const messages = issues.map(({ message }) => message)
      fail(
        'the answer has not the shape of the contract',
        [`the fields as in ${schema}.schema.json`],
        messages.join('; '),
        { response: issues.map(({ path }) => dotted(path)) },
      )
    },
    object(path) {
      const value = valueAt(acceptedBody(), path)
      if (isRecord(value)) return value
      throw new Unproven(`${path} is no object (${show(value)}), so there is nothing in it to look at`, [
        answer,
      ])
    },
    field(path) {
      const value = valueAt(acceptedBody(), path)
      const wrong = (type: string): never => {
        throw new Unproven(`${path} is no ${type} (${show(value)}), so its value proves nothing`, [answer])
      }
      return {
        get string() {
          return typeof value === 'string' ? value : wrong('string')
        },
        get integer() {
          return Number.isInteger(value) ? (value as number) : wrong('integer')
        },
        toBe(expected, by = (text) => text) {
          const actual = this.string
          judged()
          if (by(actual) === by(expected)) return
          const was = [`${path}: ${show(expected)}`]
          fail(`${path} is not what it must be`, was, `${path}: ${show(actual)}`, { response: [path] })
        },
      }
    },
    toShow(holds, message, { expected, actual, fields = [], indirect = false }) {
      judged()
      if (holds) return
      unlessRepeated(message)
      fail(message, [expected], actual, { response: fields.map(dotted), indirect })
    },
  }
}

type Marks = NonNullable<Grounds['marks']>

/** The marks, where there are any. */
function markedBy({ request = [], response = [] }: Marks): { marks?: Marks } {
  // An answer that is wrong as a whole has no field to mark.
  const fields = [...new Set(response)].filter((path) => path !== '')
  if (request.length + fields.length === 0) return {}
  return {
    marks: {
      ...(request.length === 0 ? {} : { request }),
      ...(fields.length === 0 ? {} : { response: fields }),
    },
  }
}

/** The path of an issue with dots between all of its keys. */
const dotted = (path: string): string => path.replace(/\[(\d+)\]/g, '.$1')

const isRecord = (value: unknown): value is Record<string, unknown> =>
  typeof value === 'object' && value !== null

/** What stands at a path of keys with dots between them. */
function valueAt(root: unknown, path: string): unknown {
  return path
    .split('.')
    .reduce<unknown>((at, key) => (isRecord(at) && Object.hasOwn(at, key) ? at[key] : undefined), root)
}
