import { existsSync } from 'node:fs'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import fc from 'fast-check'
import { afterAll, expect, test } from 'vitest'
import { readJournal } from '../../deployment/journal/journal.ts'
import { UserFolder } from '../end-to-end/command.fixture.ts'
import { command } from '../process/in-process.fixture.ts'
import { type SharedPortal, sharedPortal } from './shared-portal.fixture.ts'

/** When a run is interrupted, in requests that it has sent, and how long after that it is killed, in milliseconds. */
interface Moment {
  readonly requests: number
  readonly killAfterMs: number
}

/** To kill more runs: `KILLED_RUNS=30 npx vitest run cli/cleanup/killed-runs.test.ts`. */
const killed = Number(process.env.KILLED_RUNS ?? 2)

/** The operations that create and delete, and one check of each other operation. Other checks leave nothing else. */
const selected = [
  ...['add-workspace/*', 'delete-collaboration/*', 'update-task-run/updates', 'reassign-items/reassigns'],
  ...['sync-workspace/starts', 'update-participant/updates', 'update-federation/updates'],
].flatMap((id) => ['--requirement', id])

/** Slightly more requests than the shortest run sends, so that some runs end before they are killed. */
const requestsOfRun = 450
const moments: readonly Moment[] = fc
  .sample(
    fc.noBias(fc.record({ requests: fc.nat({ max: requestsOfRun }), killAfterMs: fc.nat({ max: 400 }) })),
    { seed: 20, numRuns: killed },
  )
  .map(({ requests, killAfterMs }, index) => ({ requests, killAfterMs: index % 4 === 0 ? 0 : killAfterMs }))

/** Starts, interrupts and kills a run. Returns its journal, if it wrote one. */
async function killedRun({ portal, configuration }: SharedPortal, { requests, killAfterMs }: Moment) {
  const folder = new UserFolder()
  const config = folder.write('portal.json', JSON.stringify(configuration))
  // A killed run keeps its temporary files, so they belong into this folder, which is removed later.
  const environment = { TMPDIR: folder.path }
  const words = ['run', '--config', config, '--runs', '1', '--reporter', 'json', ...selected]
  const run = folder.start(words, environment)
  let over = false
  void run.ended.then(() => {
    over = true
  })
  while (!over && portal.requests < requests) await sleep(1)
  run.process.kill('SIGINT')
  await sleep(killAfterMs)
  run.process.kill('SIGKILL')
  await run.ended
  const journal = join(folder.path, 'portal-conformance-report', 'journal.ndjson')
  return existsSync(journal) ? journal : undefined
}

/** Runs that left something behind. Without any, the test proves nothing. */
let dirty = 0
afterAll(() => expect(dirty).toBeGreaterThan(killed / 4))

test.concurrent.each(moments.map((moment, index) => ({ ...moment, providerRemoves: index % 2 === 0 })))(
  'cleanup removes exactly the leftovers of a run killed $killAfterMs ms after an interrupt at $requests requests',
  { timeout: 120_000 },
  async ({ providerRemoves, ...moment }) => {
    const shared = await sharedPortal(providerRemoves)
    try {
      const before = shared.holds()
      const theirs = shared.collaborations()
      const journal = await killedRun(shared, moment)
      if (journal === undefined) return expect(shared.holds()).toBe(before)
      if (shared.holds() !== before) dirty += 1
      const made = readJournal(journal).things.map(({ id }) => String(id))
      const { code, out, err } = await command('cleanup', journal)
      expect([code, out + err]).toEqual([0, expect.stringContaining('Nothing is left')])
      if (providerRemoves) expect(shared.holds()).toBe(before)
      // Fixtures of other kinds still belong to their provider.
      const still = shared.collaborations()
      expect(made.filter((id) => still.has(id))).toEqual([])
      expect([...still.values()].flat().filter((name) => name !== 'Workspace of a fixture')).toEqual([])
      expect([...theirs.keys()].filter((id) => !still.has(id))).toEqual([])
      const requests = shared.portal.requests
      const again = await command('cleanup', journal)
      expect([again.code, shared.portal.requests]).toEqual([0, requests])
      expect(again.out).toContain('so nothing is sent')
    } finally {
      await shared.close()
    }
  },
)
