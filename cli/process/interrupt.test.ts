import { expect, test } from 'vitest'
import { observedContext } from './command-context.fixture.ts'
import { listenForInterrupt, untilAfter } from './command-context.ts'

test('the first signal ends the work in order, the second leaves, and afterwards no one listens', () => {
  const commandContext = observedContext()
  let calls = 0
  const interrupt = listenForInterrupt(commandContext, () => {
    calls += 1
  })
  expect(interrupt.signal.aborted).toBe(false)
  commandContext.signals.emit('SIGTERM')
  expect([interrupt.signal.aborted, calls, commandContext.left]).toEqual([true, 1, []])
  commandContext.signals.emit('SIGINT')
  expect([calls, commandContext.left]).toEqual([1, [130]])
  interrupt.dispose()
  expect(commandContext.signals.eventNames()).toEqual([])
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
