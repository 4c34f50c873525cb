import { expect, it } from 'vitest'
import { answerOf } from './answers.fixture.ts'
import { CircuitBreaker } from './channel.ts'

const now = () => ({ began: performance.now(), putOff: false })

it('takes a rest after a few that broke, and counts none of those that broke with them', () => {
  const breaker = new CircuitBreaker()
  breaker.answered()
  const together = now()
  for (let count = 0; count < 3; count += 1) breaker.broke('reset', together)
  expect(breaker.pauseLeftMs).toBe(0)
  for (let count = 0; count < 60; count += 1) breaker.broke('reset', together)
  expect(breaker.pauseLeftMs).toBeGreaterThan(0)
  expect(breaker.signal.aborted).toBe(false)
  breaker.answered()
  expect(breaker.pauseLeftMs).toBe(0)
})

it('takes none before a target that never answered', () => {
  const breaker = new CircuitBreaker()
  for (let count = 0; count < 20; count += 1) breaker.broke('reset', now())
  expect([breaker.pauseLeftMs, breaker.signal.aborted]).toEqual([0, true])
})

it('opens after twenty broken exchanges in a row, and says so', () => {
  const breaker = new CircuitBreaker()
  for (let count = 0; count < 19; count += 1) breaker.broke('reset', now())
  breaker.answered()
  for (let count = 0; count < 19; count += 1) breaker.broke('reset', now())
  expect(breaker.signal.aborted).toBe(false)
  breaker.broke('refused', now())
  expect(breaker.signal.aborted).toBe(true)
  expect(breaker.reason).toBe('the run stopped sending after 20 broken exchanges in a row; the last: refused')
})

it('counts throttled requests only where nothing else was answered in the meantime', () => {
  const breaker = new CircuitBreaker()
  const before = performance.now() - 1
  breaker.answered()
  for (let count = 0; count < 40; count += 1) breaker.broke('not available', { began: before, putOff: true })
  expect(breaker.signal.aborted).toBe(false)
  const after = performance.now() + 1
  for (let count = 0; count < 20; count += 1) breaker.broke('not available', { began: after, putOff: true })
  expect(breaker.signal.aborted).toBe(true)
})

it('says how many wrong credentials had been answered before', () => {
  const breaker = new CircuitBreaker()
  for (let count = 0; count < 31; count += 1) breaker.wrongCredential()
  for (let count = 0; count < 20; count += 1) breaker.broke('connection refused', now())
  expect(breaker.reason).toMatch(
    /^the run stopped sending after 20 broken exchanges in a row; the last: connection refused; before that 31 requests with wrong credentials had been answered, /,
  )
})

it('opens where a page comes in place of everything', () => {
  const breaker = new CircuitBreaker()
  const asked = ['member add-workspace', 'member delete-collaboration', 'owner update-task-run']
  for (const each of asked) breaker.saw(answerOf({ success: true }), each)
  const page = answerOf('<!doctype html><title>Blocked</title>', { status: 403 })
  for (let count = 0; count < 30; count += 1) breaker.saw(page, asked[count % 3] as string)
  expect(breaker.signal.aborted).toBe(true)
  expect(breaker.reason).toBe(
    'the run stopped sending after 30 requests in a row that were accepted before got an HTML page; the last: HTTP 403',
  )
})

it('takes pages for refusals of the target where others were accepted between them', () => {
  const breaker = new CircuitBreaker()
  const asked = ['member add-workspace', 'member delete-collaboration', 'owner update-task-run']
  for (const each of asked) breaker.saw(answerOf({ success: true }), each)
  const page = answerOf('<!doctype html><title>Not here</title>', { status: 404 })
  const refuse = (times: number): void => {
    for (let count = 0; count < times; count += 1) breaker.saw(page, asked[count % 3] as string)
  }
  for (let turn = 0; turn < 2; turn += 1) {
    refuse(20)
    breaker.saw(answerOf({ success: true }), 'owner update-task-run')
  }
  refuse(299)
  expect(breaker.signal.aborted).toBe(false)
  refuse(1)
  expect(breaker.signal.aborted).toBe(true)
})
