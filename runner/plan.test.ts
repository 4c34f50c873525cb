import { describe, expect, it } from 'vitest'
import type { Configuration } from '../deployment/configuration/configuration.ts'
import { configurationFor } from '../deployment/http/server.fixture.ts'
import { declaredChecks } from '../suites/declared-checks.ts'
import { define, type Needs } from './check.ts'
import type { CheckId } from './check-result.ts'
import { checksHere, isSelected, withoutJudging } from './plan.ts'
import { everything } from './run-input.ts'

const baseUrl = 'http://127.0.0.1:1/rest'
type Changes = Record<string, Record<string, unknown>>

const check = (id: CheckId, needs: Needs = {}) => define(id, {}, needs, () => Promise.resolve())
const creates = 'add-workspace/creates'

const configuration = (changes: Changes = {}): Configuration =>
  configurationFor(baseUrl, {
    actors: { hostAdministrator: { credential: 'a-token', portal: 'host' } },
    ...changes,
  })

/** Why a check with these needs does not run in this configuration. `others` overrides the loaded configuration. */
const without = (needs: Needs, changes: Changes = {}, others: object = {}, id: CheckId = creates) =>
  withoutJudging(check(id, needs), { ...configuration(changes), ...others }, everything)

const target = (version: string, more: object = {}) => ({ target: { baseUrl, version, ...more } })
const offering = (offered: object) => ({ fixtures: { static: offered } })
const group = [{ groupId: 'g' }]
const aGroup = { fixtures: ['group'] } as const
const both: Needs = { fixtures: ['group', 'collaboration'] }
const spare: Needs = { whereThere: aGroup }
const aMember: Needs = { actors: ['hostMember'] }
const single = { http: { concurrency: 1 } }
const slow = { http: { requestsPerSecond: 1 } }
const overlapping: Needs = { traits: ['overlapping'] }
const syncing: Needs = { also: ['sync-workspace'] }
const starts = 'sync-workspace/starts'
const reassigns = 'reassign-items/reassigns'
const concurrent = 'add-workspace/concurrent-ids-distinct'
const twice = 'delete-collaboration/concurrent-once:twice'

describe('withoutJudging', () => {
  const [inapplicable, untested] = ['not-applicable', 'not-tested']

  it.each<[string, CheckId, Needs, Changes, string, RegExp]>([
    ['the release of its operation', starts, {}, target('10.6'), inapplicable, /in release 10\.6\.1/],
    ['the release of an operation it uses', creates, syncing, target('10.5.1'), inapplicable, /10\.6\.1/],
    ['its edition', reassigns, {}, target('11.0', { edition: 'hosted' }), inapplicable, /target\.offers/],
    ['its actor', creates, aMember, {}, untested, /^no actor hostMember: add actors\.hostMember$/],
    ['its open point', 'sync-workspace/synchronous-blocks', {}, {}, untested, /contract\.sync/],
    ['a guest refresh', 'delete-collaboration/sharing-stops', {}, {}, untested, /run\.guestRefresh/],
    ['statuses of runs', creates, { settled: ['run-statuses'] }, {}, inapplicable, /contract\.run\.statuses/],
    ['a provider of fixtures', creates, aGroup, {}, untested, /fixtures\.url/],
    [
      'a listed kind of fixture',
      creates,
      both,
      offering({ group }),
      untested,
      /^no fixture "collaboration": add to fixtures\.static$/,
    ],
    ['a fixture of a kind that is listed empty', creates, aGroup, offering({ group: [] }), untested, /group/],
    ['an optional fixture', creates, spare, offering({}), inapplicable, /^the fixtures offer no group$/],
    ['two requests a second', concurrent, overlapping, slow, untested, /http\.requestsPerSecond/],
    ['two requests a second, as an extra', twice, overlapping, slow, inapplicable, /http\.requestsPerSecond/],
    ['a second connection', concurrent, overlapping, single, untested, /http\.concurrency/],
  ])('gives the reason for a check without %s', (_, id, needs, changes, outcome, reason) => {
    expect(without(needs, changes, {}, id)).toMatchObject({
      outcome,
      reason: expect.stringMatching(reason),
    })
  })

  it('names the effect that is not allowed', () => {
    const effects = ['add-workspace' as const]
    const id = 'delete-collaboration/deletes'
    expect(without({ also: ['add-workspace'] }, {}, { effects }, id)?.reason).toBe(
      'effects does not allow delete-collaboration on this deployment',
    )
  })

  it('says that earlier runs used up a whole list', () => {
    const usedFixtures = { counts: { group: 2 }, rememberedIn: 'out/journal*.ndjson' }
    expect(without(aGroup, offering({ group: [] }), { usedFixtures })?.reason).toBe(
      'all 2 of fixtures.static.group were used up by earlier runs: add others, or delete out/journal*.ndjson if you restored them',
    )
  })

  it('names nothing to add for a check that is not selected', () => {
    const selection = { operations: [], requirements: ['sync-workspace/*'] }
    const unselected = check(creates, { actors: ['outsider'] })
    expect(withoutJudging(unselected, configuration(), selection)).toEqual({
      outcome: 'not-tested',
      reason: 'not selected for this run',
    })
  })
})

