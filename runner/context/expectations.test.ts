import { describe, expect, it } from 'vitest'
import type { Breach, Judgement } from '../../clauses/clause.ts'
import type { Answer } from '../../deployment/http/exchange.ts'
import type { OperationId } from '../../specs/operations.ts'
import { answerOf } from '../answers.fixture.ts'
import { Finding, Unproven } from '../findings.ts'
import { control, Expectation } from './expectations.ts'

const accepted = answerOf({ success: true, id: 'w1', count: 3, in: { list: [] }, half: 1.5 })
const refused = answerOf({ error: { code: 400 } })
const id = 'add-workspace/id-is-new'

type Act = (of: Expectation) => unknown
const toBeAccepted: Act = (of) => of.toBeAccepted()
const toBeRefused: Act = (of) => of.toBeRefused()
const toKeep: Act = (of) => of.toKeep(id)
const keeps: Act = (of) => of.keeps(id)
const toShow =
  (holds: boolean): Act =>
  (of) =>
    of.toShow(holds, 'two came', { expected: 'one', actual: 'two' })

interface Setting {
  readonly before?: readonly Answer[]
  /** The judgement of every clause. */
  readonly judgement?: Judgement
  readonly operation?: OperationId
  /** Why the answer shows nothing. */
  readonly why?: string
}

/** An expectation, with what it throws, how often it judged, and the observed acceptances. */
function judge(answer: Answer = accepted, { before = [], judgement, operation, why }: Setting = {}) {
  let judged = 0
  const read: unknown[] = []
  const expected = new Expectation(answer, before, {
    operation,
    judged: () => {
      judged += 1
    },
    held: () => undefined,
    look: () => judgement,
    whyUndecided: () => why,
    read: (accepted, wanted) => read.push(wanted === undefined ? accepted : [accepted, wanted]),
  })
  return { expected, thrown: (act: Act) => thrownBy(() => act(expected)), judged: () => judged, read }
}

function thrownBy(act: () => unknown): unknown {
  try {
    act()
    return undefined
  } catch (error) {
    return error
  }
}

it('a control returns the body of an accepted answer, and throws Unproven with a refusal', () => {
  expect(control(accepted)).toMatchObject({ id: 'w1' })
  expect(thrownBy(() => control(refused, 'the first sync'))).toMatchObject({
    name: 'Unproven',
    message: expect.stringMatching(/^the first sync was not accepted: .*proves nothing$/),
    answers: [refused],
  })
})

describe('toBeAccepted and toBeRefused', () => {
  it('throw a finding with all answers that led to it', () => {
    const before = [answerOf({ success: true }), refused]
    const error = judge(refused, { before }).thrown((of) => of.toBeAccepted('a title of 1 character'))
    expect(error).toMatchObject({
      name: 'Finding',
      grounds: {
        actual: expect.stringMatching(/^not accepted/),
        counterexample: 'a title of 1 character',
        answers: [before[0], refused],
      },
    })
    expect(judge(refused).thrown(toBeAccepted)).not.toHaveProperty('grounds.counterexample')
  })

  const about = (answer: Answer): Answer =>
    answer.with({ request: { ...answer.request, about: 'add-workspace' } })
  const malformed = about(answerOf(Buffer.from('{"success":true,"server":"Orl\xe9ans"}', 'latin1')))
  const page = about(answerOf('<!doctype html>'))

  it.each<[string, Answer, OperationId, Answer[], string]>([
    ['a malformed success of the checked operation', malformed, 'add-workspace', [], 'Finding'],
    ['a malformed success of another operation', malformed, 'delete-collaboration', [], 'Unproven'],
    ['a malformed success after an acceptance', malformed, 'add-workspace', [accepted], 'Unproven'],
    ['a refusal of another operation', about(refused), 'delete-collaboration', [accepted], 'Finding'],
    ['an HTML page for another operation', page, 'delete-collaboration', [accepted], 'Finding'],
  ])('toBeAccepted on %s', (_, answer, operation, before, name) => {
    const end = judge(answer, { before, operation }).thrown(toBeAccepted)
    expect(end).toMatchObject({ name })
    if (name === 'Unproven') expect((end as Error).message).toMatch(/is a malformed success.*not valid UTF-8/)
  })

  it('toBeRefused uses the message of the check, if there is one', () => {
    expect(judge().thrown(toBeRefused)).toMatchObject({ message: 'the request was accepted' })
    const reported = judge().thrown((of) => of.toBeRefused('it made a workspace'))
    expect(reported).toMatchObject({ name: 'Finding', message: 'it made a workspace' })
  })
})

