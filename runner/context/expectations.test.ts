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
const toShow =
  (holds: boolean): Act =>
  (of) =>
    of.toShow(holds, 'two came', { expected: 'one', actual: 'two' })

interface Said {
  readonly before?: readonly Answer[]
  /** What the judge of every clause says. */
  readonly judgement?: Judgement
  readonly operation?: OperationId
}

/** What is thrown, how often something was really judged, and what was read. */
function judge(answer: Answer = accepted, { before = [], judgement, operation }: Said = {}) {
  let judged = 0
  const read: unknown[] = []
  const expected = new Expectation(answer, before, {
    operation,
    judged: () => {
      judged += 1
    },
    held: () => undefined,
    look: () => judgement,
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

describe('control', () => {
  it('gives the body of what was accepted', () => {
    expect(control(accepted)).toMatchObject({ id: 'w1' })
  })

  it('proves nothing where it was not, and shows that answer', () => {
    const error = thrownBy(() => control(refused, 'the first sync'))
    expect(error).toBeInstanceOf(Unproven)
    expect(error).toMatchObject({
      message: expect.stringMatching(/^the first sync was not accepted: .*proves nothing$/),
      answers: [refused],
    })
  })
})

describe('toBeAccepted and toBeRefused', () => {
  it('let pass what is as expected, and count it as judged', () => {
    const yes = judge(accepted)
    expect(yes.expected.toBeAccepted()).toMatchObject({ success: true })
    const no = judge(refused)
    expect(no.thrown(toBeRefused)).toBeUndefined()
    expect([yes.judged(), no.judged()]).toEqual([1, 1])
  })

  it('find what is not, with all answers that lead to it', () => {
    const before = [answerOf({ success: true }), refused]
    const error = judge(refused, { before }).thrown((of) => of.toBeAccepted('a title of 1 character'))
    expect(error).toBeInstanceOf(Finding)
    expect((error as Finding).grounds).toMatchObject({
      actual: expect.stringMatching(/^not accepted/),
      counterexample: 'a title of 1 character',
    })
    expect((error as Finding).grounds.answers).toEqual([before[0], refused])
    expect(judge(refused).thrown(toBeAccepted)).not.toHaveProperty('grounds.counterexample')
  })

  const about = (answer: Answer): Answer =>
    answer.with({ request: { ...answer.request, about: 'add-workspace' } })
  const malformed = about(answerOf(Buffer.from('{"success":true,"server":"Orl\xe9ans"}', 'latin1')))
  const page = about(answerOf('<!doctype html>'))

  it.each<[string, Answer, OperationId, Answer[], string]>([
    ['malformed where that itself is asked: no acceptance', malformed, 'add-workspace', [], 'Finding'],
    ['malformed for another operation: nothing', malformed, 'delete-collaboration', [], 'Unproven'],
    ['malformed after a refusal: nothing', malformed, 'delete-collaboration', [refused], 'Unproven'],
    ['malformed after an acceptance: nothing', malformed, 'add-workspace', [accepted], 'Unproven'],
    ['a refusal there: found', about(refused), 'delete-collaboration', [accepted], 'Finding'],
    ['a page there: found', page, 'delete-collaboration', [accepted], 'Finding'],
  ])('conclude from an answer of success that is %s', (_, answer, operation, before, name) => {
    const end = judge(answer, { before, operation }).thrown(toBeAccepted)
    expect(end).toMatchObject({ name })
    if (name === 'Unproven') expect((end as Error).message).toMatch(/is a malformed success.*not valid UTF-8/)
  })

  it('say what came of a request that must be refused, in the words of the check', () => {
    expect(judge().thrown(toBeRefused)).toMatchObject({
      name: 'Finding',
      message: 'the request was accepted',
    })
    const reported = judge().thrown((of) => of.toBeRefused('it made a workspace'))
    expect(reported).toMatchObject({ name: 'Finding', message: 'it made a workspace' })
  })
})

describe('toKeep and keeps', () => {
  const breach = { message: 'it is wrong', expected: 'right', actual: 'wrong', marks: { response: ['id'] } }

  it('go by the judge of the clause', () => {
    const kept = judge(accepted, { judgement: 'kept' })
    expect(kept.thrown(toKeep)).toBeUndefined()
    expect(kept.expected.keeps(id)).toBe(true)
    expect(kept.judged()).toBe(2)
    const broken = judge(accepted, { before: [refused], judgement: breach })
    const { message, actual, marks } = breach
    for (const act of [toKeep, (of: Expectation) => of.keeps(id)])
      expect(broken.thrown(act)).toMatchObject({
        name: 'Finding',
        message,
        grounds: { expected: ['right'], actual, answers: [refused, accepted], marks },
      })
  })

  it('prove nothing where the answer shows nothing', () => {
    const silent = judge(accepted, { before: [refused] })
    expect(silent.thrown(toKeep)).toMatchObject({
      name: 'Unproven',
      message: expect.stringContaining(id),
      answers: [refused, accepted],
    })
    expect(silent.expected.keeps(id)).toBe(false)
    expect(silent.judged()).toBe(0)
  })

  it('show what led to it, once', () => {
    const answer = answerOf({ success: true, id: 'w0' })
    const before = [{ answer }, { answer: refused }, {}] as unknown as NonNullable<Breach['before']>
    const error = judge(accepted, { before: [refused], judgement: { ...breach, before } }).thrown(toKeep)
    expect((error as Finding).grounds.answers).toEqual([answer, refused, accepted])
  })

  it('know a race, in which what was sent twice proves nothing', () => {
    const race = { ...breach, indirect: true as const }
    expect(judge(accepted, { judgement: race }).thrown(toKeep)).toMatchObject({ grounds: { indirect: true } })
    const again = accepted.with({ repeatedAfter: ['HTTP 504'] })
    expect(judge(again, { judgement: race }).thrown(toKeep)).toBeInstanceOf(Unproven)
    expect(judge(again, { judgement: breach }).thrown(toKeep)).toBeInstanceOf(Finding)
  })
})

it('toShow finds only what does not hold', () => {
  const { thrown, judged } = judge()
  expect(thrown(toShow(true))).toBeUndefined()
  expect(thrown(toShow(false))).toMatchObject({
    message: 'two came',
    grounds: { expected: ['one'], actual: 'two' },
  })
  expect(judged()).toBe(2)
})

it.each<[string, Answer, Act, object | undefined]>([
  ['in an acceptance', refused, (of) => of.toBeAccepted('200 characters', 'title'), { request: ['title'] }],
  [
    'in a refusal',
    accepted,
    (of) => of.toBeRefused(undefined, 'title', 'items'),
    { request: ['title', 'items'] },
  ],
  ['nowhere where the check knows of none', accepted, toBeRefused, undefined],
  ['nowhere in a relation', accepted, toShow(false), undefined],
])('the parameters that the check is about are marked: %s', (_, answer, act, marks) => {
  const { grounds } = judge(answer).thrown(act) as Finding
  expect(grounds.marks).toEqual(marks)
  expect('marks' in grounds).toBe(marks !== undefined)
})

describe('a request that had to be sent again', () => {
  const again = { repeatedAfter: ['HTTP 504'] }

  it.each<[string, Answer, Act, (readonly Answer[])?]>([
    ['where it is refused', refused.with(again), toBeAccepted],
    ['where another one is refused after it', refused, toBeAccepted, [accepted.with(again)]],
    ['of a relation or of timing', accepted.with(again), toShow(false)],
    ['of a clause', refused.with(again), toKeep],
  ])('proves nothing %s', (_, answer, act, before = []) => {
    expect(judge(answer, { before }).thrown(act)).toMatchObject({
      name: 'Unproven',
      message: expect.stringContaining('was retried after HTTP 504 and may have been performed twice'),
    })
  })

  it('is an acceptance where it is accepted, and a refusal where one was due', () => {
    expect(judge(accepted.with(again)).thrown(toBeAccepted)).toBeUndefined()
    expect(judge(refused.with(again)).thrown(toBeRefused)).toBeUndefined()
    expect(judge(accepted.with(again)).thrown(toBeRefused)).toBeInstanceOf(Finding)
  })
})

it.each<[string, Act, unknown[]]>([
  ['an acceptance that was wanted', toBeAccepted, [[true, 'accepted']]],
  ['an acceptance that was not', toBeRefused, [[true, 'refused']]],
  ['a clause', (of) => of.keeps(id), [true]],
  ['a clause of who may', (of) => of.keeps('add-workspace/refuses-guest'), [[true, 'refused']]],
  ['nothing', toShow(true), []],
])('what was read is reported: %s', (_, act, expected) => {
  const { thrown, read } = judge()
  thrown(act)
  expect(read).toEqual(expected)
})
