import { expect, it } from 'vitest'
import { CircuitBreaker, stopOf } from './circuit-breaker.ts'

it('opens after twenty broken exchanges in a row, and says so', () => {
  const breaker = new CircuitBreaker()
  for (let count = 0; count < 19; count += 1) breaker.broke('reset')
  breaker.held()
  for (let count = 0; count < 19; count += 1) breaker.broke('reset')
  expect(breaker.signal.aborted).toBe(false)
  breaker.broke('refused')
  expect(breaker.signal.aborted).toBe(true)
  expect(breaker.reason).toBe('nothing more is sent after 20 broken exchanges in a row; the last: refused')
  const checks = [{}, { reason: 'reset' }, { reason: breaker.reason }]
  expect(stopOf(checks)).toBe(breaker.reason)
  expect(stopOf(checks.slice(0, 2))).toBeUndefined()
})
