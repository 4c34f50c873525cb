import { expect, test } from 'vitest'
import { PaceOfTarget } from './pace.ts'

/** Sends at the pace that is found, to a target that serves this many in each second; resolves with how it went. */
function simulated(most: number, seconds: number) {
  const pace = new PaceOfTarget()
  let now = 0
  let [served, turnedAway, second, inSecond] = [0, 0, 0, 0]
  while (now < seconds * 1000) {
    now += 1000 / Math.min(1000, pace.perSecond ?? 1000)
    if (Math.floor(now / 1000) !== second) [second, inSecond] = [Math.floor(now / 1000), 0]
    if (inSecond < most) {
      inSecond += 1
      served += 1
      pace.served(now)
    } else {
      turnedAway += 1
      // As the limiter does: no one goes before the next second.
      if (pace.turnedAway(now, now)) now += 1000
    }
  }
  return { served, turnedAway, perSecond: pace.perSecond }
}

test.each([10, 50, 200])('a target that serves %i in a second is asked at about that pace', (most) => {
  const { served, turnedAway, perSecond = 0 } = simulated(most, 60)
  expect(perSecond).toBeGreaterThan(most / 2)
  expect(perSecond).toBeLessThan(most * 1.5)
  expect(turnedAway).toBeLessThan(served / 5)
})

test('a target that throttles at any pace alike is not asked slower for that', () => {
  const pace = new PaceOfTarget()
  let count = 0
  for (let now = 0; now < 60_000; now += 1000 / Math.min(200, pace.perSecond ?? 200)) {
    count += 1
    if (count % 7 === 0) pace.turnedAway(now, now)
    else pace.served(now)
  }
  expect(pace.perSecond).toBeUndefined()
})

test('a target that turns nothing away has no pace', () => {
  expect(simulated(10_000, 10).perSecond).toBeUndefined()
})

test('one thing that must cool down slows nothing else', () => {
  const pace = new PaceOfTarget()
  for (let now = 0; now < 10_000; now += 1) {
    if (now % 50 === 0) expect(pace.turnedAway(now, now)).toBe(false)
    else pace.served(now)
  }
  expect(pace.perSecond).toBeUndefined()
})

test('a target that serves nothing is not asked slower: it would not serve then either', () => {
  const pace = new PaceOfTarget()
  for (let now = 0; now < 1000; now += 10) expect(pace.turnedAway(now, now)).toBe(false)
})

test('what was on its way when the pace was changed says nothing new', () => {
  const pace = new PaceOfTarget()
  for (let now = 30; now < 50; now += 1) pace.served(now)
  for (let now = 50; now < 53; now += 1) pace.turnedAway(now, now)
  const found = pace.perSecond
  for (let now = 60; now < 100; now += 1) expect(pace.turnedAway(now, 45)).toBe(false)
  expect(pace.perSecond).toBe(found)
})
