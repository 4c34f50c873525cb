import { expect, test } from 'vitest'
import { observedSurroundings } from './surroundings.fixture.ts'
import { listenForInterrupt, untilAfter } from './surroundings.ts'

test('the first signal ends the work in order, the second leaves, and afterwards nobody listens', () => {
  const surroundings = observedSurroundings()
  let calls = 0
  const interrupt = listenForInterrupt(surroundings, () => {
    calls += 1
  })
  expect(interrupt.signal.aborted).toBe(false)
  surroundings.signals.emit('SIGTERM')
  expect([interrupt.signal.aborted, calls, surroundings.left]).toEqual([true, 1, []])
  surroundings.signals.emit('SIGINT')
  expect([calls, surroundings.left]).toEqual([1, [130]])
  interrupt.dispose()
  expect(surroundings.signals.eventNames()).toEqual([])
})

test('work is waited for without a bound until the signal, and no longer than the bound after it', async () => {
  const never = new Promise<string>(() => {})
  expect(await untilAfter(Promise.resolve('done'), new AbortController().signal, 0)).toBe('done')
  expect(await untilAfter(never, AbortSignal.abort(), 1)).toBeUndefined()
  const later = new AbortController()
  const waiting = untilAfter(never, later.signal, 1)
  later.abort()
  expect(await waiting).toBeUndefined()
  await expect(untilAfter(Promise.reject(new Error('broke')), later.signal, 1000)).rejects.toThrow('broke')
})
