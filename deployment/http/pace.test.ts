import { setMaxListeners } from 'node:events'
import { beforeEach, expect, onTestFinished, test, vi } from 'vitest'
import { Limiter, Pace, PaceOfTarget, type Rank } from './pace.ts'

const never = new AbortController().signal
setMaxListeners(0, never)

beforeEach(() => {
  vi.useFakeTimers()
  onTestFinished(() => {
    vi.useRealTimers()
  })
})

/** The largest number of times within any period of this length, excluding its end. */
const mostWithin = (times: readonly number[], length: number): number =>
  Math.max(...times.map((from) => times.filter((time) => time >= from && time < from + length).length))

/** Sends this many requests, each delayed by `lateMs`. Resolves with the times of sending. */
async function sendAll(pace: Pace, count: number, lateMs: (number: number) => number): Promise<number[]> {
  const sent: number[] = []
  const all = Array.from({ length: count }, async (_, number) => {
    await pace.turn(never)
    await new Promise((resolve) => setTimeout(resolve, lateMs(number)))
    sent.push(performance.now())
    pace.over(performance.now())
  })
  await vi.advanceTimersByTimeAsync(1_000_000)
  await Promise.all(all)
  return sent
}

const lateness: readonly (readonly [string, (number: number) => number])[] = [
  ['none delayed', () => 0],
  ['some delayed', (number) => (number % 3) * 130],
  ['slow first connections', (number) => (number < 8 ? 900 - number * 100 : 0)],
  ['one hanging', (number) => (number === 5 ? 20_000 : number % 2)],
]

test.each(
  [1, 2, 3, 7, 20, 60].flatMap((perSecond) =>
    lateness.map(([name, late]) => [perSecond, name, late] as const),
  ),
)('Pace allows at most %i requests in any second (%s)', async (perSecond, _, late) => {
  const sent = await sendAll(new Pace(perSecond), 6 * perSecond + 10, late)
  expect(sent).toHaveLength(6 * perSecond + 10)
  expect(mostWithin(sent, 1000)).toBeLessThanOrEqual(perSecond)
})

test.each([
  [2.5, 2, 1000],
  [0.5, 1, 2000],
  [0.1, 1, 10_000],
])('Pace of %d requests per second allows %i in %i ms', async (perSecond, most, length) => {
  const sent = await sendAll(new Pace(perSecond), 12, () => 0)
  expect(mostWithin(sent, length)).toBe(most)
})

test('Pace spaces requests evenly and not slower than configured', async () => {
  const sent = await sendAll(new Pace(20), 41, () => 0)
  const gaps = sent.slice(1).map((time, index) => Math.round(time - (sent[index] as number)))
  // Timers round up to whole milliseconds.
  expect(gaps.filter((gap) => gap < 50 || gap > 52)).toEqual([])
})

test('Pace delays the first request by a second, since earlier requests are unknown', async () => {
  const began = performance.now()
  const [first] = await sendAll(new Pace(20), 1, () => 0)
  expect((first as number) - began).toBeGreaterThanOrEqual(1000)
})

test('an abort ends the wait in Pace, and others keep their order', async () => {
  const abort = new AbortController()
  const pace = new Pace(1)
  const [first, second, third] = [pace.turn(never), pace.turn(abort.signal), pace.turn(never)]
  abort.abort()
  expect(await second).toBe(false)
  expect(await pace.turn(abort.signal)).toBe(false)
  await vi.advanceTimersByTimeAsync(1000)
  expect(await first).toBe(true)
  pace.over(performance.now())
  await vi.advanceTimersByTimeAsync(1000)
  expect(await third).toBe(true)
})

/** A limiter that records the names of its callers in the order of their slots. */
function orderOf(slots: number) {
  const limiter = new Limiter(slots)
  const order: string[] = []
  const acquire = async (name: string, rank?: Rank) => {
    const slot = await limiter.acquire(never, rank)
    order.push(name)
    return slot
  }
  return { order, acquire }
}

test('Limiter gives slots to urgent requests, then to waited-for requests, then in order', async () => {
  const { order, acquire } = orderOf(2)
  const [first, second] = [await acquire('a'), await acquire('b')]
  const [third, fourth] = [acquire('c'), acquire('d')]
  const waitedFor = acquire('waited for', 'waited-for')
  const urgent = acquire('urgent', 'urgent')
  expect(order).toEqual(['a', 'b'])
  first.release()
  ;(await urgent).release()
  await waitedFor
  expect(order).toEqual(['a', 'b', 'urgent', 'waited for'])
  second.release()
  ;(await waitedFor).release()
  await Promise.all([third, fourth])
  expect(order).toEqual(['a', 'b', 'urgent', 'waited for', 'c', 'd'])
})

test('Limiter gives every fourth slot to ordinary requests', async () => {
  const { order, acquire } = orderOf(1)
  const held = await acquire('held')
  const named = (name: string, count: number, rank?: Rank) =>
    Array.from({ length: count }, async (_, at) => (await acquire(`${name}${at}`, rank)).release())
  const all = [...named('o', 2), ...named('w', 7, 'waited-for')]
  held.release()
  await Promise.all(all)
  expect(order).toEqual(['held', 'w0', 'w1', 'w2', 'o0', 'w3', 'w4', 'w5', 'o1', 'w6'])
})

/** Sends at the pace of PaceOfTarget to a target that serves this many requests per second. */
function simulated(most: number, seconds: number) {
  const pace = new PaceOfTarget()
  let now = 0
  let [served, turnedAway, second, inSecond] = [0, 0, 0, 0]
  while (now < seconds * 1000) {
    now += 1000 / Math.min(1000, pace.perSecond ?? 1000)
    if (Math.floor(now / 1000) !== second) [second, inSecond] = [Math.floor(now / 1000), 0]
    if (inSecond < most) {
      inSecond += 1
      served += 1
      pace.served(now)
    } else {
      turnedAway += 1
      // Like the limiter: nothing is sent before the next second.
      if (pace.turnedAway(now, now)) now += 1000
    }
  }
  return { served, turnedAway, perSecond: pace.perSecond }
}

test.each([10, 50, 200])('PaceOfTarget finds the pace of a target with %i requests per second', (most) => {
  const { served, turnedAway, perSecond = 0 } = simulated(most, 60)
  expect(perSecond).toBeGreaterThan(most / 2)
  expect(perSecond).toBeLessThan(most * 1.5)
  expect(turnedAway).toBeLessThan(served / 5)
})

test('PaceOfTarget does not slow down if only every 50th request is throttled', () => {
  const pace = new PaceOfTarget()
  for (let now = 0; now < 10_000; now += 1) {
    if (now % 50 === 0) expect(pace.turnedAway(now, now)).toBe(false)
    else pace.served(now)
  }
  expect(pace.perSecond).toBeUndefined()
})
