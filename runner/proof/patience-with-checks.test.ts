import { beforeEach, describe, expect, it, onTestFinished, vi } from 'vitest'
import { TransportError, type TransportFault } from '../../deployment/http/exchange.ts'
import { answerOf } from '../answers.fixture.ts'
import { Unproven } from '../findings.ts'
import {
  accepted,
  type Body,
  checkOf,
  expectsAcceptance,
  refused,
  remove,
  sessionWith,
} from '../run-check.fixture.ts'
import { runCheck } from '../run-check.ts'
import { triesAgain, withinItsTime } from './patience-with-checks.ts'

describe('the time of a check', () => {
  beforeEach(() => {
    vi.useFakeTimers()
    onTestFinished(() => {
      vi.useRealTimers()
    })
  })
  const configuration = { http: { concurrency: 8 }, run: { settleMs: 0 } } as never
  const facts = () => ({ requests: 0, latencyMs: 0 })
  const never = (): Promise<void> => new Promise(() => undefined)

  it('ends what does not end by itself', async () => {
    let ended = 0
    const ending = withinItsTime(never, { configuration, facts, onEnd: () => (ended += 1) }).catch(
      (error) => error,
    )
    await vi.advanceTimersByTimeAsync(60_000)
    expect(await ending).toBeInstanceOf(Unproven)
    expect(await ending).toMatchObject({
      message: expect.stringMatching(/^the check took longer than 1m, half of /),
    })
    expect(ended).toBe(1)
  })

  it('grows with what the target is seen to need', async () => {
    let longestMs = 0
    const growing = () => ({ ...facts(), longestMs })
    let over = false
    void withinItsTime(never, { configuration, facts: growing, onEnd: () => undefined }).catch(() => {
      over = true
    })
    longestMs = 60_000
    await vi.advanceTimersByTimeAsync(359_000)
    expect(over).toBe(false)
    await vi.advanceTimersByTimeAsync(2000)
    expect(over).toBe(true)
  })

  it('leaves alone what ends, well or not', async () => {
    const onEnd = () => expect.unreachable()
    await withinItsTime(async () => undefined, { configuration, facts, onEnd })
    await expect(
      withinItsTime(() => Promise.reject(new Error('no')), { configuration, facts, onEnd }),
    ).rejects.toThrow('no')
    await vi.advanceTimersByTimeAsync(1_000_000)
  })
})

describe('a connection that breaks on a check', () => {
  const faultOf = (fault: TransportFault) => new TransportError(fault, fault, answerOf({}).request)

  it('has it tried again, but not for ever', async () => {
    const session = await sessionWith([accepted])
    expect(triesAgain(faultOf('timeout'), session)).toBe(false)
    expect(triesAgain(new Unproven('no'), session)).toBe(false)
    let times = 0
    while (times < 1000 && triesAgain(faultOf('broken'), session)) times += 1
    expect(times).toBe(40)
  })

  it('leaves a check as it is the second time', async () => {
    let tries = 0
    const body: Body = async (context) => {
      tries += 1
      const answer = await remove(context)
      if (tries === 1) throw faultOf('broken')
      context.expect(answer).toBeAccepted()
    }
    const result = await runCheck(checkOf(body), await sessionWith([accepted]))
    expect(result).toMatchObject({ outcome: 'passed', requests: 2 })
  })
})

it('a credential that ends during the run is no refusal of a valid request', async () => {
  const session = await sessionWith([accepted, { error: { code: 498, message: 'Invalid token.' } }])
  expect(await runCheck(checkOf(expectsAcceptance), session)).toMatchObject({ outcome: 'passed' })
  const twice: Body = async (context) => {
    await remove(context)
    context.expect(await remove(context)).toBeAccepted()
  }
  for (let time = 0; time < 12; time += 1)
    expect(await runCheck(checkOf(twice), session)).toMatchObject({
      outcome: 'inconclusive',
      reason: expect.stringMatching(
        /^the credential of hostAdministrator ended (?:during the run: .* \(498\)|and could)/,
      ),
    })
  expect(await runCheck(checkOf(expectsAcceptance), session)).toMatchObject({
    outcome: 'inconclusive',
    reason: expect.stringMatching(/^the credential of hostAdministrator ended and could not be renewed: /),
  })
})

it('a refusal for another reason stays one', async () => {
  const session = await sessionWith([accepted, refused])
  await runCheck(checkOf(expectsAcceptance), session)
  expect((await runCheck(checkOf(expectsAcceptance), session)).outcome).toBe('failed')
})
