import { once } from 'node:events'
import { type AddressInfo, createServer } from 'node:net'
import { setTimeout as sleep } from 'node:timers/promises'
import { describe, expect, it, onTestFinished } from 'vitest'
import { type EmbeddedPortal, type PortalOptions, startPortal } from '../../reference/portal.ts'
import { type Ended, UserFolder } from './command.fixture.ts'

async function portalFor(options: PortalOptions = {}): Promise<EmbeddedPortal> {
  const portal = await startPortal(options)
  onTestFinished(() => portal.close())
  return portal
}

/** A configuration file for a portal, changed by hand. */
function configured(
  folder: UserFolder,
  portal: EmbeddedPortal,
  change: (file: EmbeddedPortal['configuration']) => void = () => undefined,
) {
  const file = structuredClone(portal.configuration)
  change(file)
  return folder.write('portal.json', JSON.stringify(file))
}

const few = ['--runs', '3']

/** A run in which one operation breaks one rule. */
const guestsAdd = [
  ...['run', '--reference', '--fault', 'guests-add-workspaces', '--operation', 'add-workspace'],
  ...few,
]

function expectNoSecrets(
  { configuration }: EmbeddedPortal,
  { stdout, stderr }: Ended,
  folder: UserFolder,
): void {
  const secrets = Object.values(configuration.actors).map(({ credential }) => credential)
  expect(secrets).toHaveLength(12)
  const everything = [stdout, stderr, folder.everythingWritten()].join('\n')
  expect(everything).toContain('***')
  expect(secrets.filter((secret) => everything.includes(secret))).toEqual([])
}

