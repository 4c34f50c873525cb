import { existsSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import fc from 'fast-check'
import { afterAll, describe, expect, it, type TestContext } from 'vitest'
import { furnish, inventoryOf } from '../../reference/administration/inventory.ts'
import { loginsConfiguration } from '../../reference/configuration.ts'
import { type EmbeddedPortal, type PortalOptions, startPortal } from '../../reference/portal.ts'
import { observedContext } from '../process/command-context.fixture.ts'
import { runProgram } from '../program.ts'
import { UserFolder } from './command.fixture.ts'

/** The one of the test: the global one may belong to another concurrent test. */
type Finished = TestContext['onTestFinished']

/** A deployment with content, and its inventory before any run. */
async function inUse(finished: Finished, options: PortalOptions = {}) {
  const portal = await startPortal({ tls: true, ...options })
  finished(() => portal.close())
  furnish(portal.store)
  return { portal, before: inventoryOf(portal.store) }
}

/** The passwords and tokens that exist at any time until the test ends. */
function secretsOf({ store }: EmbeddedPortal, finished: Finished): Set<string> {
  const secrets = new Set<string>()
  const look = () => {
    for (const { password } of store.users.values()) secrets.add(password)
    for (const token of store.tokens.keys()) secrets.add(token)
  }
  const timer = setInterval(look, 20)
  finished(() => clearInterval(timer))
  return secrets
}

/** A folder with a configuration of two logins; the passwords are in the environment. */
function userOf({ logins, certificate = '' }: EmbeddedPortal) {
  const folder = new UserFolder()
  const written = loginsConfiguration(logins)
  written.administration.host.password = `\${HOST_PASSWORD}`
  written.administration.guest.password = `\${GUEST_PASSWORD}`
  const http = certificate === '' ? {} : { ca: folder.write('portal.pem', certificate) }
  // The portal shows consequences at once.
  const run = { settle: '300ms' }
  folder.write('portal.json', JSON.stringify({ ...written, http, run }))
  const { host, guest } = logins
  const environment = { HOST_PASSWORD: host.password, GUEST_PASSWORD: guest.password, TMPDIR: folder.path }
  const start = (...options: string[]) =>
    folder.start(['run', '--config', 'portal.json', '--runs', '1', ...options], environment)
  return { folder, environment, start }
}

const journalIn = ({ path }: UserFolder): string => join(path, 'portal-conformance-report', 'journal.ndjson')

/** One check of each operation: a run of these creates something for each. */
const selectedIds: readonly string[] = [
  ...['add-workspace/creates', 'update-task-run/updates', 'reassign-items/reassigns'],
  ...['sync-workspace/starts', 'update-participant/updates'],
  ...['delete-collaboration/deletes', 'update-federation/updates'],
]
const oneOfEach = selectedIds.flatMap((id) => ['--requirement', id])

describe.concurrent('a run with only two logins', { timeout: 240_000 }, () => {
  it('judges everything, leaves nothing on the target and writes no secret', async ({ onTestFinished }) => {
    const { portal, before } = await inUse(onTestFinished)
    const secrets = secretsOf(portal, onTestFinished)
    const { folder, start } = userOf(portal)
    const { code, stdout, stderr } = await start('--reporter', 'terminal,json,html,junit,markdown,har').ended
    const { verdict, totals, requirements } = folder.results()
    expect([code, verdict, totals.failed]).toEqual([0, 'conformant', 0])
    const ofProfile = requirements.flatMap(({ checks }) =>
      checks.filter(({ id }) => id.startsWith('profile/')),
    )
    expect(ofProfile.filter(({ outcome }) => outcome === 'passed').length).toBeGreaterThan(15)
    expect(inventoryOf(portal.store)).toEqual(before)
    expect(secrets.size).toBeGreaterThan(40)
    const output = stdout + stderr + folder.everythingWritten()
    expect([...secrets].filter((secret) => output.includes(secret))).toEqual([])
  })

  it('does not disturb a concurrent run', async ({ onTestFinished }) => {
    const { portal, before } = await inUse(onTestFinished)
    const users = [userOf(portal), userOf(portal)]
    const ends = await Promise.all(users.map(({ start }) => start('--reporter', 'json', ...oneOfEach).ended))
    expect(ends.map(({ code }) => code)).toEqual([3, 3])
    const results = users.map(({ folder }) => folder.results())
    for (const { totals } of results) expect(totals).toMatchObject({ failed: 0, warned: 0, inconclusive: 0 })
    const selected = results
      .flatMap(({ requirements }) => requirements)
      .filter(({ id }) => selectedIds.includes(id))
    const open = selected.filter(({ outcome }) => outcome !== 'passed')
    // An organization has one federation: while one run uses it, the other has none.
    for (const { id, outcome, reason } of open)
      expect([id, outcome, reason]).toEqual([
        ...['update-federation/updates', 'not-tested'],
        expect.stringContaining('federation'),
      ])
    expect([selected.length, open.length <= 1]).toEqual([2 * selectedIds.length, true])
    expect(inventoryOf(portal.store)).toEqual(before)
  })

  it.for(['SIGINT', 'SIGHUP'] as const)(
    'leaves nothing on the target after %s',
    async (signal, { onTestFinished }) => {
      const { portal, before } = await inUse(onTestFinished)
      const { folder, start } = userOf(portal)
      const run = start('--reporter', 'json')
      while (!existsSync(journalIn(folder)) || portal.requests < 20) await sleep(20)
      run.process.kill(signal)
      expect((await run.ended).code).toBe(130)
      expect(inventoryOf(portal.store)).toEqual(before)
    },
  )

  it('refuses a second run with its folder, and names the clean-up when it quits at once', async ({
    onTestFinished,
  }) => {
    const { portal } = await inUse(onTestFinished)
    const { folder, environment, start } = userOf(portal)
    const run = start('--reporter', 'json')
    const made = () =>
      existsSync(journalIn(folder)) && readFileSync(journalIn(folder), 'utf8').includes('"id"')
    while (!made() || portal.requests < 40) await sleep(20)
    const second = await folder.run('run --config portal.json --reporter json', environment)
    expect([second.code, second.stderr]).toEqual([2, expect.stringContaining('still uses portal-conf')])
    run.process.kill('SIGINT')
    await sleep(30)
    run.process.kill('SIGINT')
    const { code, stderr } = await run.ended
    const named = 'Fixtures may be left over; to clean up: '
    expect([code, stderr]).toEqual([130, expect.stringContaining(named)])
    const journal = 'portal-conformance-report/journal.ndjson'
    expect(stderr).toContain(`cleanup ${journal}`)
    expect((await folder.run(['cleanup', journal], environment)).code).toBe(0)
  })
})

it('run shows progress before it creates fixtures; an interrupt then is reported and cleaned up', async ({
  onTestFinished,
}) => {
  const { portal, before } = await inUse(onTestFinished)
  const { folder, environment } = userOf(portal)
  const observed = observedContext(environment)
  const isMaking = () => inventoryOf(portal.store).length > before.length
  const shown: { readonly line: string; readonly isMaking: boolean }[] = []
  const write = (line: string) => {
    if (line.startsWith('Making fixtures:')) shown.push({ line, isMaking: isMaking() })
    return observed.stderr.write(line)
  }
  const waiting = setInterval(() => {
    if (!isMaking()) return
    clearInterval(waiting)
    observed.signals.emit('SIGINT')
  }, 5)
  const inFolder = ['--config', join(folder.path, 'portal.json'), '--out', join(folder.path, 'out')]
  expect(await runProgram(['run', '--runs', '1', ...inFolder], { ...observed, stderr: { write } })).toBe(130)
  expect(shown[0]).toEqual({
    line: expect.stringMatching(/^Making fixtures: 0 of [\d,]+\n$/),
    isMaking: false,
  })
  expect(observed.complained()).toContain('interrupted while fixtures were made: nothing was judged')
  expect(observed.printed()).toContain('not tested: interrupted while fixtures were made')
  expect(observed.printed()).not.toContain('check the base URL')
  expect(inventoryOf(portal.store)).toEqual(before)
}, 60_000)

/** To kill more runs: `KILLED_RUNS=30 npx vitest run cli/end-to-end/logins-alone.test.ts`. */
const killed = Number(process.env.KILLED_RUNS ?? 2)

/** Every fourth run is a full one, which leaves content that small runs do not. */
const runs = [
  { what: 'a full run', checks: [], lastsMs: 5000 },
  ...Array(3).fill({ what: 'a small run', checks: oneOfEach, lastsMs: 1500 }),
]

/** When to kill each run: at this share of its duration, counted from its first journal entry. */
const moments = fc
  .sample(fc.noBias(fc.nat({ max: 100 })), { seed: 14, numRuns: killed })
  .map((percent, at) => ({ percent, at, ...runs[at % runs.length] }))

describe('cleanup after a killed run', () => {
  /** Killed runs that left something: without any, these tests prove nothing. */
  let dirty = 0
  afterAll(() => expect(dirty).toBeGreaterThan(0))

  it.concurrent.for(moments)(
    'removes all leftovers and nothing else: killed at $percent % of $what ($at)',
    { timeout: 600_000 },
    async ({ percent, checks, lastsMs }, { expect, onTestFinished }) => {
      const { portal, before } = await inUse(onTestFinished, { tls: false })
      const { folder, environment, start } = userOf(portal)
      const run = start('--reporter', 'json', ...checks)
      let over = false
      void run.ended.then(() => {
        over = true
      })
      const journal = journalIn(folder)
      while (!over && !existsSync(journal)) await sleep(10)
      for (const end = performance.now() + (lastsMs * percent) / 100; !over && performance.now() < end; )
        await sleep(10)
      run.process.kill('SIGKILL')
      await run.ended
      // The portal still completes the requests in flight.
      await sleep(500)
      // A quick run may have ended by then, and cleaned up itself.
      const isDirty = inventoryOf(portal.store).join() !== before.join()
      if (isDirty) dirty += 1
      const commandContext = observedContext(environment)
      // A sync under way goes on at the portal, and copies items only when it ends.
      const written = JSON.parse(readFileSync(join(folder.path, 'portal.json'), 'utf8'))
      folder.write('patient.json', JSON.stringify({ ...written, run: { settle: '2s' } }))
      const config = join(folder.path, 'patient.json')
      const code = await runProgram(['cleanup', journal, '--config', config], commandContext)
      const output = commandContext.printed() + commandContext.complained()
      expect([code, output]).toEqual([0, expect.stringContaining('Nothing is left')])
      if (isDirty) expect(output).toContain(': everything that it made is removed.\nNothing is left.')
      if (isDirty) expect(commandContext.complained()).toMatch(/Removing ([\d,]+) of \1\n/)
      await expect.poll(() => inventoryOf(portal.store)).toEqual(before)
    },
  )
})