describe('a check runs', () => {
  const hostedWithItems = { edition: 'hosted', offers: ['reassign-items'] }
  const inParts: Needs = { ...syncing, parts: {} }
  const withSpare: Needs = { ...aGroup, whereThere: { fixtures: ['collaboration'] } }
  const contract = { run: { statuses: ['Pending'] } }

  it.each<[string, CheckId, Needs, Changes, object?]>([
    ['on its release', starts, {}, target('10.6.1')],
    ['on a later release', starts, {}, target('11.10')],
    ['on an unknown release', reassigns, {}, {}],
    ['if its operation has no known first release', 'update-federation/updates', {}, target('1.0')],
    ['if target.offers names the operation', reassigns, {}, target('11.0', hostedWithItems)],
    ['with the operations of the release, if it has parts', creates, inParts, target('10.5.1')],
    ['without effects that it lacks', creates, inParts, target('10.5.1'), { effects: ['add-workspace'] }],
    ['with a static list of all its kinds', creates, aGroup, offering({ group })],
    ['with an optional kind that is listed', creates, spare, offering({ group })],
    ['with a provider, which may offer all kinds', creates, withSpare, { fixtures: { url: `${baseUrl}/f` } }],
    ['with overlapping requests over two connections', creates, overlapping, { http: { concurrency: 2 } }],
    ['without overlapping requests over one connection', creates, {}, single],
    ['once an open point is settled', creates, { settled: ['run-statuses'] }, {}, { contract }],
  ])('%s', (_, id, needs, changes, others) => {
    expect(without(needs, changes, others, id)).toBeUndefined()
  })

  it('if the needs of one of its parts are met', () => {
    const needs: Needs = {
      also: ['sync-workspace'],
      actors: ['outsider', 'syncInitiator'],
      fixtures: ['group', 'workspace'],
      parts: {
        'add-workspace': { actors: ['outsider'], fixtures: ['group'] },
        'sync-workspace': { actors: ['syncInitiator'], fixtures: ['workspace'] },
      },
    }
    const withActors = (actors: object) =>
      without(needs, offering({ workspace: [{ collaborationId: 'c', workspaceId: 'w' }] }), { actors })
    expect(withActors({ syncInitiator: { credential: 'x' } })).toBeUndefined()
    expect(withActors({ outsider: { credential: 'y' } })).toMatchObject({
      outcome: 'not-tested',
      add: ['actors.syncInitiator', 'fixtures.group'],
    })
  })
})

describe('the list of what to add', () => {
  const added = (needs: Needs, changes: Changes = {}, effects = ['add-workspace']) =>
    without(needs, changes, { effects })?.add

  it('has everything missing, not only what the reason names', () => {
    const needs: Needs = {
      actors: ['hostMember', 'outsider'],
      fixtures: ['group'],
      settled: ['sync-mode'],
      traits: ['overlapping'],
    }
    expect(added(needs, single, [])).toEqual([
      'contract.sync',
      'effects.add-workspace',
      'actors.hostMember',
      'actors.outsider',
      'fixtures.group',
      'http.concurrency',
    ])
  })

  it('has the credential of an actor whose credential does not work', () => {
    const absent = { hostMember: 'its credential does not work' }
    expect(without(aMember, {}, { absent })?.add).toEqual(['actors.hostMember.credential'])
  })

  it('has a collaboration for a check that deletes, if only one is listed', () => {
    const list = (...ids: string[]) => offering({ collaboration: ids.map((id) => ({ collaborationId: id })) })
    const needs: Needs = { also: ['delete-collaboration'], fixtures: ['collaboration'] }
    expect(added(needs, list('c1'))).toEqual(['effects.delete-collaboration', 'fixtures.collaboration'])
    expect(added(needs, list('c1', 'c2'))).toEqual(['effects.delete-collaboration'])
  })

  it('is absent if the check is not applicable', () => {
    expect(added(spare, offering({}))).toBeUndefined()
  })
})

describe('isSelected', () => {
  it.each<[CheckId, string[], string[], boolean]>([
    [creates, [], [], true],
    [creates, ['add-workspace'], [], true],
    [creates, ['sync-workspace'], [], false],
    [creates, [], ['add-workspace/*'], true],
    [creates, [], ['*/creates'], true],
    [creates, [], ['sync-workspace/*', 'add-workspace/*'], true],
    [creates, [], ['add-workspace/create'], false],
    [creates, [], [''], false],
    [creates, ['sync-workspace'], ['add-workspace/*'], false],
    ['sync-workspace/one-at-a-time:scheduled', [], ['sync-workspace/one-at-a-time'], true],
    ['sync-workspace/one-at-a-time:scheduled', [], ['sync-workspace/one-at-a-time:scheduled'], true],
  ])('%s, by operations %j and requirements %j: %s', (id, operations, requirements, selected) => {
    expect(isSelected(check(id), { operations, requirements })).toBe(selected)
  })
})

const checksWith = async (runs: number) =>
  checksHere(await declaredChecks(), configurationFor(baseUrl, { run: { runs } }))

describe('a quick run', () => {
  it('has a check for each requirement and operation of a whole run, if possible its plain one', async () => {
    const [quick, whole] = [await checksWith(0), await checksWith(8)]
    const keys = (checks: typeof quick) =>
      new Set(checks.map(({ requirement, operation }) => `${requirement} ${operation}`))
    expect(keys(quick)).toEqual(keys(whole))
    const beyond = quick.filter(({ traits }) => !traits.includes('cheap'))
    expect(beyond.length).toBeLessThanOrEqual(keys(whole).size)
    const plain = whole.filter(({ id, requirement }) => id === requirement)
    expect(plain.length).toBeGreaterThan(80)
    expect(plain.filter(({ id }) => !quick.some((check) => check.id === id))).toEqual([])
  })
})
