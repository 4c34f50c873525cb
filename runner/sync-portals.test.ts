/** Portals that keep the contract and sync in unusual ways: no findings, inconclusive at most. */
import { beforeAll, expect, it } from 'vitest'
import { FixtureClient } from '../deployment/fixtures/fixture-client.ts'
import { type FixtureProvider, providerBy } from '../deployment/fixtures/fixture-kinds.ts'
import { around } from '../reference/alterations.ts'
import type { Parts } from '../reference/parts.ts'
import type { EmbeddedPortal } from '../reference/portal.ts'
import { resultsOn } from './judged-portal.fixture.ts'

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
  const sections = ({ configuration: { run } }: EmbeddedPortal) => ({
    http,
    run: { ...run, settle: '500ms' },
  })
  return (await resultsOn(options, { requirements, sections, fixturesFrom }))
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

/** Portals that keep the contract, in addition to the permitted variants. */
const conformant: readonly (readonly [string, Setting])[] = [
  [
    'takes far longer for a sync than the minimum, which fixtures do not say',
    {
      noMaximum: true,
      alter: around('sync-workspace', async (call, honest) => {
        const workspaces = [...call.store.collaborations.values()].flatMap((each) => [...each.workspaces])
        for (const [, workspace] of workspaces) if (workspace.syncMs < 700) workspace.syncMs += 800
        return honest()
      }),
    },
  ],
  ['takes 200 ms for any answer, which is long beside a sync of 300 ms', { latencyMs: 200 }],
  [
    'times out on the first delete beside a scheduled sync, and performs it',
    {
      requirements: ['sync-workspace/one-at-a-time'],
      alter: (parts) => {
        let deletions = 0
        around('delete-collaboration', async (_call, honest) => {
          const answer = await honest()
          deletions += 1
          return deletions === 1 ? parts.refuse('timed-out') : answer
        })(parts)
      },
    },
  ],
]

/** Answers so late that syncs take turns, and each waits for the others. */
const late: Setting = {
  latencyMs: 330,
  http: { timeout: '1200ms' },
  requirements: ['sync-workspace/synchronous-blocks', 'sync-workspace/asynchronous-returns'],
}

const outcomes = new Map<Setting, ReturnType<typeof judged>>()
const outcomeOf = (setting: Setting) => outcomes.get(setting) as ReturnType<typeof judged>

beforeAll(() => {
  // Most of the time is waiting for syncs, so the settings run at once.
  for (const setting of [late, ...conformant.map(([, each]) => each)]) {
    const outcome = judged(setting)
    // The test of the setting reports the error, perhaps much later.
    outcome.catch(() => undefined)
    outcomes.set(setting, outcome)
  }
})

it.each(conformant)('a portal passes every check if it %s', async (_, setting) => {
  expect(await outcomeOf(setting)).toEqual([])
})

it('a portal is not judged by timing if any answer takes as long as a sync', async () => {
  const short = await outcomeOf(late)
  // On a busy machine, an answer that late may also come after the time-out.
  const why = /^timing proves nothing|: no complete answer within 1\.2s/
  for (const [, outcome, reason] of short)
    expect([outcome, reason]).toEqual(['inconclusive', expect.stringMatching(why)])
  const judged = ['sync-workspace/asynchronous-returns', 'sync-workspace/synchronous-blocks']
  expect(short.map(([id]) => id)).toEqual(expect.arrayContaining(judged))
})
