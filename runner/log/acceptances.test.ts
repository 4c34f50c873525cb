import { describe, expect, it } from 'vitest'
import { answerOf } from '../answers.fixture.ts'
import { Acceptances } from './acceptances.ts'
import { exchangeOf } from './exchange.fixture.ts'
import { type Effect, succeeded } from './run-log.ts'

const accepted = answerOf({ success: true }, { sentAt: 100 })
const refused = answerOf({ error: { code: 403 } }, { sentAt: 200 })

const deletes: Effect = {
  operation: 'delete-collaboration',
  actor: 'hostAdministrator',
  at: { collaborationId: 'c1' },
  request: {},
}
const reassigns = (...items: string[]): Effect => ({
  operation: 'reassign-items',
  actor: 'itemOwner',
  at: { userName: 'u' },
  request: { items, targetUsername: 'v' },
})

/** What is known after these answers. */
function knowing(...noted: [Effect, ReturnType<typeof answerOf>][]): Acceptances {
  const acceptances = new Acceptances()
  for (const [effect, answer] of noted) acceptances.came(exchangeOf(effect, answer))
  return acceptances
}

describe('Acceptances', () => {
  it('knows when the last accepted request was sent, and by which caller', () => {
    const known = knowing([deletes, accepted], [deletes, refused])
    expect([known.since(99), known.since(100)]).toEqual([true, false])
    expect([known.since(99, 'hostAdministrator'), known.since(0, 'itemOwner')]).toEqual([true, false])
    expect([known.of('hostAdministrator'), known.of('itemOwner')]).toEqual([['delete-collaboration'], []])
  })

  it('counts a malformed success as accepted', () => {
    const malformed = answerOf({ success: 'true' })
    const known = knowing([deletes, malformed], [reassigns('i'), refused])
    const accepts = [malformed, refused].map((answer) => succeeded(exchangeOf(deletes, answer)))
    expect([...accepts, succeeded(accepted)]).toEqual([true, false, false])
    expect([known.onKind('collaboration'), known.onKind('items')]).toEqual([true, false])
  })

  it('knows each fixture on which a request was accepted, also of several items', () => {
    const known = knowing([reassigns('one', 'two'), accepted])
    const proved = [['one'], ['two', 'one'], ['one', 'three']].map((ids) =>
      known.onFixtureOf(reassigns(...ids)),
    )
    expect(proved).toEqual([true, true, false])
  })

  it('knows items that were handed out twice and reassigned before or after', () => {
    const known = new Acceptances()
    known.handedOut(['one', 'two', 'four', 'five'])
    known.came(exchangeOf(reassigns('one', 'four'), accepted))
    known.handedOut(['one', 'two', 'three'])
    const again = [['one'], ['two'], ['four'], ['three', 'one']].map((ids) =>
      known.onReassignedItems(reassigns(...ids)),
    )
    expect(again).toEqual([true, false, false, true])
    known.came(exchangeOf(reassigns('two'), accepted))
    expect(known.onReassignedItems(reassigns('two'))).toBe(true)
  })

  it('knows that a collaboration exists if a request within it was accepted', () => {
    const at = { collaborationId: 'c1', participantPortalId: 'guest' }
    const known = knowing([{ ...deletes, operation: 'update-participant', at }, accepted])
    expect(known.onFixtureOf(deletes)).toBe(true)
    expect(known.onKind('collaboration')).toBe(false)
  })
})
