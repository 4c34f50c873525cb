import { describe, expect, it } from 'vitest'
import type { Answer } from '../deployment/http/exchange.ts'
import type { OperationId } from '../specs/operations.ts'
import { answerOf } from './answers.fixture.ts'
import { CircuitBreaker } from './channel.ts'
import { askedFor, exchangeOf } from './log/exchange.fixture.ts'
import { accepted, sessionWith } from './run-check.fixture.ts'

const pageWith = (status: number) => answerOf('<!doctype html><title>Blocked</title>', { status })
const page = pageWith(403)
const granted = answerOf({ success: true })

describe('CircuitBreaker', () => {
  const now = () => ({ began: performance.now(), putOff: false })
  /** Notes that this many exchanges broke. */
  const broken = (breaker: CircuitBreaker, times: number, when = now, why = 'reset') => {
    for (let count = 0; count < times; count += 1) breaker.broke(why, when())
  }

  it('pauses after several broken exchanges, and ignores others sent before the pause', () => {
    const breaker = new CircuitBreaker()
    breaker.answered()
    const together = now()
    broken(breaker, 3, () => together)
    expect(breaker.pauseLeftMs).toBe(0)
    broken(breaker, 60, () => together)
    expect(breaker.pauseLeftMs).toBeGreaterThan(0)
    expect(breaker.signal.aborted).toBe(false)
    breaker.answered()
    expect(breaker.pauseLeftMs).toBe(0)
  })

  it('stops the run after 20 broken exchanges in a row, without a pause if the target never answered', () => {
    const silent = new CircuitBreaker()
    broken(silent, 20)
    expect([silent.pauseLeftMs, silent.signal.aborted]).toEqual([0, true])
    const breaker = new CircuitBreaker()
    broken(breaker, 19)
    breaker.answered()
    broken(breaker, 19)
    expect(breaker.signal.aborted).toBe(false)
    broken(breaker, 1, now, 'refused')
    expect(breaker.signal.aborted).toBe(true)
    expect(breaker.reason).toBe(
      'the run stopped sending after 20 broken exchanges in a row; the last: refused',
    )
  })

  it('counts throttled requests only if no other request was answered meanwhile', () => {
    const breaker = new CircuitBreaker()
    const before = performance.now() - 1
    breaker.answered()
    broken(breaker, 40, () => ({ began: before, putOff: true }))
    expect(breaker.signal.aborted).toBe(false)
    const after = performance.now() + 1
    broken(breaker, 20, () => ({ began: after, putOff: true }))
    expect(breaker.signal.aborted).toBe(true)
  })

  it('names the number of wrong credentials sent before as a possible reason', () => {
    const breaker = new CircuitBreaker()
    for (let count = 0; count < 31; count += 1) breaker.wrongCredential()
    broken(breaker, 20, now, 'connection refused')
    expect(breaker.reason).toMatch(
      /in a row; the last: connection refused; before that 31 requests with wrong credentials had been answered, /,
    )
  })
})

describe('Channel', () => {
  const operations: readonly OperationId[] = ['add-workspace', 'update-participant', 'delete-collaboration']

  /** A channel to which answers for the host administrator come, and whether the target counts as gone. */
  async function channel() {
    const session = await sessionWith([accepted])
    const came = (answer: Answer, operation: OperationId): void => {
      const asked = askedFor({ operation, actor: 'hostAdministrator', at: {}, request: {} })
      const sent = { ...asked.sent, credential: 'secret' }
      session.channel.came(exchangeOf({ ...asked, sent }, answer))
    }
    const inTurn = (times: number, asked: readonly OperationId[], answer: (count: number) => Answer) => {
      for (let count = 0; count < times; count += 1)
        came(answer(count), asked[count % asked.length] as OperationId)
    }
    return { inTurn, isGone: () => session.channel.gone, why: () => session.channel.whyGone }
  }

  it.each([403, 200])(
    'stops the run after 30 HTML pages of HTTP %i in a row, as firewalls send them',
    async (status) => {
      const { inTurn, isGone, why } = await channel()
      inTurn(3, operations, () => granted)
      inTurn(29, operations, () => pageWith(status))
      expect([isGone(), why()]).toEqual([false, undefined])
      inTurn(1, operations, () => pageWith(status))
      expect(isGone()).toBe(true)
      expect(why()).toBe(
        `the run stopped sending after 30 requests in a row that were accepted before got an HTML page; the last: HTTP ${status}`,
      )
    },
  )

  it.each<[string, readonly OperationId[]]>([
    ['no such request was accepted before', ['update-participant', 'delete-collaboration', 'sync-workspace']],
    ['only one operation gets them', ['add-workspace']],
  ])('counts HTML pages as refusals if %s', async (_, asked) => {
    const { inTurn, isGone } = await channel()
    inTurn(1, ['add-workspace'], () => granted)
    inTurn(100, asked, () => page)
    expect(isGone()).toBe(false)
  })

  it('stops the run only after 300 pages if the target sent 30 pages between acceptances', async () => {
    const { inTurn, isGone } = await channel()
    inTurn(3, operations, () => granted)
    inTurn(41, operations, (count) => (count % 20 === 0 ? granted : page))
    inTurn(299, operations, () => page)
    expect(isGone()).toBe(false)
    inTurn(1, operations, () => page)
    expect(isGone()).toBe(true)
  })
})
