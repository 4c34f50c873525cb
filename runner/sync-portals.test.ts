/** Portals that keep the contract and sync in unusual ways: no findings, inconclusive at most. */
import { beforeAll, describe, expect, it } from 'vitest'
import { FixtureClient } from '../deployment/fixtures/fixture-client.ts'
import { type FixtureProvider, providerBy } from '../deployment/fixtures/fixture-kinds.ts'
import { around } from '../reference/alterations.ts'
import type { Call, Parts } from '../reference/parts.ts'
import type { SyncJob } from '../reference/store.ts'
import { resultsOn } from './judged-portal.fixture.ts'
import { Lanes } from './lanes.ts'

interface Setting {
  readonly alter?: (parts: Parts) => void
  readonly latencyMs?: number
  /** Overrides of the configuration. */
  readonly http?: object
  /** Fixtures do not say how long a sync takes at most. */
  readonly noMaximum?: true
  readonly requirements?: readonly string[]
}

/** Every check that syncs. */
const syncing = [
  'sync-workspace/*',
  '*:sync-workspace',
  'delete-collaboration/*sync*',
  'delete-collaboration/sharing-stops',
]

/** Checks that neither pass nor are inapplicable: id, outcome and reason. */
async function judged({ alter, latencyMs = 0, http = {}, noMaximum, requirements = syncing }: Setting) {
  const fixturesFrom = (url: string) => (noMaximum ? withoutMaximum(url) : url)
  const options = { latencyMs, ...(alter === undefined ? {} : { alter }) }
  return (await resultsOn(options, { requirements, sections: () => ({ http }), fixturesFrom }))
    .filter(({ outcome }) => outcome !== 'passed' && outcome !== 'not-applicable')
    .map(({ id, outcome, reason, failure }) => [id, outcome, failure?.message ?? reason])
}

function withoutMaximum(url: string): FixtureProvider {
  const client = new FixtureClient(url)
  return providerBy(async (kind, options) => {
    const { maximumSyncMs: _, ...fixture } = (await client.obtain(kind, options)) as Record<string, unknown>
    return fixture as never
  })
}

const running = ({ store }: Call): SyncJob[] =>
  [...store.collaborations.values()]
    .flatMap(({ workspaces }) => [...workspaces.values()])
    .flatMap(({ sync }) => sync ?? [])

const atMost = (many: number) => (parts: Parts) => {
  const honest = parts.syncGate
  parts.syncGate = (call, workspace) =>
    honest(call, workspace) ?? (running(call).length >= many ? parts.refuse('sync-running') : undefined)
}

/** Portals that keep the contract, in addition to the permitted variants. */
const conformant: readonly (readonly [string, Setting])[] = [
  ['runs three syncs at a time, and refuses the fourth', { alter: atMost(3) }],
  [
    'takes far longer for a sync than the minimum, which fixtures do not say',
    {
      noMaximum: true,
      alter: around('sync-workspace', async (call, honest) => {
        const workspaces = [...call.store.collaborations.values()].flatMap((each) => [...each.workspaces])
        for (const [, workspace] of workspaces) if (workspace.syncMs < 2000) workspace.syncMs += 2300
        return honest()
      }),
    },
  ],
  ['takes 400 ms for any answer', { latencyMs: 400 }],
  [
    'takes 850 ms for any answer, while a scheduled sync runs',
    { latencyMs: 850, requirements: ['sync-workspace/one-at-a-time'] },
  ],
]

/** Answers so late that syncs take turns, and each waits for the others. */
const late: Setting = {
  latencyMs: 900,
  http: { timeout: '3s' },
  requirements: ['sync-workspace/*-blocks', 'sync-workspace/*-returns', 'sync-workspace/*-time'],
}

/** The first delete beside a scheduled sync is performed, but answered with a time-out. */
const firstTimesOut: Setting = {
  requirements: ['sync-workspace/one-at-a-time'],
  alter: (parts) => {
    let deletions = 0
    around('delete-collaboration', async (_call, honest) => {
      const answer = await honest()
      deletions += 1
      return deletions === 1 ? parts.refuse('timed-out') : answer
    })(parts)
  },
}

const outcomes = new Map<Setting, ReturnType<typeof judged>>()
const outcomeOf = (setting: Setting) => outcomes.get(setting) as ReturnType<typeof judged>

beforeAll(() => {
  // Most of the time is waiting for syncs, so several settings run at once, the longest first.
  const lanes = new Lanes(4)
  for (const setting of [late, ...conformant.map(([, each]) => each).reverse(), firstTimesOut]) {
    const outcome = lanes.run(() => judged(setting))
    // The test of the setting reports the error, perhaps much later.
    outcome.catch(() => undefined)
    outcomes.set(setting, outcome)
  }
})

describe('a portal that keeps the contract', () => {
  it.each(conformant)('passes every check if it %s', async (_, setting) => {
    expect(await outcomeOf(setting)).toEqual([])
  })

  it('is not judged by timing if any answer takes as long as a sync', async () => {
    const short = await outcomeOf(late)
    // On a busy machine, an answer that late may also come after the time-out.
    const why = /^timing proves nothing|: no complete answer within 3s/
    for (const [, outcome, reason] of short)
      expect([outcome, reason]).toEqual(['inconclusive', expect.stringMatching(why)])
    const judged = ['sync-workspace/asynchronous-returns', 'sync-workspace/synchronous-blocks']
    expect(short.map(([id]) => id)).toEqual(expect.arrayContaining(judged))
  })
})

it('one-at-a-time passes with another collaboration if the first delete times out', async () => {
  expect(await outcomeOf(firstTimesOut)).toEqual([])
})