// What is kept, broken or undecided for each clause is shown by one-judge.test.ts.
describe('toKeep and keeps', () => {
  const breach = { message: 'it is wrong', expected: 'right', actual: 'wrong', marks: { response: ['id'] } }

  it('count as judged what is kept, and throw a finding for a breach', () => {
    const kept = judge(accepted, { judgement: 'kept' })
    expect([kept.thrown(toKeep), kept.expected.keeps(id), kept.judged()]).toEqual([undefined, true, 2])
    const broken = judge(accepted, { before: [refused], judgement: breach })
    const { message, actual, marks } = breach
    for (const act of [toKeep, keeps])
      expect(broken.thrown(act)).toMatchObject({
        name: 'Finding',
        message,
        grounds: { expected: ['right'], actual, answers: [refused, accepted], marks },
      })
  })

  it('prove nothing if the clause is undecided: toKeep throws Unproven, keeps is false', () => {
    const why = 'its collaboration had been deleted before'
    const silent = judge(accepted, { before: [refused], why })
    expect(silent.thrown(toKeep)).toMatchObject({
      name: 'Unproven',
      message: `the answer neither keeps nor breaks ${id} (${why}): accepted: HTTP 200 with success: true`,
      answers: [refused, accepted],
    })
    expect([silent.expected.keeps(id), silent.judged()]).toEqual([false, 0])
  })

  it('show each answer that led to the breach once', () => {
    const answer = answerOf({ success: true, id: 'w0' })
    const before = [{ answer }, { answer: refused }, {}] as unknown as NonNullable<Breach['before']>
    const error = judge(accepted, { before: [refused], judgement: { ...breach, before } }).thrown(toKeep)
    expect((error as Finding).grounds.answers).toEqual([answer, refused, accepted])
  })

  it('mark a breach by a race as indirect, which a retried request cannot prove', () => {
    const race = { ...breach, indirect: true as const }
    expect(judge(accepted, { judgement: race }).thrown(toKeep)).toMatchObject({ grounds: { indirect: true } })
    const again = accepted.with({ repeatedAfter: ['HTTP 504'] })
    expect(judge(again, { judgement: race }).thrown(toKeep)).toBeInstanceOf(Unproven)
    expect(judge(again, { judgement: breach }).thrown(toKeep)).toBeInstanceOf(Finding)
  })
})

it('toShow throws a finding only if the relation does not hold, and marks nothing', () => {
  const { thrown, judged } = judge()
  expect(thrown(toShow(true))).toBeUndefined()
  const { message, grounds } = thrown(toShow(false)) as Finding
  expect([message, grounds.expected, grounds.actual]).toEqual(['two came', ['one'], 'two'])
  expect(grounds).not.toHaveProperty('marks')
  expect(judged()).toBe(2)
})

it('a finding marks the parameters that the check names', () => {
  const taken = judge(refused).thrown((of) => of.toBeAccepted('200 characters', 'title'))
  expect(taken).toMatchObject({ grounds: { marks: { request: ['title'] } } })
  const letIn = judge().thrown((of) => of.toBeRefused(undefined, 'title', 'items'))
  expect(letIn).toMatchObject({ grounds: { marks: { request: ['title', 'items'] } } })
  expect(judge().thrown(toBeRefused)).not.toHaveProperty('grounds.marks')
})

describe('a retried request', () => {
  const again = { repeatedAfter: ['HTTP 504'] }

  it.each<[string, Answer, Act, (readonly Answer[])?]>([
    ['if it is refused', refused.with(again), toBeAccepted],
    ['if a later request is refused', refused, toBeAccepted, [accepted.with(again)]],
    ['for toShow', accepted.with(again), toShow(false)],
    ['for toKeep', refused.with(again), toKeep],
  ])('proves nothing %s', (_, answer, act, before = []) => {
    expect(judge(answer, { before }).thrown(act)).toMatchObject({
      name: 'Unproven',
      message: expect.stringContaining('was retried after HTTP 504 and may have been performed twice'),
    })
  })

  it('counts as accepted if it is accepted, and as refused if it must be refused', () => {
    expect(judge(accepted.with(again)).thrown(toBeAccepted)).toBeUndefined()
    expect(judge(refused.with(again)).thrown(toBeRefused)).toBeUndefined()
    expect(judge(accepted.with(again)).thrown(toBeRefused)).toBeInstanceOf(Finding)
  })
})

it.each<[string, Act, unknown[]]>([
  ['toBeAccepted: what was expected', toBeAccepted, [[true, 'accepted']]],
  ['toBeRefused: what was expected', toBeRefused, [[true, 'refused']]],
  ['keeps: no expectation', keeps, [true]],
  ['keeps of a clause about callers', (of) => of.keeps('add-workspace/refuses-guest'), [[true, 'refused']]],
  ['toShow: nothing', toShow(true), []],
])('an acceptance is reported by %s', (_, act, expected) => {
  const { thrown, read } = judge()
  thrown(act)
  expect(read).toEqual(expected)
})
