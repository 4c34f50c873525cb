import { expect, it } from 'vitest'
import type { Part } from '../../clauses/exchange.ts'
import { answerOf } from '../answers.fixture.ts'
import { LackOfRights } from './acceptances.ts'
import { exchangeOf } from './exchange.fixture.ts'

const refusedWith = (code: number, message = 'no') => answerOf({ error: { code, message } })

/** Whether a refusal with 403 is about a right, after callers were refused with these codes. */
function isAboutRight(refusals: readonly (readonly [Part, number])[], message?: string): boolean {
  const words = new LackOfRights()
  for (const [actor, code] of refusals)
    words.came(exchangeOf({ operation: 'update-participant', actor, at: {}, request: {} }, refusedWith(code)))
  return words.isSaidIn(refusedWith(403, message))
}

const distinguishing = [
  ['guestAdministrator', 403],
  ['anonymous', 499],
  ['hostAdministrator', 400],
] as const

it('is said where users without the right get the same words, and no one else does', () => {
  expect(isAboutRight(distinguishing)).toBe(true)
})

it.each<[string, readonly (readonly [Part, number])[], string?]>([
  ['no user without the right was refused', distinguishing.slice(1)],
  ['no stranger was refused', [distinguishing[0], distinguishing[2]]],
  ['strangers get the same words', [...distinguishing, ['impostor', 403]]],
  ['permitted callers were never refused in other words', distinguishing.slice(0, 2)],
  ['the words differ', distinguishing, 'no room left'],
])('is not said where %s', (_, refusals, message) => {
  expect(isAboutRight(refusals, message)).toBe(false)
})
