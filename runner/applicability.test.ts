import { describe, expect, it } from 'vitest'
import type { Configuration } from '../deployment/configuration/configuration.ts'
import { configurationFor } from '../deployment/http/server.fixture.ts'
import { define, type Needs } from './check.ts'
import type { CheckId } from './check-result.ts'
import { isSelected, withoutJudging } from './plan.ts'
import { everything } from './run-input.ts'

const actor = (portal: 'host' | 'guest' = 'host') => ({ credential: 'a-token', portal })
const body = (): Promise<void> => Promise.resolve()

const check = (id: CheckId, needs: Needs = {}) => define(id, {}, needs, body)

function configuration(changes: Record<string, Record<string, unknown>> = {}): Configuration {
  return configurationFor('http://127.0.0.1:1/rest', { actors: { hostAdministrator: actor() }, ...changes })
}

const target = (version: string, edition?: string) => ({
  target: { baseUrl: 'http://127.0.0.1:1/rest', version, ...(edition === undefined ? {} : { edition }) },
})

describe('withoutJudging', () => {
  it.each<[string, CheckId, Needs, Record<string, Record<string, unknown>>, string, string | RegExp]>([
    [
      'an operation of a later release',
      'sync-workspace/starts',
      {},
      target('10.6'),
      'not-applicable',
      /appeared in release 10\.6\.1/,
    ],
    [
      'an edition without a version',
      'reassign-items/reassigns',
      {},
      target('11.0', 'hosted'),
      'not-applicable',
      /target\.offers/,
    ],
    [
      'a missing actor',
      'add-workspace/creates',
      { actors: ['hostMember'] },
      {},
      'not-tested',
      'no actor hostMember: add actors.hostMember',
    ],
    ['an open point', 'sync-workspace/synchronous-blocks', {}, {}, 'not-tested', /contract\.sync/],
    [
      'an unknown guest refresh',
      'delete-collaboration/sharing-stops',
      {},
      {},
      'not-tested',
      /run\.guestRefresh/,
    ],
    [
      'no fixtures at all',
      'add-workspace/creates',
      { fixtures: ['group'] },
      {},
      'not-tested',
      /fixtures\.url/,
    ],
    [
      'a kind that a static pool does not have',
      'add-workspace/creates',
      { fixtures: ['group'] },
      { fixtures: { static: { collaboration: [{ collaborationId: 'c' }] } } },
      'not-tested',
      'no fixture group: add to fixtures.static',
    ],
    [
      'one request in a second where requests must overlap',
      'add-workspace/concurrent-ids-distinct',
      { traits: ['overlapping'] },
      { http: { requestsPerSecond: 1 } },
      'not-tested',
      /http\.requestsPerSecond/,
    ],
    [
      'one request in a second where those of a look besides must overlap',
      'delete-collaboration/deletes:concurrent',
      { traits: ['overlapping'] },
      { http: { requestsPerSecond: 1 } },
      'not-applicable',
      /http\.requestsPerSecond/,
    ],
    [
      'one connection where requests must overlap',
      'add-workspace/concurrent-ids-distinct',
      { traits: ['overlapping'] },
      { http: { concurrency: 1 } },
      'not-tested',
      /http\.concurrency/,
    ],
  ])('says why a check is not made: %s', (_, id, needs, changes, outcome, reason) => {
    const without = withoutJudging(check(id, needs), configuration(changes), everything)
    expect(without).toMatchObject({ outcome, reason: expect.stringMatching(reason) })
  })

  it.each<[string, CheckId, Record<string, Record<string, unknown>>]>([
    ['its release', 'sync-workspace/starts', target('10.6.1')],
    ['a later release', 'sync-workspace/starts', target('11.10')],
    ['a release that is not known', 'reassign-items/reassigns', {}],
    ['an operation for which no version is shown', 'update-federation/updates', target('1.0')],
  ])('lets a check be made on %s', (_, id, changes) => {
    expect(withoutJudging(check(id), configuration(changes), everything)).toBeUndefined()
  })

  it('takes the configuration at its word where it offers an operation', () => {
    const offers = { target: { ...target('11.0', 'hosted').target, offers: ['reassign-items'] } }
    expect(
      withoutJudging(check('reassign-items/reassigns'), configuration(offers), everything),
    ).toBeUndefined()
  })

  it('names the effects that are not allowed', () => {
    const allowed = { ...configuration(), effects: ['add-workspace' as const] }
    const without = withoutJudging(
      check('delete-collaboration/deletes', { also: ['add-workspace'] }),
      allowed,
      everything,
    )
    expect(without?.reason).toBe('effects does not allow delete-collaboration on this deployment')
  })
})

