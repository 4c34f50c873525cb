import { execFile } from 'node:child_process'
import { setTimeout as sleep } from 'node:timers/promises'
import { describe, expect, it } from 'vitest'
import type { EmbeddedPortal } from '../../reference/portal.ts'
import type { Results } from '../../reporters/results.ts'
import { testPortal } from '../process/test-portal.fixture.ts'
import { main, UserFolder } from './command.fixture.ts'

/** A configuration file for a portal, with changes. */
function configured(
  folder: UserFolder,
  portal: EmbeddedPortal,
  change: (file: EmbeddedPortal['configuration']) => void = () => undefined,
) {
  const file = structuredClone(portal.configuration)
  change(file)
  return folder.write('portal.json', JSON.stringify(file))
}

/** A run on a portal that breaks one rule of one operation. */
const guestsAdd = 'run --reference --fault guests-add-workspaces --operation add-workspace --runs 1'

describe('portal-conformance run', () => {
  it('reports a conforming portal as conformant, with nothing open and no secret in any output', async () => {
    const folder = new UserFolder()
    const portal = await testPortal()
    const { code, stdout, stderr } = await folder.run(`run --config ${configured(folder, portal)} --runs 1`)
    const secrets = Object.values(portal.configuration.actors).map(({ credential }) => credential)
    expect(secrets).toHaveLength(12)
    const everything = [stdout, stderr, folder.everythingWritten()].join('\n')
    expect(everything).toContain('***')
    expect(secrets.filter((secret) => everything.includes(secret))).toEqual([])
    expect(stdout).toContain('Conformant:')
    expect(`${stdout}${stderr}`.trimEnd().split('\n').length).toBeLessThanOrEqual(25)
    expect(code).toBe(0)
    const { run, verdict, totals, complete } = folder.results()
    expect(run).not.toHaveProperty('selection')
    expect({ verdict, complete }).toEqual({ verdict: 'conformant', complete: true })
    expect([totals.inconclusive, totals['not-tested'], totals.failed]).toEqual([0, 0, 0])
  })

  it('shows a failure with its clause, both sides of the exchange and a repeat command', async () => {
    const folder = new UserFolder()
    const selected = '--fault name-limit-99 --requirement add-workspace/* --seed 7 --bail 50'
    const { code, stdout } = await folder.run(`${guestsAdd} ${selected}`)
    expect(code).toBe(1)
    expect(stdout).toContain("Only the host creates workspaces: a guest's administrator is refused.")
    expect(stdout).toMatch(
      /Sent:[\s\S]*Expected:[\s\S]*Came:[\s\S]*Request: +POST[\s\S]*Answer: +HTTP 200[\s\S]*curl -sS/,
    )
    const again = /portal-conformance (run --reference .* --seed 7 --runs 1 .*add-workspace\/refuses-guest)/
    expect((await new UserFolder().run(again.exec(stdout)?.[1] as string)).code).toBe(1)

    // Results have the actor and time of each exchange, marked fields, observed roles and the selection.
    const { requirements, roles, run, complete } = folder.results()
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
    // Fewer failed than --bail allows.
    expect(complete).toBe(true)
  })

  it('stops at the first failure with --bail, and reports the checks that were not run', async () => {
    const folder = new UserFolder()
    const { code, stderr } = await folder.run(`${guestsAdd} --bail`)
    expect(code).toBe(1)
    const reason = /the run ended after --bail 1: (\d+) checks were not run/
    expect(stderr).toMatch(reason)
    const { run: ended, complete, requirements } = folder.results()
    expect([ended.stopped, complete]).toEqual([expect.stringMatching(reason), undefined])
    const left = requirements.flatMap(({ checks }) => checks.filter((each) => each.reason === ended.stopped))
    expect(left).toHaveLength(Number(reason.exec(stderr)?.[1]))
    expect(new Set(left.map(({ outcome }) => outcome))).toEqual(new Set(['not-tested']))
  })

  it('passes nothing if every credential is wrong', async () => {
    const folder = new UserFolder()
    const file = configured(folder, await testPortal(), ({ actors }) => {
      for (const actor of Object.values(actors)) actor.credential = 'wrong-token-of-somebody'
    })
    const { code } = await folder.run(`run --config ${file} --allow-incomplete --runs 1`)
    expect(code).not.toBe(0)
    const passed = folder
      .results()
      .requirements.filter(({ outcome, level }) => outcome === 'passed' && level !== 'advice')
    expect(passed.map(({ id }) => id)).toEqual([])
  })

  it('sends no more than run.maxRequests, and reports what was not tested for it', async () => {
    const folder = new UserFolder()
    const portal = await testPortal()
    const requestsWith = async (maxRequests: number) => {
      const file = configured(folder, portal, (changed) => Object.assign(changed.run, { maxRequests }))
      const selected = '--requirement add-workspace/* --allow-incomplete --runs 20'
      const { code, stdout } = await folder.run(`run --config ${file} ${selected}`)
      const left = stdout.includes(`the ${maxRequests} requests of run.maxRequests are used up`)
      return { code, left, requests: folder.results().run.requests }
    }
    const [few, enough] = [await requestsWith(60), await requestsWith(100_000)]
    expect([few.code, few.left, enough.code, enough.left]).toEqual([0, true, 0, false])
    expect(few.requests).toBeLessThanOrEqual(60)
    expect(enough.requests).toBeGreaterThan(60)
  })

  it('writes its results when interrupted, cleans up the fixtures and exits with 130', async () => {
    const folder = new UserFolder()
    const portal = await testPortal({ latencyMs: 20 })
    const { process: child, ended } = folder.start(`run --config ${configured(folder, portal)} --runs 300`)
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

describe('portal-conformance run --failed', () => {
  const check = 'add-workspace/refuses-guest'
  const results = 'portal-conformance-report/results.json'

  it('prints "still failing" or "fixed", and refuses a check that did not fail', async () => {
    const folder = new UserFolder()
    const file = configured(folder, await testPortal({ faults: ['guests-add-workspaces'] }))
    await folder.run(`run --config ${file} --requirement ${check} --runs 1`)
    const before = folder.written()['results.json']
    const still = await folder.run(`run --failed ${results} --requirement ${check} --times 2`)
    expect(still).toMatchObject({
      code: 1,
      stdout: expect.stringContaining(`${check}: still failing (2 times)`),
    })
    expect(await folder.run(`run --failed ${results} --requirement ${check}s`)).toMatchObject({
      code: 2,
      stderr: `--failed ${results}: nothing that is selected failed there; near are ${check}, ${check}:other-guest\n`,
    })
    configured(folder, await testPortal())
    const fixed = await folder.run('run --failed portal-conformance-report --times 1')
    expect(fixed).toMatchObject({ code: 0, stdout: expect.stringContaining(`${check}: fixed (once)`) })
    expect(folder.written()['results.json']).toBe(before)
    await folder.run(`run --config ${file} --requirement ${check} --runs 1`)
    const { code, stderr } = await folder.run(`run --failed ${results}`)
    expect([code, stderr]).toEqual([2, `--failed ${results}: nothing failed there\n`])
  })

  it('repeats and counts several failures, including one about every answer', async () => {
    const folder = new UserFolder()
    const faults = '--fault guests-add-workspaces --fault workspace-size-as-string'
    const checks = `--requirement ${check} --requirement add-workspace/creates`
    await folder.run(`run --reference ${faults} ${checks} --runs 1`)
    const failed = folder.results().requirements.filter(({ outcome }) => outcome === 'failed')
    expect(failed.map(({ id }) => id)).toEqual(['add-workspace/config-fields', check])
    const still = await folder.run(`run --failed ${results} --times 1`)
    expect(still.code).toBe(1)
    expect(still.stdout).toContain('add-workspace/config-fields:every-answer: still failing (once)')
    expect(still.stdout).toContain('3 failures: 3 still failing, 0 fixed')
    const fixed = await folder.run(`run --failed ${results} --reference --times 1`)
    expect(fixed.code).toBe(0)
    expect(fixed.stdout).toContain('3 failures: 0 still failing, 3 fixed')
  })
})

describe('portal-conformance run --for', () => {
  const few = 'run --reference --requirement update-participant/identifiers --runs 1 --seed 7'

  const exchangesOf = (requirements: Results['requirements']) =>
    requirements.reduce((sum, { looks }) => sum + (looks?.exchanges ?? 0), 0)

  it('judges several rounds, and reports the rate of faults that it would have found', async () => {
    const folder = new UserFolder()
    const { code, stdout } = await folder.run(`${few} --for 2s --allow-incomplete`)
    const { run, requirements, complete } = folder.results()
    const rounds = run.rounds!
    expect(code).toBe(0)
    expect(complete).toBe(true)
    expect(rounds.count).toBeGreaterThan(1)
    expect(rounds.lastSeed).toBe(7 + rounds.count - 1)
    expect(run).toMatchObject({ seed: 7, requests: rounds.requests, options: { seed: 7 } })
    // The size is bounded: each check is listed once, whatever the number of rounds.
    const journal = folder.written()['journal.ndjson'] as string
    expect(journal.match(/"entry":"run"/g)).toHaveLength(1)
    expect(journal.length).toBeLessThan(10_000)
    const ids = requirements.flatMap(({ checks }) => checks.map(({ id }) => id))
    expect(new Set(ids).size).toBe(ids.length)
    const exchanges = exchangesOf(requirements)
    const single = new UserFolder()
    await single.run(`${few} --allow-incomplete`)
    expect(exchanges).toBeGreaterThan(exchangesOf(single.results().requirements) * (rounds.count - 0.5))
    expect(stdout.replace(/\s+/g, ' ')).toContain(`${rounds.requests} requests, ${exchanges} judged answers.`)
    expect(stdout.replace(/\s+/g, ' ')).toContain(
      `A fault that shows in 1 of ${Math.floor(rounds.requests / 3)} requests would have been found with 95 % probability.`,
    )
  })

  it('ends at the first finding, and names its seed', async () => {
    const folder = new UserFolder()
    const { code, stdout } = await folder.run(`${few} --fault participant-portal-is-host --for 1h`)
    expect(code).toBe(1)
    expect(folder.results().run.rounds?.count).toBe(1)
    expect(stdout).toContain('--seed 7')
  })
})

/** Runs a command line as if pasted into a shell. */
function pasted(line: string, folder: UserFolder): Promise<number> {
  const script = line.replace(/^portal-conformance/, `'${process.execPath}' '${main}'`)
  return new Promise((resolve) =>
    execFile('sh', ['-c', script], { cwd: folder.path }, (error) =>
      resolve(error === null ? 0 : Number(error.code)),
    ),
  )
}

/** The text of a page, with entities decoded. */
const textOf = (page: string): string =>
  page
    .replace(/&(?:#39|#x27|apos);/g, "'")
    .replace(/&quot;/g, '"')
    .replace(/&amp;/g, '&')

it('every report has the repeat command of each finding, and one finds it again in a shell', async () => {
  const faults = ['guests-add-workspaces', 'name-limit-99', 'workspace-size-as-string']
  const portal = await testPortal({ faults })
  const folder = new UserFolder()
  const configuration = { ...portal.configuration, effects: ['add-workspace'] }
  folder.write("it's $HOME.json", JSON.stringify(configuration))
  const reporters = ['--reporter', 'terminal,json,html,junit,markdown']
  const few = ['--runs', '2', '--operation', 'add-workspace', '--base-url', portal.baseUrl]
  const { code, stdout } = await folder.run(['run', '--config', "it's $HOME.json", ...few, ...reporters])
  expect(code).toBe(1)
  // Findings of one cause share a card, which has one command.
  const commands = folder.results().requirements.flatMap(({ checks }) => {
    const [first] = checks.filter(({ outcome }) => outcome === 'failed')
    return first === undefined ? [] : [first.failure?.repeat ?? '']
  })
  expect(commands.length).toBeGreaterThanOrEqual(faults.length)
  const written = folder.written()
  const inFiles = ['summary.md', 'report.html', 'junit.xml'].map((name) => textOf(written[name] as string))
  const reports = [stdout, ...inFiles]
  for (const command of commands) {
    for (const text of reports) expect(text).toContain(command)
  }
  expect(await pasted(commands.at(-1) as string, folder)).toBe(1)
})
