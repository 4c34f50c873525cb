import { describe, expect, it } from 'vitest'
import { answerOf } from '../answers.fixture.ts'
import { Finding } from '../findings.ts'
import { exchangeOf } from '../log/exchange.fixture.ts'
import type { Effect } from '../log/run-log.ts'
import {
  accepted,
  checkOf,
  expectsAcceptance,
  refused,
  remove,
  resultOf,
  sessionOn,
  sessionWith,
} from '../run-check.fixture.ts'
import type { Session } from '../session.ts'
import { explanations, whyRefused, explained as withExplanation } from './explanations.ts'

const effect: Effect = {
  operation: 'delete-collaboration',
  actor: 'hostAdministrator',
  at: { collaborationId: 'c1' },
  request: {},
}

/** The explanation of this answer to a delete, on a target that accepted a delete before. */
async function explained(answer: object, moment: 'first' | 'second', on?: Session) {
  const session = on ?? (await sessionWith([accepted]))
  if (on === undefined) await resultOf(expectsAcceptance, session)
  const definition = checkOf(async (context) => void (await remove(context)))
  const answers = [exchangeOf(effect, answerOf(answer))]
  const found = new Finding('a valid request was not accepted', { expected: [], actual: '', answers })
  return (await whyRefused({ definition, session }, found, moment))?.message
}

describe('whyRefused', () => {
  it('has at most 12 explanations, each with its own name and a moment', () => {
    expect(explanations.length).toBeLessThanOrEqual(12)
    expect(new Set(explanations.map(({ name }) => name)).size).toBe(explanations.length)
    expect(explanations.filter(({ at }) => at.length === 0)).toEqual([])
  })

  it('finds no explanation for a plain refusal', async () => {
    expect(await explained(refused, 'second')).toBeUndefined()
  })

  it('gives the first explanation that holds, with the finding and the answer', async () => {
    const page = { text: 'not a portal' }
    const session = await sessionOn({ answers: { delete: () => page } })
    expect(await explained(page, 'first', session)).toMatch(
      /^nothing in this run was accepted or answered like a portal: check the base URL, the portal ids and the credentials.*; seen once: a valid request /,
    )
    expect(await explained({ error: { code: 429 } }, 'second')).toMatch(
      /^the target throttles; seen twice: a valid request was not accepted \(/,
    )
  })

  it('names unknown credentials if nothing was accepted', async () => {
    const unknown = { error: { code: 498, message: 'Invalid token.' } }
    const session = await sessionOn({ answers: { delete: () => unknown, updateInfo: () => unknown } })
    expect(await explained(unknown, 'first', session)).toMatch(
      /^nothing in this run was accepted, and the target does not know the credential of hostAdministrator \(498\): check /,
    )
  })

  it('asks an explanation only at its moments', async () => {
    const session = await sessionOn({ answers: { delete: () => refused, updateInfo: () => refused } })
    expect(await explained(refused, 'first', session)).toMatch(/^nothing in this run was accepted/)
    expect(await explained(refused, 'second', session)).not.toMatch(/^nothing in this run was accepted/)
  })
})

describe('an explanation before the reason of a check', () => {
  const answer = answerOf(refused)
  const line = 'not accepted: HTTP 200 with error {"code":403,"message":"no"}'

  it.each([
    ['quotes the answer', 'no race was won', `the collaboration is full; no race was won (${line})`],
    [
      'does not quote an answer that the reason quotes',
      `the control was ${line}`,
      `the collaboration is full; the control was ${line}`,
    ],
    [
      'is not repeated if another answer led to the same explanation',
      'the collaboration is full; seen once: x (not accepted: HTTP 400)',
      'the collaboration is full; seen once: x (not accepted: HTTP 400)',
    ],
  ])('%s', (_, reason, whole) => {
    const text = withExplanation('the collaboration is full', reason, answer)

    expect(text).toBe(whole)
  })
})