describe('what would have to be added', () => {
  const added = (
    needs: Needs,
    changes: Record<string, Record<string, unknown>> = {},
    effects = ['add-workspace'],
  ) =>
    withoutJudging(
      check('add-workspace/creates', needs),
      { ...configuration(changes), effects: effects as Configuration['effects'] },
      everything,
    )?.add

  it('is all that is lacking, not only what the reason names', () => {
    const needs: Needs = {
      actors: ['hostMember', 'outsider'],
      fixtures: ['group'],
      settled: ['sync-mode'],
      traits: ['overlapping'],
    }
    expect(added(needs, { http: { concurrency: 1 } }, [])).toEqual([
      'effects.add-workspace',
      'actors.hostMember',
      'actors.outsider',
      'contract.sync',
      'fixtures.group',
      'http.concurrency',
    ])
  })

  it('is the credential of an actor who has one that does not work', () => {
    const absent = { hostMember: 'its credential does not work' }
    const broken = { ...configuration(), absent }
    const without = withoutJudging(
      check('add-workspace/creates', { actors: ['hostMember'] }),
      broken,
      everything,
    )
    expect(without?.add).toEqual(['actors.hostMember.credential'])
  })

  it('is another collaboration for a check that deletes, where one is listed', () => {
    const list = (count: number) => ({
      fixtures: {
        static: { collaboration: Array.from({ length: count }, (_, at) => ({ collaborationId: `c${at}` })) },
      },
    })
    const needs: Needs = { also: ['delete-collaboration'], fixtures: ['collaboration'] }
    expect(added(needs, list(1))).toEqual(['effects.delete-collaboration', 'fixtures.collaboration'])
    expect(added(needs, list(2))).toEqual(['effects.delete-collaboration'])
  })

  it('is nothing where the check is not applicable or not selected', () => {
    expect(added({ whereThere: { fixtures: ['group'] } }, { fixtures: { static: {} } })).toBeUndefined()
    const selection = { operations: [], requirements: ['sync-workspace/*'] }
    const unselected = check('add-workspace/creates', { actors: ['outsider'] })
    expect(withoutJudging(unselected, configuration(), selection)).not.toHaveProperty('add')
  })
})

