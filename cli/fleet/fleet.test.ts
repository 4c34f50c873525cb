import { existsSync, mkdirSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { beforeAll, describe, expect, it } from 'vitest'
import { resultsOf } from '../../reporters/results.fixture.ts'
import { writeResults } from '../../reporters/results-json.ts'
import { fleetCode } from '../commands/fleet.ts'
import { UserFolder } from '../end-to-end/command.fixture.ts'
import { command, resultsIn } from '../process/in-process.fixture.ts'
import { folderOfFile } from '../process/test-folder.fixture.ts'
import { portalOfFile, testPortal } from '../process/test-portal.fixture.ts'
import { fleetTargets } from './fleet-targets.ts'

const folder = folderOfFile()
const goodPortal = portalOfFile()
const brokenPortal = portalOfFile({ faults: ['guests-add-workspaces'] })
let kinds: Readonly<Record<string, object>> = {}

function write(name: string, value: unknown): string {
  const file = join(folder, name)
  writeFileSync(file, JSON.stringify(value))
  return file
}

const fleet = (...words: string[]) => command('fleet', ...words)

/** A folder of configurations in the given order, named by position and kind. */
function deployments(name: string, order: readonly string[]): string {
  mkdirSync(join(folder, name))
  for (const [at, kind] of order.entries()) write(`${name}/${at + 1}-${kind}.json`, kinds[kind])
  return join(folder, name)
}

beforeAll(() => {
  // The least that shows the fault.
  const [good, broken] = [goodPortal(), brokenPortal()].map(({ configuration }) => {
    const { hostAdministrator, guestAdministrator } = configuration.actors
    const actors = { hostAdministrator, guestAdministrator }
    return { ...configuration, actors, effects: ['add-workspace'] }
  })
  kinds = {
    good: good as object,
    broken: broken as object,
    dead: { ...good, target: { baseUrl: 'http://127.0.0.1:1' } },
    wrong: { ...good, effects: 'none of these' },
  }
})

describe('a fleet', () => {
  const five = () => join(folder, 'five reports')
  const runIn = (...path: string[]) => resultsIn(join(folder, ...path)).run

  it('judges five targets with one seed, compares them and exits with the worst code', async () => {
    const order = ['dead', 'good', 'wrong', 'broken', 'dead'] as const
    const few = ['--runs', '1', '--jobs', '3']
    const { code, out, err } = await fleet(deployments('five', order), '--out', five(), ...few)
    expect(code).toBe(2)
    const ends = {
      good: 'incomplete (exit 3)',
      broken: 'non-conformant (exit 1)',
      dead: 'could not be judged (exit 4)',
      wrong: 'usage or configuration (exit 2)',
    }
    const page = readFileSync(join(five(), 'matrix.html'), 'utf8')
    for (const [at, kind] of order.entries()) {
      const target = `${at + 1}-${kind}`
      const judged = kind === 'good' || kind === 'broken'
      const reports = judged ? `, reports in ${join(five(), target)}` : ''
      expect(err).toContain(`${target}: ${ends[kind]}${reports}\n`)
      expect(existsSync(join(five(), target, 'report.html'))).toBe(judged)
      expect(page.includes(`<a href="${target}/report.html">${target}</a>`)).toBe(judged)
      const verdict = {
        good: 'incomplete',
        broken: 'non-conformant',
        dead: 'not judged',
        wrong: 'not judged',
      }
      expect(out).toMatch(new RegExp(`^ +\\d ${verdict[kind]}: .*\\b${target}\\b`, 'm'))
    }
    const summary = readFileSync(join(five(), 'matrix.md'), 'utf8')
    expect(summary).toContain('| 1-dead, 3-wrong, 5-dead | not judged |')
    expect(summary).toMatch(/5-dead was not judged: the target at .* cannot be reached/)
    expect(runIn('five reports', '2-good').seed).toBe(runIn('five reports', '4-broken').seed)
  })

  it('passes --seed, --runs and --allow-incomplete to the run of a single target', async () => {
    const words = ['--runs', '1', '--seed', '4', '--allow-incomplete']
    const out = join(folder, 'one reports')
    const { code, err } = await fleet(deployments('one', ['good']), '--out', out, ...words)
    expect([code, err]).toEqual([0, expect.stringContaining('1-good: incomplete (exit 0)')])
    expect(runIn('one reports', '1-good')).toMatchObject({ seed: 4, runs: 1 })
    expect(readFileSync(join(out, 'matrix.md'), 'utf8')).toContain('| 1-good | incomplete |')
  })

  it('gives the reason if no target can be judged, writes no matrix and deletes earlier results', async () => {
    const out = join(folder, 'dead reports')
    await writeResults(join(out, '1-dead'), resultsOf([]))
    const { code, err, out: printed } = await fleet(deployments('dead', ['dead']), '--out', out)
    expect([code, printed, readdirSync(out), readdirSync(join(out, '1-dead'))]).toEqual([
      4,
      '',
      ['1-dead'],
      [],
    ])
    expect(err).toMatch(/1-dead: could not be judged \(exit 4\)\n[\s\S]*cannot be reached/)
  })

  it.each([
    [[4, 4], 4],
    [[4, 0], 5],
    [[4, 3, 0], 5],
    [[4, 1, 0], 1],
    [[2, 1], 2],
    [[130, 4], 130],
    [[3, 0], 3],
    [[0, 0], 0],
  ])('after exit codes %j exits with %i', (codes, code) => {
    expect(fleetCode(codes)).toBe(code)
  })

  it('divides its targets among machines by --shard or --index', async () => {
    const targets = deployments('parts', ['good', 'good', 'good', 'good', 'good'])
    const listed = async (...words: string[]) => {
      const { code, out, err } = await fleet(targets, '--list', ...words)
      return code === 0 ? (JSON.parse(out) as { name: string }[]).map(({ name }) => name) : err
    }
    expect(await listed('--shard', '1/2')).toEqual(['1-good', '3-good', '5-good'])
    expect(await listed('--shard', '2/2')).toEqual(['2-good', '4-good'])
    expect(await listed('--index', '0')).toEqual(['1-good'])
    expect(await listed('--index', '4')).toEqual(['5-good'])
    expect(await listed('--index', '5')).toContain('--index 5: there are 5 targets, counted from 0')
    expect(await listed('--shard', '1/6')).toContain('there are only 5 targets')
    expect(await listed('--shard', '1/2', '--index', '0')).toContain('cannot be used with option')
  })

  it('builds the matrix from collected results, and names missing and unreadable ones', async () => {
    const configurations = deployments('collected', ['good', 'broken', 'good'])
    const out = join(folder, 'collection')
    for (const [from, name] of [
      ['2-good', '1-good'],
      ['4-broken', '2-broken'],
    ] as const) {
      const results = readFileSync(join(five(), from, 'results.json'))
      mkdirSync(join(out, name), { recursive: true })
      writeFileSync(join(out, name, 'results.json'), results)
    }
    const missing = await fleet(configurations, '--out', out, '--collected')
    // A non-conformant target outranks missing results.
    expect(missing.code).toBe(1)
    expect(missing.err).toContain('2-broken: non-conformant (exit 1)')
    expect(missing.err).toContain(
      `3-good: could not be judged (exit 4)\n  ${join(out, '3-good', 'results.json')} is missing: its job wrote no results, or they were not collected`,
    )
    expect(missing.out).toMatch(/3-good was not judged:\s.*results\.json\s+is\s+missing/s)
    expect(missing.out).not.toContain('Changed checks')
    expect(missing.out).toMatch(/1 not judged: +3-good\n/)
    mkdirSync(join(out, '3-good'))
    writeFileSync(join(out, '3-good', 'results.json'), '{')
    const spoilt = await fleet(configurations, '--out', out, '--collected')
    expect([spoilt.code, spoilt.err]).toEqual([1, expect.stringContaining('is not JSON')])
    rmSync(join(configurations, '3-good.json'))
    expect((await fleet(configurations, '--out', out, '--collected')).code).toBe(1)
  })

  it.each<[() => string[], RegExp]>([
    [() => [join(folder, 'nowhere')], /nowhere: cannot be read: there is no such file or folder/],
    [
      () => [join(folder, 'one'), join(folder, 'one', '1-good.json')],
      /two targets are called 1-good: .*1-good\.json, .*1-good\.json; rename one/,
    ],
    [
      () => [write('up.json', { targets: { '../../up': {} } })],
      /up\.json: the target "\.\.\/\.\.\/up": the name is also the name of a folder: letters, digits/,
    ],
    [() => [write('two.json', { targets: { 'a:b': {} } })], /the target "a:b": the name is also/],
  ])('refuses missing paths, equal names and names that are no folder names (%#)', async (paths, message) => {
    await expect(fleetTargets(paths())).rejects.toThrow(message)
  })
})

it('fleet at Ctrl-C ends its runs, which write reports, and starts no others', async () => {
  const slow = await testPortal({ latencyMs: 150 })
  const user = new UserFolder()
  for (const name of ['a', 'b']) user.write(`${name}.json`, JSON.stringify(slow.configuration))
  const { process: command, ended } = user.start('fleet a.json b.json --out out --jobs 1', {}, true)
  // After these requests the run has started, and writes a report when interrupted.
  while (slow.requests < 20) await new Promise((resolve) => setTimeout(resolve, 20))
  // To the whole process group, as a terminal does.
  process.kill(-(command.pid as number), 'SIGINT')
  const { code, stderr } = await ended
  expect([code, stderr]).toEqual([130, expect.stringContaining('a: interrupted (exit 130)')])
  expect(stderr).toContain('b: interrupted (exit 130)')
  expect(existsSync(join(user.path, 'out', 'a', 'results.json'))).toBe(true)
  expect(existsSync(join(user.path, 'out', 'b'))).toBe(false)
})