describe('portal-conformance run', () => {
  it('finds a conforming portal conformant, with nothing left open, and no secret in any output', async () => {
    const folder = new UserFolder()
    const portal = await portalFor()
    const ended = await folder.start(['run', '--config', configured(folder, portal), ...few]).ended
    const { code, stdout, stderr } = ended
    expectNoSecrets(portal, ended, folder)
    expect(stdout).toContain('Conformant:')
    expect(`${stdout}${stderr}`.trimEnd().split('\n').length).toBeLessThanOrEqual(25)
    expect(code).toBe(0)
    const { run, verdict, totals, complete } = folder.results()
    expect(run).not.toHaveProperty('selection')
    expect({ verdict, complete }).toEqual({ verdict: 'conformant', complete: true })
    expect([totals.inconclusive, totals['not-tested'], totals.failed]).toEqual([0, 0, 0])
  })

  it('shows a failure with its sentence, both sides of the exchange, and a line that repeats it', async () => {
    const folder = new UserFolder()
    const { code, stdout } = await folder.run(guestsAdd)
    expect(code).toBe(1)
    expect(stdout).toContain("Only the host creates workspaces: a guest's administrator is refused.")
    expect(stdout).toMatch(
      /Sent:[\s\S]*Expected:[\s\S]*Came:[\s\S]*Request: +POST[\s\S]*Answer: +HTTP 200[\s\S]*curl -sS/,
    )
    const again = /portal-conformance (run --reference .*add-workspace\/refuses-guest)/.exec(
      stdout,
    )?.[1] as string
    expect((await new UserFolder().run(again.split(' '))).code).toBe(1)
  })

  it('says who sent what and when, what was marked, who was let do what, and what the run was limited to', async () => {
    const folder = new UserFolder()
    const faults = ['--fault', 'guests-add-workspaces', '--fault', 'name-limit-99']
    const selected = ['--operation', 'add-workspace', '--requirement', 'add-workspace/*']
    await folder.run(['run', '--reference', ...faults, ...selected, ...few])
    const { requirements, roles, run } = folder.results()
    const checks = requirements.flatMap((requirement) => requirement.checks)
    const evidence = checks.flatMap((check) => check.evidence ?? [])
    expect(evidence.length).toBeGreaterThan(20)
    expect(evidence.filter(({ actor }) => actor === undefined)).toEqual([])
    const times = evidence.map(({ atMs }) => atMs ?? Number.NaN)
    expect(times.filter((atMs) => !(atMs >= 0 && atMs <= run.durationMs))).toEqual([])
    const limited = checks.find(({ id }) => id === 'add-workspace/name-limit-accepts')
    expect(limited?.failure?.marks).toEqual({ request: ['collaborationWorkspaceName'] })
    const guest = { operation: 'add-workspace', actor: 'guestAdministrator' }
    expect(roles).toContainEqual({ ...guest, observed: 'allowed', wrong: true })
    expect(roles).toContainEqual({ ...guest, actor: 'impostor', observed: 'refused' })
    expect(roles).toContainEqual({ ...guest, actor: 'hostAdministrator', observed: 'allowed' })
    expect(run.selection).toEqual({ operations: ['add-workspace'], requirements: ['add-workspace/*'] })
  })

  it('asks for a target and never guesses one', async () => {
    const { code, stderr } = await new UserFolder().run(['run'])
    expect(code).toBe(2)
    expect(stderr).toContain('--config FILE')
  })

  it('ends with 4 where no one answers', async () => {
    const folder = new UserFolder()
    const server = createServer().listen(0, '127.0.0.1')
    await once(server, 'listening')
    const { port } = server.address() as AddressInfo
    server.close()
    const file = folder.write(
      'dead.yaml',
      `target: { baseUrl: "http://127.0.0.1:${port}/x" }\nportals: { host: { id: h } }\n`,
    )
    const { code, stderr } = await folder.run(['run', '--config', file])
    expect(code).toBe(4)
    expect(stderr).toContain('connection refused')
  })

  it('is never green with wrong credentials for everyone', async () => {
    const folder = new UserFolder()
    const file = configured(folder, await portalFor(), ({ actors }) => {
      for (const actor of Object.values(actors)) actor.credential = 'wrong-token-of-somebody'
    })
    const { code } = await folder.run(['run', '--config', file, '--allow-incomplete', ...few])
    expect(code).not.toBe(0)
    const passed = folder
      .results()
      .requirements.filter(({ outcome, level }) => outcome === 'passed' && level !== 'advice')
    expect(passed.map(({ id }) => id)).toEqual([])
  })

  it('ends with 2 where a selection matches nothing, and names what is near', async () => {
    const { code, stderr } = await new UserFolder().run([
      'run',
      '--reference',
      '--requirement',
      'add-workspaces/*',
    ])
    expect(code).toBe(2)
    expect(stderr).toContain('add-workspace/')
  })

  it('does not test what an actor is missing for, and says so', async () => {
    const folder = new UserFolder()
    const file = configured(folder, await portalFor(), (changed) => {
      const { guestAdministrator: _, ...others } = changed.actors
      Object.assign(changed, { actors: others })
    })
    const selected = ['--operation', 'add-workspace']
    const { code } = await folder.run(['run', '--config', file, ...selected, ...few])
    expect(code).toBe(3)
    const { verdict, requirements } = folder.results()
    expect(verdict).toBe('incomplete')
    const refusesGuest = requirements.find(({ id }) => id === 'add-workspace/refuses-guest')
    expect(refusesGuest).toMatchObject({
      outcome: 'not-tested',
      reason: expect.stringContaining('actors.guestAdministrator'),
    })
  })

  it('judges only what the release and edition have', async () => {
    const folder = new UserFolder()
    const file = configured(folder, await portalFor(), ({ target }) => {
      target.version = '10.6'
    })
    const { code } = await folder.run(['run', '--config', file, ...few])
    expect(code).toBe(0)
    const outcomes = new Map(folder.results().requirements.map(({ id, outcome }) => [id, outcome]))
    expect(outcomes.get('reassign-items/reassigns')).toBe('not-applicable')
    expect(outcomes.get('sync-workspace/starts')).toBe('not-applicable')
    expect(outcomes.get('add-workspace/creates')).toBe('passed')
  })

  it('ends generated cases early where the budget of requests is used up, and says so', async () => {
    const folder = new UserFolder()
    const portal = await portalFor()
    const requestsWith = async (maxRequests: number) => {
      const file = configured(folder, portal, (changed) => Object.assign(changed.run, { maxRequests }))
      const selected = ['--requirement', 'add-workspace/*', '--allow-incomplete', '--runs', '50']
      const { code, stdout } = await folder.run(['run', '--config', file, ...selected])
      const early = stdout.includes(
        'the budget of requests (run.maxRequests) ended its generated cases early',
      )
      return { code, early, requests: folder.results().run.requests }
    }
    const [few, enough] = [await requestsWith(60), await requestsWith(100_000)]
    expect([few.code, few.early, enough.code, enough.early]).toEqual([0, true, 0, false])
    // What is no generated case is asked anyway.
    expect(few.requests).toBeLessThan(enough.requests * 0.65)
  })

  it('writes what it has when interrupted, has the fixtures cleaned up, and ends with 130', async () => {
    const folder = new UserFolder()
    const portal = await portalFor({ latencyMs: 20 })
    const { process: child, ended } = folder.start([
      'run',
      '--config',
      configured(folder, portal),
      '--runs',
      '300',
    ])
    while (portal.requests < 200) await sleep(20)
    child.kill('SIGINT')
    const { code } = await ended
    expect(code).toBe(130)
    const results = folder.results()
    expect(results.complete).toBeUndefined()
    expect(results.requirements.some(({ reason }) => reason?.includes('interrupted'))).toBe(true)
    expect(portal.store.collaborations.size).toBe(0)
  })
})

