import { describe, expect, it } from 'vitest'
import type { CheckContext } from './context/context.ts'
import { accepted, type Body, checkOf, expectsAcceptance, refused, sessionWith } from './run-check.fixture.ts'
import { runCheck } from './run-check.ts'
import { Session } from './session.ts'

describe('what a result says beside its outcome', () => {
  const asked =
    (actor: 'anonymous' | 'hostAdministrator') => (context: CheckContext<'hostAdministrator', never>) =>
      context.as[actor]('delete-collaboration', { collaborationId: 'c1' })
  const refuses: Body = async (context) => {
    context.control(await asked('hostAdministrator')(context))
    context.expect(await asked('anonymous')(context)).toBeRefused(undefined, 'f')
  }
  const rolesCheck = checkOf(refuses, 'delete-collaboration/refuses-anonymous')
  const rolesOf = async (answers: readonly object[]) => {
    const { roles, outcome } = await runCheck(rolesCheck, await sessionWith(answers))
    return [outcome, ...(roles ?? []).map(({ actor, observed, wrong }) => [actor, observed, wrong])]
  }

  it('is who sent each request and when, with one origin for all checks of a session', async () => {
    const session = await sessionWith([accepted, refused])
    const before = performance.now() - session.tally.began
    const first = await runCheck(rolesCheck, session)
    expect(first.evidence?.map(({ actor }) => actor)).toEqual(['hostAdministrator', 'anonymous'])
    const times = first.evidence?.map(({ atMs }) => atMs as number) ?? []
    expect(times).toEqual([...times].sort((one, other) => one - other))
    expect(times[0]).toBeGreaterThanOrEqual(Math.floor(before))
    const later = await runCheck(checkOf(expectsAcceptance), await sessionWith([accepted]))
    expect(later.evidence?.[0]?.atMs).toBeGreaterThanOrEqual(0)
  })

  it('counts from the beginning of the run where that is known', async () => {
    const { input } = await sessionWith([accepted])
    const session = new Session({ ...input, began: Date.now() - 60_000 })
    session.ledger.handedOut('collaboration', { collaborationId: 'c1' })
    const { evidence } = await runCheck(checkOf(expectsAcceptance), session)
    expect(evidence?.[0]?.atMs).toBeGreaterThan(50_000)
  })

  it('is what is marked in the exchange that it shows', async () => {
    const { failure } = await runCheck(rolesCheck, await sessionWith([accepted]))
    expect(failure?.marks).toEqual({ request: ['f'] })
  })

  it('is who was let do what', async () => {
    expect(await rolesOf([accepted, refused])).toEqual([
      'passed',
      ['hostAdministrator', 'allowed', undefined],
      ['anonymous', 'refused', undefined],
    ])
    expect(await rolesOf([accepted])).toEqual([
      'failed',
      ['hostAdministrator', 'allowed', undefined],
      ['anonymous', 'allowed', true],
    ])
  })

  it('calls a caller wrong who was accepted once, and no one refused where nothing was proved', async () => {
    expect(await rolesOf([accepted, accepted, accepted, refused])).toEqual([
      'failed',
      ['hostAdministrator', 'allowed', undefined],
      ['anonymous', 'allowed', true],
    ])
    const unprovenAfter: Body = async (context) => {
      context.expect(await asked('anonymous')(context)).toBeRefused()
      context.control(await asked('hostAdministrator')(context))
    }
    const check = checkOf(unprovenAfter, 'delete-collaboration/refuses-anonymous')
    expect(await runCheck(check, await sessionWith([refused]))).not.toHaveProperty('roles')
  })
})
