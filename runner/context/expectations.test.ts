import { describe, expect, it } from 'vitest'
import { show } from '../../schemas/wording.ts'
import { answerOf } from '../answers.fixture.ts'
import { Finding, Unproven } from '../findings.ts'
import { control, expectation } from './expectations.ts'

const accepted = answerOf({ success: true, id: 'w1', count: 3, in: { list: [] }, half: 1.5 })
const refused = answerOf({ error: { code: 400 } })

/** What is thrown, and how often something was really looked at. */
function judge(answer = accepted, before = [answerOf({ success: false })]) {
  let judged = 0
  const read: unknown[] = []
  const expected = expectation(answer, before, {
    judged: () => {
      judged += 1
    },
    look: () => undefined,
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

  it('say what came of a request that must be refused, where the check can tell', () => {
    const plain = judge().thrown((of) => of.toBeRefused())
    expect(plain).toMatchObject({ name: 'Finding', message: 'the request was accepted' })
    const told = judge().thrown((of) => of.toBeRefused(({ id }) => `it made ${id}`))
    expect(told).toMatchObject({ name: 'Finding', message: 'it made w1' })
    const silent = judge().thrown((of) => of.toBeRefused(() => undefined))
    expect(silent).toMatchObject({ name: 'Finding', message: 'the request was accepted' })
  })
})

describe('toMatch', () => {
  const wrong = answerOf({ success: true, workspace: { id: 7 } })

  it('finds a body that breaks the schema, and names every place', () => {
    const { thrown, judged } = judge(wrong)
    const error = thrown((of) => of.toMatch('add-workspace.response'))
    expect(error).toBeInstanceOf(Finding)
    expect((error as Finding).grounds.expected[0]).toContain('add-workspace.response.schema.json')
    expect((error as Finding).grounds.actual).toContain('; ')
    expect(judged()).toBe(1)
  })

  it('lets pass what breaks only where another requirement looks', () => {
    const { thrown, judged } = judge(wrong)
    expect(thrown((of) => of.toMatch('add-workspace.response', () => false))).toBeUndefined()
    expect(judged()).toBe(1)
  })

  it('proves nothing on a refusal', () => {
    const { thrown, judged } = judge(refused)
    expect(thrown((of) => of.toMatch('add-workspace.response'))).toMatchObject({
      name: 'Unproven',
      answers: [refused],
    })
    expect(judged()).toBe(0)
  })
})

describe('object and field', () => {
  it('give what stands at a path', () => {
    const { expected } = judge()
    expect(expected.object('in')).toEqual({ list: [] })
    expect(expected.field('id').string).toBe('w1')
    expect(expected.field('count').integer).toBe(3)
  })

  it.each<[string, (of: ReturnType<typeof expectation>) => unknown]>([
    ['no object', (of) => of.object('id')],
    ['null', (of) => of.object('nothing')],
    ['a key that is inherited', (of) => of.object('__proto__')],
    ['a path through a string', (of) => of.field('id.length').integer],
    ['a number for a string', (of) => of.field('count').string],
    ['a string for a number', (of) => of.field('id').integer],
    ['a fraction', (of) => of.field('half').integer],
    ['a field that is not there', (of) => of.field('in.absent').toBe('x')],
  ])('prove nothing where there is %s', (_, act) => {
    const { thrown, judged } = judge()
    expect(thrown(act)).toMatchObject({ name: 'Unproven', answers: [accepted] })
    expect(judged()).toBe(0)
  })

  it('find a field that is another string', () => {
    const { expected, thrown, judged } = judge()
    expected.field('id').toBe('w1')
    expected.field('id').toBe('W1', (text) => text.toLowerCase())
    expect(thrown((of) => of.field('id').toBe('W1'))).toMatchObject({
      name: 'Finding',
      grounds: { expected: ['id: "W1"'], actual: 'id: "w1"' },
    })
    expect(judged()).toBe(3)
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
  const wrong = answerOf({ success: true, workspace: { id: 7, config: [] } })

  it('are the parameters that the check is about', () => {
    const refusal = judge(refused).thrown((of) => of.toBeAccepted('200 characters', 'title'))
    expect(marksOf(refusal)).toEqual({ request: ['title'] })
    const acceptance = judge().thrown((of) => of.toBeRefused(undefined, 'title', 'items'))
    expect(marksOf(acceptance)).toEqual({ request: ['title', 'items'] })
  })

  it('are the fields of the answer that are wrong, each once, with dots between all keys', () => {
    const shape = judge(wrong).thrown((of) =>
      of.toMatch('add-workspace.response', (path) => path === 'workspace.id'),
    )
    expect(marksOf(shape)).toEqual({ response: ['workspace.id'] })
    const value = judge().thrown((of) => of.field('id').toBe('W1'))
    expect(marksOf(value)).toEqual({ response: ['id'] })
    const shown = judge().thrown((of) =>
      of.toShow(false, 'wrong', { expected: '', actual: '', fields: ['a[1].b', '', 'a[1].b', 'c'] }),
    )
    expect(marksOf(shown)).toEqual({ response: ['a.1.b', 'c'] })
  })

  it('are absent where the check knows of none', () => {
    for (const act of [
      (of: ReturnType<typeof expectation>) => of.toBeRefused(),
      (of: ReturnType<typeof expectation>) => of.toShow(false, 'wrong', { expected: '', actual: '' }),
      (of: ReturnType<typeof expectation>) =>
        of.toShow(false, 'wrong', { expected: '', actual: '', fields: [''] }),
    ])
      expect((judge().thrown(act) as Finding).grounds).not.toHaveProperty('marks')
  })
})

describe('a request that had to be sent again', () => {
  const again = { repeatedAfter: ['HTTP 504'] }
  const unproven = {
    name: 'Unproven',
    message: expect.stringContaining('had to be sent again after HTTP 504, and may have been done then'),
  }

  it('proves nothing where it is refused, or where another one is refused after it', () => {
    expect(judge({ ...refused, ...again }).thrown((of) => of.toBeAccepted())).toMatchObject(unproven)
    expect(judge(refused, [{ ...accepted, ...again }]).thrown((of) => of.toBeAccepted())).toMatchObject(
      unproven,
    )
  })

  it('proves no relation and no timing', () => {
    const late = judge({ ...accepted, ...again }).thrown((of) =>
      of.toShow(false, 'too soon', { expected: '', actual: '' }),
    )
    expect(late).toMatchObject(unproven)
  })

  it('is an acceptance where it is accepted, and a refusal where one was due', () => {
    expect(judge({ ...accepted, ...again }).thrown((of) => of.toBeAccepted())).toBeUndefined()
    expect(judge({ ...refused, ...again }).thrown((of) => of.toBeRefused())).toBeUndefined()
    expect(judge({ ...accepted, ...again }).thrown((of) => of.toBeRefused())).toBeInstanceOf(Finding)
  })
})

describe('what was read', () => {
  it.each<[string, (of: ReturnType<typeof expectation>) => unknown, unknown[]]>([
    ['an acceptance that was wanted', (of) => of.toBeAccepted(), [[true, 'accepted']]],
    ['an acceptance that was not', (of) => of.toBeRefused(), [[true, 'refused']]],
    ['a field', (of) => of.field('id').string, [true]],
    ['nothing', (of) => of.toShow(true, '', { expected: '', actual: '' }), []],
  ])('is told: %s', (_, act, expected) => {
    const { thrown, read } = judge()
    thrown(act)
    expect(read).toEqual(expected)
  })
})
