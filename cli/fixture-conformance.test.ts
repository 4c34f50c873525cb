import { expect, onTestFinished, test } from 'vitest'
import { startPortal } from '../reference/portal.ts'
import { loadConfiguration } from '../target/configuration/load-configuration.ts'
import type { FixtureKind, FixtureProvider } from '../target/fixtures/fixture-kinds.ts'
import { fixtureKinds } from '../target/fixtures/fixture-kinds.ts'
import { serveFixtures } from '../target/fixtures/fixture-server.ts'
import { answerJson, received, serve } from '../target/http/server.fixture.ts'
import { checkFixtures, type FixtureFinding } from './fixture-conformance.ts'
import { notesOn } from './fixture-judgement.ts'
import { configuration, fresh, good } from './good-provider.fixture.ts'

async function findingsOf(provider: FixtureProvider): Promise<readonly FixtureFinding[]> {
  const { url, close } = await serveFixtures(provider)
  onTestFinished(close)
  return checkFixtures({ url }, configuration, { runId: 'pc-1' })
}

const not = (outcome: string) => (finding: FixtureFinding) => finding.outcome !== outcome

test('a provider that keeps all promises passes in each kind, in the protocol and in cleaning up', async () => {
  const findings = await findingsOf(good)
  expect(findings.filter(not('passed'))).toEqual([])
  expect(findings.map(({ kind }) => kind)).toEqual([...fixtureKinds, 'protocol', 'cleanup'])
  expect(findings.find(({ kind }) => kind === 'group')?.detail).toBe(
    'such as {"groupId":"one","reusable":true}',
  )
})

test('the provider of the embedded portal passes, and nothing was sent to the portal', async () => {
  const portal = await startPortal()
  onTestFinished(() => portal.close())
  const loaded = loadConfiguration({ value: portal.configuration, name: 'portal' }, {}, {})
  const findings = await checkFixtures(loaded.fixtures as { url: string }, loaded, {
    runId: 'pc-1',
  })
  expect(findings.filter(not('passed'))).toEqual([])
  expect(portal.requests).toBe(0)
  expect(portal.store.collaborations.size).toBe(0)
})

const wrong: readonly [FixtureKind, FixtureProvider, FixtureFinding['outcome'], RegExp][] = [
  [
    'collaboration',
    { ...good, collaboration: () => ({ collaborationId: 'c0' }) },
    'failed',
    /^c0 was handed out twice: each request needs one of its own/,
  ],
  [
    'collaboration',
    {
      ...good,
      collaboration: ({ with: next }) => (next ? { notOffered: 'the last' } : { collaborationId: 'c' }),
    },
    'warned',
    /^handed out once, but not for {"with":"participant"}: no fixture "collaboration": the last$/,
  ],
  [
    'workspace',
    { ...good, workspace: (asked) => ({ ...good.workspace(asked), collaborationId: fresh('c') }) },
    'failed',
    /collaborationId: another collaboration than the one asked for/,
  ],
  [
    'workspace',
    { ...good, workspace: (asked) => ({ ...good.workspace(asked), minimumSyncMs: 0 }) },
    'warned',
    /^minimumSyncMs is 0, not known/,
  ],
  [
    'workspace',
    { ...good, workspace: (asked) => ({ ...good.workspace(asked), minimumSyncMs: 300 }) },
    'warned',
    /^syncs take 300 ms at least where 700 ms were asked for$/,
  ],
  [
    'scheduledSync',
    { ...good, scheduledSync: () => good.scheduledSync({ remainingMs: 1 }) },
    'warned',
    /^a sync of 1 ms more was handed out where 1500 were asked for; a sync of 1 ms/,
  ],
  [
    'participant',
    { ...good, participant: (asked) => ({ ...good.participant(asked), participantPortalId: 'x' }) },
    'failed',
    /^participantPortalId x is no guest of the configuration/,
  ],
  [
    'group',
    { ...good, group: () => ({ groupId: 'one', reusable: false }) },
    'failed',
    /^one was handed out twice/,
  ],
  [
    'items',
    { ...good, items: () => ({ owner: 'alice', itemIds: [fresh('i')] }) },
    'failed',
    /3 ids expected, 1 found/,
  ],
  [
    'items',
    { ...good, items: (asked) => ({ ...good.items(asked), owner: 'bob' }) },
    'failed',
    /^items of bob were handed out for itemOwner, whose username is alice$/,
  ],
  ['eligibleUser', { ...good, eligibleUser: () => ({ username: 'one' }) }, 'warned', /^one is the only one/],
  [
    'ineligibleUser',
    { ...good, eligibleUser: () => ({ username: 'viewer' }) },
    'failed',
    /^viewer was handed out as an eligible user, too$/,
  ],
  [
    'taskRun',
    { ...good, taskRun: () => ({ userName: 'tom', taskId: 't', runId: fresh('r') }) },
    'failed',
    /^a run of tom was handed out, but the username of taskOwner is tess$/,
  ],
  [
    'federation',
    {
      ...good,
      federation: () => {
        throw new Error('no rights')
      },
    },
    'failed',
    /^{}: the provider answered HTTP 500: no rights$/,
  ],
  ['federation', { ...good, federation: () => ({ notOffered: 'no SAML' }) }, 'not-offered', /no SAML$/],
]

