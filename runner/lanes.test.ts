import { describe, expect, it } from 'vitest'
import { configurationFor } from '../deployment/http/server.fixture.ts'
import { answerOf } from './answers.fixture.ts'
import { Lanes, type Racer, racersFor, startTogether } from './lanes.ts'

/** Starts tasks that end on request, and records the order in which they begin. */
function work(lanes: Lanes) {
  const begun: string[] = []
  const start = (name: string, wide?: number) => {
    let end: (error?: Error) => void = () => undefined
    const over = lanes.run(
      () =>
        new Promise<string>((resolve, reject) => {
          begun.push(name)
          end = (error) => (error === undefined ? resolve(name) : reject(error))
        }),
      wide,
    )
    return { over, end: (error?: Error) => end(error) }
  }
  return { begun, start }
}

const soon = () => new Promise((resolve) => setImmediate(resolve))

it('a task that takes several lanes waits for all of them, and no later task overtakes', async () => {
  const { begun, start } = work(new Lanes(3))
  const [a, b] = [start('a'), start('b')]
  const [two, c, wide] = [start('two', 2), start('c'), start('too wide', 4)]
  const order = ['a', 'b', 'two', 'c', 'too wide']
  // The number of tasks begun before any ends, and then after each end.
  const counts = [2, 3, 4, 4, 5]
  for (const [at, each] of [a, b, two, c, wide].entries()) {
    await soon()
    expect(begun).toEqual(order.slice(0, counts[at]))
    each.end()
  }
  await Promise.all([a, b, two, c, wide].map(({ over }) => over))
})

it('frees the lane of a failed task', async () => {
  const { begun, start } = work(new Lanes(1))
  const fails = start('fails')
  fails.end(new Error('gone'))
  await expect(fails.over).rejects.toThrow('gone')
  const next = start('next')
  await soon()
  expect(begun).toEqual(['fails', 'next'])
  next.end()
  await next.over
})

it('has at least one lane', async () => {
  expect(await new Lanes(0).run(async () => 'done')).toBe('done')
})

const answer = answerOf({ success: true })
const lane = new Lanes(1)
const together = (racers: readonly Racer[]) => startTogether(lane, racers)

/** Records in `order` when it starts, reaches the gate a little later, and goes on. */
const recording =
  (order: string[], name: string): Racer =>
  async ({ opened, reached }) => {
    order.push(`${name} starts`)
    await new Promise((resolve) => setImmediate(resolve))
    order.push(`${name} comes`)
    reached()
    await opened
    order.push(`${name} goes`)
    return answerOf({ name })
  }

describe('startTogether', () => {
  it('holds every request until all have reached the gate', async () => {
    const order: string[] = []
    await together(['a', 'b', 'c'].map((name) => recording(order, name)))
    expect(order.slice(3, 6)).toEqual(['a comes', 'b comes', 'c comes'])
    expect(order).toHaveLength(9)
  })

  it('rejects if a request fails before it reaches the gate', async () => {
    const waits: Racer = async ({ opened, reached }) => {
      reached()
      await opened
      return answer
    }
    const fails: Racer = () => Promise.reject(new Error('gone'))
    await expect(together([waits, fails, waits])).rejects.toThrow('gone')
    await expect(together([waits, waits])).resolves.toHaveLength(2)
  })

  it('counts a request once, even if it reaches the gate twice', async () => {
    const order: string[] = []
    const eager: Racer = async ({ opened, reached }) => {
      reached()
      reached()
      await opened
      order.push('eager goes')
      return answer
    }
    await together([eager, recording(order, 'late')])
    expect(order.filter((each) => !each.startsWith('late s'))).toEqual([
      'late comes',
      'eager goes',
      'late goes',
    ])
  })

  it('starts one race at a time, and returns the answers in the order of the racers', async () => {
    const order: string[] = []
    const race = (...names: string[]) => together(names.map((name) => recording(order, name)))
    const races = await Promise.all([race('a', 'b'), race('c', 'd')])
    expect(order.indexOf('c starts')).toBeGreaterThan(order.indexOf('b comes'))
    expect(races.flat().map(({ body }) => JSON.parse(body.toString()).name)).toEqual(['a', 'b', 'c', 'd'])
  })
})

it.each([
  [{ concurrency: 1 }, 8, 2],
  [{ concurrency: 7 }, 8, 3],
  [{ concurrency: 8 }, 3, 3],
  [{ concurrency: 40 }, 8, 8],
  [{ concurrency: 40, requestsPerSecond: 3.5 }, 8, 3],
])('racersFor: with %j and at most %i requests, %i start together', (http, most, expected) => {
  expect(racersFor(configurationFor('http://127.0.0.1:1/rest', { http }), most)).toBe(expected)
})
