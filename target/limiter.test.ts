import { expect, test } from 'vitest'
import { Limiter } from './limiter.ts'

const never = new AbortController().signal

test('slots go to those who have waited longest', async () => {
  const limiter = new Limiter(2)
  const order: number[] = []
  const holders = [0, 1, 2, 3, 4].map((number) => limiter.acquire(never).then(() => order.push(number)))
  await Promise.all(holders.slice(0, 2))
  expect(order).toEqual([0, 1])
  limiter.release()
  await holders[2]
  expect(order).toEqual([0, 1, 2])
  limiter.release()
  limiter.release()
  await Promise.all(holders)
  expect(order).toEqual([0, 1, 2, 3, 4])
})

test('an abort ends the wait for a turn', async () => {
  const abort = new AbortController()
  const limiter = new Limiter(2, 0.001)
  await limiter.acquire(abort.signal)
  const second = limiter.acquire(abort.signal)
  abort.abort()
  await expect(second).resolves.toBeUndefined()
})
