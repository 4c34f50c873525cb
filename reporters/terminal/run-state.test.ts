import { expect, test } from 'vitest'
import { checkOf, failedCheck, planOf } from '../results.fixture.ts'
import { RunState } from './progress.ts'

const adds = Array.from({ length: 9 }, (_, at) => planOf(`add-workspace/creates:${at}`))
const planned = [
  ...adds,
  planOf('sync-workspace/starts'),
  planOf('sync-workspace/unknown-workspace', { outcome: 'not-tested', reason: 'no actor' }),
]
const done = (at: number) => checkOf(`add-workspace/creates:${at}`, { requests: 4 })

test('counts what will be judged, by operation, each check once', () => {
  const state = new RunState(planned)
  expect([state.sum(({ total }) => total), state.underWay]).toEqual([10, false])
  expect(state.checkDone(done(0), 0)).toMatchObject({ subject: 'add-workspace', total: 9, done: 1 })
  expect(state.checkDone(done(0), 0)).toBeUndefined()
  expect(state.checkDone(checkOf('sync-workspace/unknown-workspace'), 0)).toBeUndefined()
  state.checkDone(failedCheck('sync-workspace/starts', 'wrong'), 0)
  expect(state.subjects).toEqual([
    { subject: 'add-workspace', total: 9, done: 1, outcomes: { passed: 1 } },
    { subject: 'sync-workspace', total: 1, done: 1, outcomes: { failed: 1 } },
  ])
  expect([state.sum(({ done }) => done), state.requests, state.underWay]).toEqual([2, 5, true])
})

test('takes requests from pulses where there are any, and their rate from the last three seconds', () => {
  const state = new RunState(planned)
  const hear = (requests: number, at: number) => state.heard({ requests, current: [], others: 0 }, at)
  expect(state.rate).toBeUndefined()
  hear(0, 0)
  expect(state.rate).toBeUndefined()
  hear(100, 1000)
  expect(state.rate).toBe(100)
  state.checkDone(done(0), 1500)
  expect(state.requests).toBe(100)
  hear(160, 4000)
  expect(state.rate).toBe(20)
})

test('names checks that are under way as long as they are not over', () => {
  const state = new RunState(planned)
  expect(state.current()).toEqual({ names: [], others: 0 })
  const current = ['add-workspace/creates:0', 'sync-workspace/starts'] as const
  state.heard({ requests: 1, current, others: 4 }, 0)
  state.checkDone(done(0), 1)
  expect(state.current()).toEqual({ names: ['sync-workspace/starts'], others: 4 })
})

test('guesses the time left from what is done, once that says something', () => {
  const state = new RunState(planned)
  state.heard({ requests: 0, current: [], others: 0 }, 1000)
  expect(state.timeLeft(9000)).toBeUndefined()
  state.checkDone(done(0), 2000)
  expect(state.timeLeft(2400)).toBeUndefined()
  expect(state.timeLeft(3000)).toBe(18_000)
  for (let at = 1; at < 5; at += 1) state.checkDone(done(at), 4000)
  expect(state.timeLeft(5000)).toBe(4000)
  // Nothing ended for a while: another while is to be expected.
  for (let at = 5; at < planned.length - 1; at += 1) state.checkDone(done(at), 5000)
  expect(state.timeLeft(45_000)).toBe(40_000)
})
