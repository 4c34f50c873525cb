import { describe, expect, it } from 'vitest'
import type { Breach, Judgement } from '../../clauses/clause.ts'
import type { Answer } from '../../deployment/http/exchange.ts'
import { show } from '../../schemas/wording.ts'
import type { OperationId } from '../../specs/operations.ts'
import { answerOf } from '../answers.fixture.ts'
import { Finding, Unproven } from '../findings.ts'
import { control, Expectation } from './expectations.ts'

const accepted = answerOf({ success: true, id: 'w1', count: 3, in: { list: [] }, half: 1.5 })
const refused = answerOf({ error: { code: 400 } })

/** What is thrown, and how often something was really looked at. */
function judge(
  answer: Answer = accepted,
  before = [answerOf({ success: false })],
  judgement?: Judgement,
  operation?: OperationId,
) {
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
  const thrown = (act: (of: typeof expected) => unknown): unknown => {
    try {
      act(expected)
    } catch (error) {
      return error
    }
    return undefined
  }
  return { expected, thrown, judged: () => judged, read }
}

type Expected = Expectation

describe('control', () => {
  it('gives the body of what was accepted', () => {
    expect(control(accepted)).toMatchObject({ id: 'w1' })
  })

  it('proves nothing where it was not, and shows that answer', () => {
    const error = (() => {
      try {
        return control(refused, 'the first sync')
      } catch (thrown) {
        return thrown
      }
    })()
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
    expect(no.thrown((of) => of.toBeRefused())).toBeUndefined()
    expect([yes.judged(), no.judged()]).toEqual([1, 1])
  })

  it('find what is not, with all answers that lead to it', () => {
    const before = [answerOf({ success: true }), refused]
    const error = judge(refused, before).thrown((of) => of.toBeAccepted('a title of 1 character'))
    expect(error).toBeInstanceOf(Finding)
    expect((error as Finding).grounds).toMatchObject({
      actual: expect.stringMatching(/^not accepted/),
      counterexample: 'a title of 1 character',
    })
    expect((error as Finding).grounds.answers).toEqual([before[0], refused])
    expect(judge(refused).thrown((of) => of.toBeAccepted())).not.toHaveProperty('grounds.counterexample')
  })

  describe('of an answer of success that is malformed', () => {
    const about = (answer: Answer): Answer =>
      answer.with({ request: { ...answer.request, about: 'add-workspace' } })
    const malformed = about(answerOf(Buffer.from('{"success":true,"server":"Orl\xe9ans"}', 'latin1')))
    const end = (answer: Answer, before: Answer[], operation: OperationId) =>
      judge(answer, before, undefined, operation).thrown((of) => of.toBeAccepted())

    it('find that it is no acceptance where that itself is asked', () => {
      expect(end(malformed, [], 'add-workspace')).toBeInstanceOf(Finding)
    })

    it('conclude nothing for another operation, nor from what went before', () => {
      const reason = expect.stringMatching(/is a malformed success.*not valid UTF-8/)
      for (const [before, operation] of [
        [[], 'delete-collaboration'],
        [[refused], 'delete-collaboration'],
        [[accepted], 'add-workspace'],
      ] as const)
        expect(end(malformed, [...before], operation)).toMatchObject({ name: 'Unproven', message: reason })
    })

    it('find a refusal there all the same', () => {
      expect(end(about(refused), [accepted], 'delete-collaboration')).toBeInstanceOf(Finding)
      const page = about(answerOf('<!doctype html>'))
      expect(end(page, [accepted], 'delete-collaboration')).toBeInstanceOf(Finding)
    })
  })

  it('say what came of a request that must be refused, in the words of the check', () => {
    const plain = judge().thrown((of) => of.toBeRefused())
    expect(plain).toMatchObject({ name: 'Finding', message: 'the request was accepted' })
    const reported = judge().thrown((of) => of.toBeRefused('it made a workspace'))
    expect(reported).toMatchObject({ name: 'Finding', message: 'it made a workspace' })
  })
})

