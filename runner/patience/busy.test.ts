import { expect, test } from 'vitest'
import { isAccepted } from '../../clauses/acceptance.ts'
import { type Answer, errorCodeOf } from '../../deployment/http/exchange.ts'
import type { OperationId } from '../../specs/operations.ts'
import { answerOf } from '../answers.fixture.ts'
import { Busy, saysBusy } from './patience.ts'

const accepted = answerOf({ success: true })
const refused = answerOf({ error: { code: 400 } })
const busy = answerOf({ error: { code: 409 } })

/** What a request of that operation is answered in the end: accepted, or a code. */
async function sent(
  known: Busy,
  operation: OperationId,
  ask: () => Promise<Answer>,
): Promise<number | 'accepted'> {
  const now = async () => (await ask()).with({ sentAt: performance.now() })
  const first = await known.inTurn(operation, now)
  const last = saysBusy(first) ? await known.again(operation, now, first) : first
  return isAccepted(last) ? 'accepted' : errorCodeOf(last)
}

/** Gives these answers in turn, the last one for ever; how often it was asked. */
function target(...answers: readonly Answer[]) {
  let asked = 0
  return {
    ask: async () => answers[Math.min(asked++, answers.length - 1)] as Answer,
    asked: () => asked,
  }
}

test.each([
  ['is accepted', 'accepted', [busy, accepted], 2],
  ['is refused for another reason', 400, [busy, refused, accepted], 2],
  ['was accepted at once', 'accepted', [accepted], 1],
  ['is refused, and nothing is said of being busy', 400, [refused, accepted], 1],
])('what counts of a request that %s', async (_, wanted, answers, times) => {
  const { ask, asked } = target(...answers)
  const known = new Busy()
  expect(await sent(known, 'add-workspace', ask)).toBe(wanted)
  expect([asked(), known.count]).toEqual([times, times - 1])
})

test('what is busy for ever is asked a few times, and then no more', async () => {
  const known = new Busy()
  const { ask, asked } = target(busy)
  const ask1 = () => sent(known, 'add-workspace', ask)
  expect(await Promise.all([ask1(), ask1(), ask1(), ask1()])).toEqual([409, 409, 409, 409])
  const before = asked()
  expect(await ask1()).toBe(409)
  expect(asked()).toBe(before + 1)
})

test('what can do one thing at a time is asked for one at a time, once that is seen', async () => {
  const known = new Busy()
  let under = 0
  let met = 0
  const ask = async () => {
    if (under > 0) {
      met += 1
      return busy
    }
    under += 1
    await new Promise((resolve) => setTimeout(resolve, 5))
    under -= 1
    return accepted
  }
  const several = () => Promise.all([1, 2, 3, 4, 5].map(() => sent(known, 'add-workspace', ask)))
  expect(await several()).toEqual(Array(5).fill('accepted'))
  met = 0
  await several()
  expect(met).toBe(0)
})

test('where one operation keeps another away, all are accepted all the same', async () => {
  const known = new Busy()
  let under = 0
  const ask = async () => {
    if (under > 0) return busy
    under += 1
    await new Promise((resolve) => setTimeout(resolve, 5))
    under -= 1
    return accepted
  }
  const operations = ['add-workspace', 'update-participant', 'delete-collaboration'] as const
  for (let round = 0; round < 3; round += 1) {
    const asked = operations.flatMap((operation) => [
      sent(known, operation, ask),
      sent(known, operation, ask),
    ])
    expect(new Set(await Promise.all(asked))).toEqual(new Set(['accepted']))
  }
})