describe('what a check makes do with', () => {
  const without = (needs: Needs, changes: Record<string, Record<string, unknown>> = {}) =>
    withoutJudging(check('add-workspace/creates', needs), configuration(changes), everything)
  const pool = (offered: object) => ({ fixtures: { static: offered } })

  it('is what the release has, where it says so', () => {
    const needs: Needs = { also: ['sync-workspace'] }
    expect(without(needs, target('10.5.1'))?.outcome).toBe('not-applicable')
    expect(without({ ...needs, parts: {} }, target('10.5.1'))).toBeUndefined()
  })

  it('is not asked to be allowed where the release does not have it', () => {
    const earlier = { ...configuration(target('10.5.1')), effects: ['add-workspace' as const] }
    const needs: Needs = { also: ['sync-workspace'], parts: {} }
    expect(withoutJudging(check('add-workspace/creates', needs), earlier, everything)).toBeUndefined()
  })

  it('is what some of its operations need, where it says what that is', () => {
    const parts: Needs['parts'] = {
      'add-workspace': { actors: ['outsider'], fixtures: ['group'] },
      'sync-workspace': { actors: ['syncInitiator'], fixtures: ['workspace'] },
    }
    const needs: Needs = {
      also: ['sync-workspace'],
      actors: ['outsider', 'syncInitiator'],
      fixtures: ['group', 'workspace'],
      parts,
    }
    const here = (actors: object, offered: object) =>
      withoutJudging(
        check('add-workspace/creates', needs),
        { ...configuration(pool(offered)), actors: actors as never },
        everything,
      )
    const [syncInitiator, outsider] = [{ credential: 'x' }, { credential: 'y' }]
    expect(here({ syncInitiator }, { workspace: [{}] })).toBeUndefined()
    expect(here({ outsider }, { workspace: [{}] })).toMatchObject({
      outcome: 'not-tested',
      add: ['actors.syncInitiator', 'fixtures.group'],
    })
  })

  it('is a static pool that has all kinds, but no empty one', () => {
    const group = [{ groupId: 'g' }]
    expect(without({ fixtures: ['group'] }, pool({ group }))).toBeUndefined()
    expect(without({ fixtures: ['group', 'collaboration'] }, pool({ group }))?.reason).toBe(
      'no fixture collaboration: add to fixtures.static',
    )
    expect(without({ fixtures: ['group'] }, pool({ group: [] }))?.outcome).toBe('not-tested')
  })

  it('is not applicable without a kind that need not be offered', () => {
    expect(without({ whereThere: { fixtures: ['group'] } }, pool({}))).toEqual({
      outcome: 'not-applicable',
      reason: 'the fixtures offer no group',
    })
    expect(
      without({ whereThere: { fixtures: ['group'] } }, pool({ group: [{ groupId: 'g' }] })),
    ).toBeUndefined()
  })

  it('is a provider that may have every kind', () => {
    const fixtures = { url: 'http://127.0.0.1:1/fixtures' }
    expect(
      without({ fixtures: ['group'], whereThere: { fixtures: ['collaboration'] } }, { fixtures }),
    ).toBeUndefined()
  })

  it('is two connections where requests overlap, and one where they do not', () => {
    expect(without({ traits: ['overlapping'] }, { http: { concurrency: 2 } })).toBeUndefined()
    expect(without({}, { http: { concurrency: 1 } })).toBeUndefined()
  })

  it('is an open point once it is settled', () => {
    const contract = { run: { statuses: ['Pending'] } }
    const needs: Needs = { settled: ['run-statuses'] }
    expect(without(needs)?.reason).toContain('contract.run.statuses')
    const settled = { ...configuration(), contract } as unknown as Configuration
    expect(withoutJudging(check('add-workspace/creates', needs), settled, everything)).toBeUndefined()
  })

  it('is only what is selected', () => {
    const selection = { operations: [], requirements: ['sync-workspace/*'] }
    expect(withoutJudging(check('add-workspace/creates'), configuration(), selection)).toEqual({
      outcome: 'not-tested',
      reason: 'not selected for this run',
    })
  })
})

describe('isSelected', () => {
  const creates = check('add-workspace/creates')
  it.each([
    [[], [], true],
    [['add-workspace'], [], true],
    [['sync-workspace'], [], false],
    [[], ['add-workspace/*'], true],
    [[], ['*/creates'], true],
    [[], ['sync-workspace/*', 'add-workspace/*'], true],
    [[], ['add-workspace/create'], false],
    [['sync-workspace'], ['add-workspace/*'], false],
  ])('operations %j and requirements %j: %s', (operations, requirements, selected) => {
    expect(isSelected(creates, { operations, requirements })).toBe(selected)
  })

  it('finds a check by its own id and by that of its requirement', () => {
    const variant = check('sync-workspace/one-at-a-time:scheduled')
    expect(isSelected(variant, { operations: [], requirements: ['sync-workspace/one-at-a-time'] })).toBe(true)
    expect(
      isSelected(variant, { operations: [], requirements: ['sync-workspace/one-at-a-time:scheduled'] }),
    ).toBe(true)
  })
})