describe('secrets', () => {
  it('are in no output, with a portal that echoes and lets anybody in', async () => {
    const folder = new UserFolder()
    const faults = ['guests-add-workspaces', 'html-escaped-echo', 'run-ids-swapped']
    const planted = await portalFor({ faults })
    const selected = ['--operation', 'add-workspace', '--operation', 'update-task-run']
    const file = configured(folder, planted)
    const ended = await folder.run(['run', '--config', file, ...selected, ...few])
    expectNoSecrets(planted, ended, folder)
  })
})

describe('secrets, in what every other command prints and leaves', () => {
  const check = 'add-workspace/refuses-guest'

  it('are absent, also where a run is broken off, a target dies or a configuration is wrong', async () => {
    const folder = new UserFolder()
    const portal = await portalFor({ faults: ['guests-add-workspaces'], latencyMs: 5 })
    const secrets = Object.values(portal.configuration.actors).map(({ credential }) => credential)
    const file = configured(folder, portal)
    const printed: string[] = []
    const run = async (args: readonly string[]): Promise<void> => {
      const { stdout, stderr } = await folder.run(args)
      printed.push(stdout, stderr)
    }
    await run(['run', '--dry-run', '--config', file])
    await run(['run', '--config', file, '--requirement', check, ...few])
    await run(['run', '--failed', 'portal-conformance-report', '--times', '1'])
    const { process: child, ended } = folder.start(['run', '--config', file, '--runs', '300'])
    const before = portal.requests
    while (portal.requests < before + 100) await sleep(20)
    await portal.close()
    const dying = await ended
    printed.push(dying.stdout, dying.stderr)
    expect(child.exitCode).not.toBe(0)
    await run(['run', '--config', file])
    const wrong = structuredClone(portal.configuration) as { actors: Record<string, unknown>; extra?: string }
    wrong.actors.noSuchActor = { credential: secrets[0] }
    wrong.extra = secrets[1] as string
    folder.write('wrong.json', JSON.stringify(wrong))
    await run(['run', '--config', 'wrong.json'])
    const everything = [...printed, folder.everythingWritten()].join('\n')
    expect(everything.length).toBeGreaterThan(10_000)
    expect(secrets.filter((secret) => everything.includes(secret))).toEqual([])
  })
})

