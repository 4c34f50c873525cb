import { describe, expect, it } from 'vitest'
import { TransportError } from '../../deployment/http/exchange.ts'
import { answerOf } from '../answers.fixture.ts'
import { classesOf, ExchangeTally } from './counts.ts'
import { askedFor, exchangeOf } from './exchange.fixture.ts'

const of = { operation: 'add-workspace', actor: 'hostAdministrator' } as const
const effect = { ...of, at: { collaborationId: 'c' }, request: {} }
const asked = askedFor(effect, [['collaborationWorkspaceName', 'Zoë']])

const answered = (body: object, sentAt: number, durationMs: number) =>
  exchangeOf(asked, answerOf(body, { sentAt, answeredAt: sentAt + durationMs }))
const accepted = { success: true }

describe('ExchangeTally', () => {
  it('counts exchanges by operation, caller and class of value', () => {
    const tally = new ExchangeTally(0)
    tally.came(answered(accepted, 50, 3))
    tally.came(answered({ error: {} }, 150, 30_000))
    tally.broke(asked, new TransportError('broken', 'cut', answerOf('').request))
    tally.broke(asked, new Error('nothing of the target'))
    const summary = tally.summary()
    expect(summary?.callers).toEqual([{ ...of, portal: 'host', accepted: 1, refused: 1, broken: 1 }])
    const { times, slowest } = summary!.operations[0]!
    expect(times.reduce((sum, count) => sum + count)).toBe(2)
    expect([times[2], times.at(-1)]).toEqual([1, 1])
    expect(slowest.map(({ durationMs }) => durationMs)).toEqual([30_000, 3])
    expect(summary?.values.find((each) => each.class === 'beyond ASCII')).toMatchObject({
      parameter: 'collaborationWorkspaceName',
      accepted: 1,
      refused: 1,
    })
  })

  it('keeps the summary short in a long run', () => {
    const tally = new ExchangeTally(0)
    for (let at = 0; at < 5000; at += 1) tally.came(answered(accepted, at * 1000, 1))
    const summary = tally.summary()!
    const slices = summary.operations[0]!.slices
    expect(slices.length).toBeLessThanOrEqual(60)
    expect(slices.reduce((sum, [count]) => sum + count, 0)).toBe(5000)
    expect(JSON.stringify(summary).length).toBeLessThan(3000)
  })

  it('has no summary if nothing was sent', () => {
    expect(new ExchangeTally(0).summary()).toBeUndefined()
  })
})

it.each([
  [[], ['left out']],
  [[['name', '']], ['empty']],
  [[['name', 'abc']], ['at the limit', 'ASCII']],
  [[['name', 'ab']], ['within the limit', 'ASCII']],
  [[['name', 'a&bc']], ['one over', 'ASCII', 'reserved characters']],
  [[['name', '漢字漢字漢字']], ['far over', 'beyond ASCII']],
  [[['name', '𠀀']], ['within the limit', 'astral']],
  [
    [
      ['name', 'a'],
      ['name', 'b'],
    ],
    ['within the limit', 'sent twice', 'ASCII'],
  ],
] as const)('classesOf puts %j into the classes %j', (fields, classes) => {
  expect(classesOf(fields as never, 'name', 3, false)).toEqual(classes)
})
