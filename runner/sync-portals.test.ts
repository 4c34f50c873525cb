/** Portals that keep the contract and sync in other ways: none is blamed, and what cannot be decided is said. */
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
  /** Fixtures say nothing of the longest that a sync takes. */
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

/** What of the checks is not as on the plain portal: check, outcome and reason. */
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

/** Those that keep the contract, beside the permitted variants of the embedded portal. */
const peaceful: readonly (readonly [string, Setting])[] = [
  ['runs three syncs at a time, and refuses the fourth', { alter: atMost(3) }],
  [
    'takes far longer than the least for a sync, which no one says',
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

/** Syncs that are answered so late take turns, and each waits for the others. */
const late: Setting = {
  latencyMs: 900,
  http: { timeout: '3s' },
  requirements: ['sync-workspace/*-blocks', 'sync-workspace/*-returns', 'sync-workspace/*-time'],
}

/** The first collaboration is deleted beside a scheduled sync, and that is not said. */
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
  // They wait most of the time, for syncs that take theirs: the longest first.
  const lanes = new Lanes(4)
  for (const setting of [late, ...peaceful.map(([, each]) => each).reverse(), firstTimesOut]) {
    const outcome = lanes.run(() => judged(setting))
    // Its test says of it, perhaps much later.
    outcome.catch(() => undefined)
    outcomes.set(setting, outcome)
  }
})

describe('a portal that keeps the contract', () => {
  it.each(peaceful)('is without findings where it %s', async (_, setting) => {
    expect(await outcomeOf(setting)).toEqual([])
  })

  it('is not judged by timing where any answer takes as long as a sync', async () => {
    const short = await outcomeOf(late)
    for (const [, outcome, reason] of short)
      expect([outcome, reason]).toEqual(['inconclusive', expect.stringMatching(/^timing proves nothing/)])
    expect(short.map(([id]) => id)).not.toContain('sync-workspace/asynchronous-returns')
    expect(short.map(([id]) => id)).toContain('sync-workspace/synchronous-blocks')
  })
})

it('deletes another collaboration each time that a scheduled sync is met', async () => {
  expect(await outcomeOf(firstTimesOut)).toEqual([])
})
