import { expect, test } from 'vitest'
import { Limiter, limiterOf } from './limiter.ts'
import { configurationFor } from './server.fixture.ts'

const never = new AbortController().signal

test('slots go to those who have waited longest, and to the urgent before them', async () => {
  const limiter = new Limiter(2)
  const order: string[] = []
  const acquire = async (name: string, urgent = false) => {
    const slot = await limiter.acquire(never, urgent)
    order.push(name)
    return slot
  }
  const holders = [acquire('a'), acquire('b'), acquire('c'), acquire('d'), acquire('urgent', true)] as const
  const first = await holders[0]
  const second = await holders[1]
  expect(order).toEqual(['a', 'b'])
  first.release()
  const urgent = await holders[4]
  expect(order).toEqual(['a', 'b', 'urgent'])
  second.release()
  urgent.release()
  await Promise.all(holders)
  expect(order).toEqual(['a', 'b', 'urgent', 'c', 'd'])
})

test('one limiter for all clients with the same settings', () => {
  const { http } = configurationFor('http://127.0.0.1:1')
  expect(limiterOf(http)).toBe(limiterOf(http))
  expect(limiterOf({ ...http })).not.toBe(limiterOf(http))
})