describe('portal-conformance run --failed', () => {
  const check = 'add-workspace/refuses-guest'
  const results = 'portal-conformance-report/results.json'

  it('prints still failing, and fixed once it is', async () => {
    const folder = new UserFolder()
    const faulty = await portalFor({ faults: ['guests-add-workspaces'] })
    const file = configured(folder, faulty)
    await folder.run(['run', '--config', file, '--requirement', check, ...few])
    const before = folder.written()['results.json']
    const still = await folder.run(['run', '--failed', results, '--requirement', check, '--times', '2'])
    expect(still).toMatchObject({
      code: 1,
      stdout: expect.stringContaining(`${check}: still failing (2 times)`),
    })
    configured(folder, await portalFor())
    const fixed = await folder.run(['run', '--failed', 'portal-conformance-report', '--times', '1'])
    expect(fixed).toMatchObject({ code: 0, stdout: expect.stringContaining(`${check}: fixed (once)`) })
    expect(folder.written()['results.json']).toBe(before)
  })

  it('repeats several failures, one of them about every answer, and counts them', async () => {
    const folder = new UserFolder()
    const faults = ['--fault', 'guests-add-workspaces', '--fault', 'workspace-size-as-string']
    const checks = ['--requirement', check, '--requirement', 'add-workspace/creates']
    await folder.run(['run', '--reference', ...faults, ...checks, ...few])
    const failed = folder.results().requirements.filter(({ outcome }) => outcome === 'failed')
    expect(failed.map(({ id }) => id)).toEqual(['add-workspace/config-fields', check])
    const still = await folder.run(['run', '--failed', results, '--times', '1'])
    expect(still.code).toBe(1)
    expect(still.stdout).toContain('add-workspace/config-fields:every-answer: still failing (once)')
    expect(still.stdout).toContain('3 failures: 3 still failing, 0 fixed')
    const fixed = await folder.run(['run', '--failed', results, '--reference', '--times', '1'])
    expect(fixed.code).toBe(0)
    expect(fixed.stdout).toContain('3 failures: 0 still failing, 3 fixed')
  })

  it('names the failures that resemble one which the results do not hold', async () => {
    const folder = new UserFolder()
    await folder.run([
      'run',
      '--reference',
      '--fault',
      'guests-add-workspaces',
      '--requirement',
      check,
      ...few,
    ])
    const wanted = ['--requirement', 'add-workspace/refuses-guests']
    const { code, stderr } = await folder.run(['run', '--failed', results, ...wanted])
    expect(code).toBe(2)
    expect(stderr).toBe(
      `--requirement add-workspace/refuses-guests: did not fail in ${results}; near are ${check}, ${check}:other-guest\n`,
    )
  })

  it('refuses results in which nothing failed', async () => {
    const folder = new UserFolder()
    await folder.run(['run', '--reference', '--requirement', check, ...few])
    const { code, stderr } = await folder.run(['run', '--failed', results])
    expect([code, stderr]).toEqual([2, `--failed ${results}: nothing failed there\n`])
  })
})

describe('portal-conformance run --bail', () => {
  it('ends the run at the first failure, and reports what was not run', async () => {
    const folder = new UserFolder()
    const { code, stderr } = await folder.run([...guestsAdd, '--bail'])
    expect(code).toBe(1)
    const reason = /the run ended after 1 failure \(--bail 1\): (\d+) of \d+ checks were not run/
    expect(stderr).toMatch(reason)
    const { run: ended, complete, requirements } = folder.results()
    expect([ended.stopped, complete]).toEqual([expect.stringMatching(reason), undefined])
    const left = requirements.flatMap(({ checks }) => checks.filter((each) => each.reason === ended.stopped))
    expect(left).toHaveLength(Number(reason.exec(stderr)?.[1]))
    expect(new Set(left.map(({ outcome }) => outcome))).toEqual(new Set(['not-tested']))
  })

  it('runs all checks where fewer fail', async () => {
    const folder = new UserFolder()
    const { code } = await folder.run([...guestsAdd, '--bail', '50'])
    expect([code, folder.results().complete]).toEqual([1, true])
  })
})