describe('toKeep and keeps', () => {
  const breach = { message: 'it is wrong', expected: 'right', actual: 'wrong', marks: { response: ['id'] } }
  const id = 'add-workspace/id-is-new'

  it('go by the judge of the clause', () => {
    const kept = judge(accepted, [], 'kept')
    expect(kept.thrown((of) => of.toKeep(id))).toBeUndefined()
    expect(kept.expected.keeps(id)).toBe(true)
    expect(kept.judged()).toBe(2)
    const broken = judge(accepted, [refused], breach)
    for (const act of [(of: Expected) => of.toKeep(id), (of: Expected) => of.keeps(id)])
      expect(broken.thrown(act)).toMatchObject({
        name: 'Finding',
        message: 'it is wrong',
        grounds: {
          expected: ['right'],
          actual: 'wrong',
          answers: [refused, accepted],
          marks: { response: ['id'] },
        },
      })
  })

  it('prove nothing where the answer shows nothing', () => {
    const silent = judge(accepted, [refused])
    expect(silent.thrown((of) => of.toKeep(id))).toMatchObject({
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
    const error = judge(accepted, [refused], { ...breach, before }).thrown((of) => of.toKeep(id))
    expect((error as Finding).grounds.answers).toEqual([answer, refused, accepted])
  })

  it('know a race, in which what was sent twice proves nothing', () => {
    const race = { ...breach, indirect: true as const }
    expect(judge(accepted, [], race).thrown((of) => of.toKeep(id))).toMatchObject({
      grounds: { indirect: true },
    })
    const again = accepted.with({ repeatedAfter: ['HTTP 504'] })
    expect(judge(again, [], race).thrown((of) => of.toKeep(id))).toBeInstanceOf(Unproven)
    expect(judge(again, [], breach).thrown((of) => of.toKeep(id))).toBeInstanceOf(Finding)
  })
})

describe('toShow', () => {
  it('finds only what does not hold', () => {
    const { thrown, judged } = judge()
    const grounds = { expected: 'one', actual: 'two' }
    expect(thrown((of) => of.toShow(true, 'two came', grounds))).toBeUndefined()
    expect(thrown((of) => of.toShow(false, 'two came', grounds))).toMatchObject({
      message: 'two came',
      grounds: { expected: ['one'], actual: 'two' },
    })
    expect(judged()).toBe(2)
  })
})

describe('show', () => {
  it('escapes what does not print', () => {
    expect(show('a\u200bb\u202ec')).toBe('"a\\u200bb\\u202ec"')
    expect(show('\u0085')).toBe('"\\u0085"')
  })

  it('shows nothing as nothing, and cuts what is long', () => {
    expect(show(undefined)).toBe('nothing')
    expect(show('x'.repeat(298))).toBe(`"${'x'.repeat(298)}"`)
    expect(show('x'.repeat(299))).toBe(`"${'x'.repeat(299)}… (301 characters)`)
  })
})

describe('marks', () => {
  const marksOf = (error: unknown) => (error as Finding).grounds.marks

  it('are the parameters that the check is about', () => {
    const refusal = judge(refused).thrown((of) => of.toBeAccepted('200 characters', 'title'))
    expect(marksOf(refusal)).toEqual({ request: ['title'] })
    const acceptance = judge().thrown((of) => of.toBeRefused(undefined, 'title', 'items'))
    expect(marksOf(acceptance)).toEqual({ request: ['title', 'items'] })
  })

  it('are absent where the check knows of none', () => {
    for (const act of [
      (of: Expectation) => of.toBeRefused(),
      (of: Expectation) => of.toShow(false, 'wrong', { expected: '', actual: '' }),
    ])
      expect((judge().thrown(act) as Finding).grounds).not.toHaveProperty('marks')
  })
})

describe('a request that had to be sent again', () => {
  const again = { repeatedAfter: ['HTTP 504'] }
  const unproven = {
    name: 'Unproven',
    message: expect.stringContaining('was retried after HTTP 504 and may have been performed twice'),
  }

  it('proves nothing where it is refused, or where another one is refused after it', () => {
    expect(judge(refused.with(again)).thrown((of) => of.toBeAccepted())).toMatchObject(unproven)
    expect(judge(refused, [accepted.with(again)]).thrown((of) => of.toBeAccepted())).toMatchObject(unproven)
  })

  it('proves no relation and no timing', () => {
    const late = judge(accepted.with(again)).thrown((of) =>
      of.toShow(false, 'too soon', { expected: '', actual: '' }),
    )
    expect(late).toMatchObject(unproven)
  })

  it('is an acceptance where it is accepted, and a refusal where one was due', () => {
    expect(judge(accepted.with(again)).thrown((of) => of.toBeAccepted())).toBeUndefined()
    expect(judge(refused.with(again)).thrown((of) => of.toBeRefused())).toBeUndefined()
    expect(judge(accepted.with(again)).thrown((of) => of.toBeRefused())).toBeInstanceOf(Finding)
  })

  it('is said where it shows nothing of a clause', () => {
    expect(judge(refused.with(again)).thrown((of) => of.toKeep('add-workspace/id-is-new'))).toMatchObject(
      unproven,
    )
  })
})

describe('what was read', () => {
  it.each<[string, (of: Expectation) => unknown, unknown[]]>([
    ['an acceptance that was wanted', (of) => of.toBeAccepted(), [[true, 'accepted']]],
    ['an acceptance that was not', (of) => of.toBeRefused(), [[true, 'refused']]],
    ['a clause', (of) => of.keeps('add-workspace/id-is-new'), [true]],
    ['a clause of who may', (of) => of.keeps('add-workspace/refuses-guest'), [[true, 'refused']]],
    ['nothing', (of) => of.toShow(true, '', { expected: '', actual: '' }), []],
  ])('is reported: %s', (_, act, expected) => {
    const { thrown, read } = judge()
    thrown(act)
    expect(read).toEqual(expected)
  })
})
