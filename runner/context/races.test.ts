import { describe, expect, it } from 'vitest'
import { configurationFor } from '../../deployment/http/server.fixture.ts'
import { answerOf } from '../answers.fixture.ts'
import { Lanes } from '../lanes.ts'
import { type Racer, racersFor, startTogether } from './races.ts'

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
