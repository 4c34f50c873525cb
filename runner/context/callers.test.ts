import { expect, it } from 'vitest'
import { configurationFor } from '../../deployment/http/server.fixture.ts'
import { answerOf } from '../answers.fixture.ts'
import { Lanes } from '../lanes.ts'
import { type Racer, racersFor, startTogether } from './races.ts'

const answer = answerOf({ success: true })
const lane = new Lanes(1)
const together = (racers: readonly Racer[]) => startTogether(lane, racers)

it('holds every request until all have come to the gate', async () => {
  const order: string[] = []
  const racer =
    (name: string): Racer =>
    async ({ opened, reached }) => {
      order.push(`${name} comes`)
      reached()
      await opened
      order.push(`${name} goes`)
      return answer
    }
  await together([racer('a'), racer('b'), racer('c')])
  expect(order.slice(0, 3)).toEqual(['a comes', 'b comes', 'c comes'])
  expect(order).toHaveLength(6)
})

it('ends where one fails before it comes to the gate', async () => {
  const waits: Racer = async ({ opened, reached }) => {
    reached()
    await opened
    return answer
  }
  const fails: Racer = () => Promise.reject(new Error('gone'))
  await expect(together([waits, fails, waits])).rejects.toThrow('gone')
  await expect(together([waits, waits])).resolves.toHaveLength(2)
})

it('counts a request once, however often it says that it has come', async () => {
  const order: string[] = []
  const eager: Racer = async ({ opened, reached }) => {
    reached()
    reached()
    await opened
    order.push('eager goes')
    return answer
  }
  const late: Racer = async ({ opened, reached }) => {
    await new Promise((resolve) => setImmediate(resolve))
    order.push('late comes')
    reached()
    await opened
    return answer
  }
  await together([eager, late])
  expect(order).toEqual(['late comes', 'eager goes'])
})

it('gathers one race at a time, and gives the answers in the order of the racers', async () => {
  const order: string[] = []
  const racer =
    (name: string): Racer =>
    async ({ opened, reached }) => {
      order.push(`${name} starts`)
      await new Promise((resolve) => setImmediate(resolve))
      order.push(`${name} comes`)
      reached()
      await opened
      return answerOf({ name })
    }
  const races = await Promise.all([together([racer('a'), racer('b')]), together([racer('c'), racer('d')])])
  expect(order.indexOf('c starts')).toBeGreaterThan(order.indexOf('b comes'))
  expect(races.flat().map(({ body }) => JSON.parse(body.toString()).name)).toEqual(['a', 'b', 'c', 'd'])
})

it.each([
  [1, 8, 2],
  [7, 8, 3],
  [8, 3, 3],
  [40, 8, 8],
])('with %i connections, of %i requests that would race, %i do', (concurrency, most, expected) => {
  expect(racersFor(configurationFor('http://127.0.0.1:1/rest', { http: { concurrency } }), most)).toBe(
    expected,
  )
})

it('no more race than may be sent in a second', () => {
  const slow = configurationFor('http://127.0.0.1:1/rest', {
    http: { concurrency: 40, requestsPerSecond: 3.5 },
  })
  expect(racersFor(slow, 8)).toBe(3)
})
