/** The rules for what a finding says. */
import { expect } from 'vitest'

/** What is wrong, without the values of a case. */
export function expectMessage(message: string): void {
  expect(message).toMatch(/^[a-z\d"…].*[^.:,]$/)
  expect(message.length).toBeLessThanOrEqual(160)
}

/** A finding with the values of a real case. */
export function expectFinding(message: string, expected: string, actual: string): void {
  expectMessage(message)
  for (const text of [message, expected, actual]) {
    expect(text).not.toMatch(/undefined|NaN|\[object|\d\.\d{3}|\n/)
    // Words repeat if a sentence was put into another one.
    expect(text).not.toMatch(/\b(\w+ \w+),? (?:is )?\1\b/)
  }
  expect(actual.length).toBeLessThanOrEqual(400)
  // The actual answer must not be the expected one, and must not contradict the message.
  expect(actual).not.toBe(expected)
  if (/\bnot accepted\b/.test(message)) expect(actual).not.toMatch(/^accepted/)
  if (/\b(was|were) accepted\b/.test(message)) expect(actual).not.toMatch(/^not accepted/)
}
