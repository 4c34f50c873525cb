import { describe, expect, it, vi } from 'vitest'
import { TransportError, type TransportFault } from '../../deployment/http/exchange.ts'
import { answerOf } from '../answers.fixture.ts'
import { NothingSent, Unproven } from '../findings.ts'
import {
  accepted,
  type Body,
  expectsAcceptance,
  remove,
  resultOf,
  sessionOn,
  sessionWith,
} from '../run-check.fixture.ts'

const faultOf = (fault: TransportFault) => new TransportError(fault, fault, answerOf({}).request)

describe('a check that proves nothing', () => {
  /** The number of tries of a check that always ends with this error. */
  async function triesOf(end: Error): Promise<number> {
    let tries = 0
    const body: Body = async (context) => {
      tries += 1
      await remove(context)
      throw end
    }
    expect(await resultOf(body)).toMatchObject({ outcome: 'inconclusive', requests: tries })
    return tries
  }

  it.each([
    ['is retried once after a broken connection', faultOf('broken'), 2],
    ['is not retried after a time-out', faultOf('timeout'), 1],
    ['is not retried if its control fails', new Unproven('no'), 1],
  ])('%s', async (_, end, tries) => {
    expect(await triesOf(end)).toBe(tries)
  })

  it('passes if its retry passes', async () => {
    let tries = 0
    const body: Body = async (context) => {
      tries += 1
      const answer = await remove(context)
      if (tries === 1) throw faultOf('broken')
      context.expect(answer).toBeAccepted()
    }
    expect(await resultOf(body)).toMatchObject({ outcome: 'passed', requests: 2 })
  })
})

it('an expired credential makes a check inconclusive, not failed', async () => {
  const session = await sessionWith([accepted, { error: { code: 498, message: 'Invalid token.' } }])
  expect(await resultOf(expectsAcceptance, session)).toMatchObject({ outcome: 'passed' })
  const twice: Body = async (context) => {
    await remove(context)
    context.expect(await remove(context)).toBeAccepted()
  }
  for (let time = 0; time < 60; time += 1)
    expect(await resultOf(twice, session)).toMatchObject({
      outcome: 'inconclusive',
      reason: expect.stringMatching(
        /^the credential of hostAdministrator ended (?:during the run: .* \(498\)|and could)/,
      ),
    })
  expect(await resultOf(expectsAcceptance, session)).toMatchObject({
    outcome: 'inconclusive',
    reason: expect.stringMatching(/^the credential of hostAdministrator ended and could not be renewed: /),
  })
})

it('an ended credential of one actor leaves the checks with credentials like those of another', async () => {
  const outsider = { credential: 'secret-of-the-outsider', portal: 'host' }
  const { identities } = await sessionOn({ answers: {}, actors: { outsider } })
  const of = identities.of.bind(identities)
  vi.spyOn(identities, 'of').mockImplementation(async (name) => {
    if (name === 'outsider') throw new NothingSent('the credential of outsider ended')
    return of(name)
  })
  expect(await identities.resembling('hostAdministrator', 'without its end')).toMatchObject({
    actor: 'impostor',
    credential: 'secret-of-the-',
  })
  await expect(identities.resembling('outsider', 'without its end')).rejects.toThrow('outsider ended')
})
