import { describe, expect, it } from 'vitest'
import { TransportError, type TransportFault } from '../../deployment/http/exchange.ts'
import { answerOf } from '../answers.fixture.ts'
import { Unproven } from '../findings.ts'
import {
  accepted,
  type Body,
  expectsAcceptance,
  remove,
  resultOf,
  sessionWith,
} from '../run-check.fixture.ts'

const faultOf = (fault: TransportFault) => new TransportError(fault, fault, answerOf({}).request)

describe('a connection that breaks on a check', () => {
  /** How often a check is tried that ends so each time. */
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
    ['breaks: one time', faultOf('broken'), 2],
    ['takes too long: never', faultOf('timeout'), 1],
    ['proves nothing: never', new Unproven('no'), 1],
  ])('has it tried again where it %s', async (_, end, tries) => {
    expect(await triesOf(end)).toBe(tries)
  })

  it('leaves a check as it is the second time', async () => {
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

it('a credential that ends during the run is no refusal of a valid request', async () => {
  const session = await sessionWith([accepted, { error: { code: 498, message: 'Invalid token.' } }])
  expect(await resultOf(expectsAcceptance, session)).toMatchObject({ outcome: 'passed' })
  const twice: Body = async (context) => {
    await remove(context)
    context.expect(await remove(context)).toBeAccepted()
  }
  for (let time = 0; time < 12; time += 1)
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