test.each(wrong)('%s: a broken promise is told %#', async (kind, provider, outcome, detail) => {
  const findings = await findingsOf(provider)
  const finding = findings.find((one) => one.kind === kind)
  expect(finding?.outcome).toBe(outcome)
  expect(finding?.detail).toMatch(detail)
  expect(finding?.detail).not.toContain('\n')
  const others = findings.filter((one) => one.kind !== kind && one.outcome !== 'passed')
  expect(others.map((one) => one.kind)).toEqual(
    // Who lets one user do as both is short of receivers as well.
    kind === 'ineligibleUser' ? ['eligibleUser'] : [],
  )
})

test('cleaning up: not offered, failing, and failing the second time', async () => {
  const { cleanup: _, ...without } = good
  const cleanupOf = async (provider: FixtureProvider) =>
    (await findingsOf(provider)).find(({ kind }) => kind === 'cleanup')
  expect((await cleanupOf(without))?.outcome).toBe('not-offered')
  let times = 0
  const onlyOnce = () => {
    times += 1
    if (times > 1) throw new Error('no such collaboration')
  }
  expect(await cleanupOf({ ...good, cleanup: onlyOnce })).toEqual({
    kind: 'cleanup',
    outcome: 'failed',
    detail:
      'once more, with nothing left to remove: fixture cleanup: the provider answered HTTP 500: no such collaboration',
  })
})

test('a provider over HTTP that hands out whatever it is asked for is warned of', async () => {
  const url = await serve(async (incoming, response) => {
    const { count } = await received(incoming)
      .then(JSON.parse)
      .catch(() => ({ count: 1 }))
    answerJson(response, good.items({ owner: 'itemOwner', count }))
  })
  const findings = await checkFixtures({ url }, configuration, { runId: 'pc-1' })
  const protocol = findings.find(({ kind }) => kind === 'protocol')
  expect(protocol?.outcome).toBe('warned')
  expect(protocol?.detail.split('; ')).toEqual([
    'a kind that there is not was answered with HTTP 200, where 404 says that it is not offered',
    'what is asked for without JSON was handed out with HTTP 200, where a refusal lets mistakes be seen',
    'a list of 0 items was handed out with HTTP 200, where a refusal lets mistakes be seen',
    'an item of nobody was handed out with HTTP 200, where a refusal lets mistakes be seen',
  ])
})

test('without a provider nothing is offered; one that cannot be reached is told once', async () => {
  const none = await checkFixtures({}, configuration, { runId: 'pc-1' })
  expect(none.map(({ outcome }) => outcome)).toEqual(fixtureKinds.map(() => 'not-offered'))
  const away = await checkFixtures({ url: 'http://127.0.0.1:1' }, configuration, { runId: 'pc-1' })
  expect(away).toEqual([
    {
      kind: 'protocol',
      outcome: 'failed',
      detail: 'the provider at http://127.0.0.1:1 cannot be reached or broke off (ECONNREFUSED)',
    },
  ])
})

test('an abort ends the asking, and what was handed out is removed', async () => {
  const abort = new AbortController()
  let removed = 0
  const { url, close } = await serveFixtures({
    ...good,
    group: () => {
      abort.abort()
      return { groupId: 'g' }
    },
    cleanup: () => {
      removed += 1
    },
  })
  onTestFinished(close)
  const findings = await checkFixtures({ url }, configuration, { runId: 'pc-1', signal: abort.signal })
  expect(findings.at(-1)?.kind).toBe('cleanup')
  expect(findings.map(({ kind }) => kind)).not.toContain('items')
  expect(removed).toBe(2)
})

test('a provider that takes long is warned of', () => {
  const fixture = { federationId: 'f' }
  const notes = (ms: number) => notesOn('federation', [{ options: {}, fixture, ms }], configuration)
  expect(notes(5000)).toEqual([])
  expect(notes(7210)).toEqual([
    { severity: 'lost', text: 'took 7.2 s; a run asks for many, and waits for each 30 s at most' },
  ])
})
