import { describe, expect, it } from 'vitest'
import type { CheckContext } from './context/context.ts'
import {
  accepted,
  type Body,
  checkOf,
  expectsAcceptance,
  refused,
  resultOf,
  sessionWith,
} from './run-check.fixture.ts'
import { Session } from './session.ts'

describe('the result of a check', () => {
  const asked =
    (actor: 'anonymous' | 'hostAdministrator') => (context: CheckContext<'hostAdministrator', never>) =>
      context.as[actor]('delete-collaboration', { collaborationId: 'c1' })
  const refuses: Body = async (context) => {
    context.control(await asked('hostAdministrator')(context))
    context.expect(await asked('anonymous')(context)).toBeRefused(undefined, 'f')
  }
  const rolesCheck = checkOf(refuses, 'delete-collaboration/refuses-anonymous')
  const rolesOf = async (answers: readonly object[]) => {
    const { roles, outcome } = await resultOf(rolesCheck, answers)
    return [outcome, ...(roles ?? []).map(({ actor, observed, wrong }) => [actor, observed, wrong])]
  }

  it('shows who sent each request and when, with one time origin per session', async () => {
    const session = await sessionWith([accepted, refused])
    const before = performance.now() - session.tally.began
    const first = await resultOf(rolesCheck, session)
    expect(first.evidence?.map(({ actor }) => actor)).toEqual(['hostAdministrator', 'anonymous'])
    const times = first.evidence?.map(({ atMs }) => atMs as number) ?? []
    expect(times).toEqual([...times].sort((one, other) => one - other))
    expect(times[0]).toBeGreaterThanOrEqual(Math.floor(before))
    const later = await resultOf(expectsAcceptance)
    expect(later.evidence?.[0]?.atMs).toBeGreaterThanOrEqual(0)
  })

  it('counts times from the start of the run, if known', async () => {
    const { input } = await sessionWith([accepted])
    const session = new Session({ ...input, began: Date.now() - 60_000 })
    session.ledger.handedOut('collaboration', { collaborationId: 'c1' })
    const { evidence } = await resultOf(expectsAcceptance, session)
    expect(evidence?.[0]?.atMs).toBeGreaterThan(50_000)
  })

  it('marks the parameters that the check names', async () => {
    const { failure } = await resultOf(rolesCheck)
    expect(failure?.marks).toEqual({ request: ['f'] })
  })

  it.each([
    ['refused', [accepted, refused], 'passed', 'refused', undefined],
    ['wrongly accepted', [accepted], 'failed', 'allowed', true],
    ['wrongly accepted only once', [accepted, accepted, accepted, refused], 'failed', 'allowed', true],
  ] as const)(
    'shows under roles that the anonymous caller was %s',
    async (_, answers, outcome, observed, wrong) => {
      expect(await rolesOf(answers)).toEqual([
        outcome,
        ['hostAdministrator', 'allowed', undefined],
        ['anonymous', observed, wrong],
      ])
    },
  )

  it('shows no roles if the control was refused', async () => {
    const unprovenAfter: Body = async (context) => {
      context.expect(await asked('anonymous')(context)).toBeRefused()
      context.control(await asked('hostAdministrator')(context))
    }
    const check = checkOf(unprovenAfter, 'delete-collaboration/refuses-anonymous')
    expect(await resultOf(check, [refused])).not.toHaveProperty('roles')
  })
})
