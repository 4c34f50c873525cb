import { existsSync, mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { type EmbeddedPortal, startPortal } from '../../reference/portal.ts'
import { checkOf, resultsOf } from '../../reporters/results.fixture.ts'
import { writeResults } from '../../reporters/results-json.ts'
import { fleetCode } from '../commands/fleet.ts'
import { UserFolder } from '../end-to-end/command.fixture.ts'
import { observedContext } from '../process/command-context.fixture.ts'
import { runProgram } from '../program.ts'
import { fleetTargets } from './fleet-targets.ts'

const folder = mkdtempSync(join(tmpdir(), 'pc-fleet-'))
const portals: EmbeddedPortal[] = []
let kinds: Readonly<Record<string, object>> = {}

function write(name: string, value: unknown): string {
  const file = join(folder, name)
  writeFileSync(file, JSON.stringify(value))
  return file
}

async function fleet(...words: string[]) {
  const commandContext = observedContext()
  const code = await runProgram(['fleet', ...words], commandContext)
  return { code, out: commandContext.printed(), err: commandContext.complained() }
}

/** A folder of configurations in that order, named by place and kind. */
function deployments(name: string, order: readonly string[]): string {
  mkdirSync(join(folder, name))
  for (const [at, kind] of order.entries()) write(`${name}/${at + 1}-${kind}.json`, kinds[kind])
  return join(folder, name)
}

beforeAll(async () => {
  portals.push(await startPortal(), await startPortal({ faults: ['guests-add-workspaces'] }))
  // As much as shows the fault.
  const [good, broken] = portals.map(({ configuration }) => {
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

afterAll(async () => {
  await Promise.all(portals.map((portal) => portal.close()))
  rmSync(folder, { recursive: true })
})

describe('a fleet', () => {
  const few = ['--runs', '1', '--seed', '4', '--jobs', '3']

  it.each([
    ['1', ['good'], 3],
    ['1, with what was not tested allowed,', ['good'], 0],
    ['2', ['good', 'broken'], 1],
    ['5', ['dead', 'good', 'wrong', 'broken', 'dead'], 2],
  ])(
    'of %s: %j is judged, with a column for each, and ends with the worst: %i',
    async (name, order, worst) => {
      const out = join(folder, `${name} reports`)
      const allowed = worst === 0 ? ['--allow-incomplete'] : []
      const {
        code,
        out: printed,
        err,
      } = await fleet(deployments(name, order), '--out', out, ...few, ...allowed)
      expect(code).toBe(worst)
      const ends = {
        good: worst === 0 ? 'incomplete (exit 0)' : 'incomplete (exit 3)',
        broken: 'non-conformant (exit 1)',
        dead: 'not reached, or the suite broke (exit 4)',
        wrong: 'usage or configuration (exit 2)',
      }
      for (const [at, kind] of order.entries()) {
        const target = `${at + 1}-${kind}`
        expect(err).toContain(
          `${target}: ${ends[kind as keyof typeof ends]}, reports in ${join(out, target)}\n`,
        )
        const judged = kind === 'good' || kind === 'broken'
        expect(existsSync(join(out, target, 'report.html'))).toBe(judged)
        expect(printed).toMatch(
          new RegExp(`^${'ABCDEFG'[at]} ${target}${judged ? '' : ', not judged'}(?: {2}|$)`, 'm'),
        )
      }
      const head = ['requirement', ...order.map((_, at) => 'ABCDEFG'[at])].join(' | ')
      // Of one target nothing differs.
      const shown = order.length === 1 ? ' on all: ' : `| ${head} |`
      expect(readFileSync(join(out, 'matrix.md'), 'utf8')).toContain(shown)
      expect(existsSync(join(out, 'matrix.html'))).toBe(true)
    },
  )

  it('says why a target broke, and makes no matrix where no target was judged', async () => {
    const out = join(folder, 'dead reports')
    const { code, err, out: printed } = await fleet(deployments('dead', ['dead']), '--out', out)
    expect([code, printed, existsSync(join(out, 'matrix.md'))]).toEqual([4, '', false])
    expect(err).toMatch(/1-dead: not reached, or the suite broke \(exit 4\)[\s\S]*cannot be reached/)
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
  ])('of runs that ended with %j ends with %i', (codes, code) => {
    expect(fleetCode(codes)).toBe(code)
  })

  it('has a part for each of several machines, and every target is in one', async () => {
    const targets = deployments('parts', ['good', 'good', 'good', 'good', 'good'])
    const listed = async (...words: string[]) => {
      const { code, out, err } = await fleet(targets, '--list', ...words)
      return code === 0 ? (JSON.parse(out) as { name: string }[]).map(({ name }) => name) : err
    }
    expect(await listed('--shard', '1/2')).toEqual(['1-good', '3-good', '5-good'])
    expect(await listed('--shard', '2/2')).toEqual(['2-good', '4-good'])
    expect(await listed('--index', '0')).toEqual(['1-good'])
    expect(await listed('--index', '4')).toEqual(['5-good'])
    expect(await listed('--index', '5')).toContain('--index 5: there are 5 targets, counted from 0 to 4')
    expect(await listed('--shard', '1/6')).toContain('there are only 5 targets')
    expect(await listed('--shard', '1/2', '--index', '0')).toContain('cannot be used with option')
  })

  it('does not take results of an earlier fleet for those of this one', async () => {
    const out = join(folder, 'again reports')
    await writeResults(join(out, '1-dead'), resultsOf([]))
    const { code } = await fleet(deployments('again', ['dead']), '--out', out)
    expect([code, existsSync(join(out, '1-dead', 'results.json'))]).toEqual([4, false])
  })

  it('takes one seed for all targets, and its matrix links their reports', async () => {
    const out = join(folder, 'linked reports')
    await fleet(deployments('linked', ['good', 'broken']), '--out', out, '--runs', '1')
    const names = readdirSync(out).filter((name) => !name.startsWith('matrix'))
    const seeds = names.map(
      (name) => JSON.parse(readFileSync(join(out, name, 'results.json'), 'utf8')).run.seed,
    )
    expect([names.length, new Set(seeds).size]).toEqual([2, 1])
    const page = readFileSync(join(out, 'matrix.html'), 'utf8')
    for (const name of names) expect(page).toContain(`<a href="${name}/report.html">${name}</a>`)
  })

  it('hands seed and number of cases to each run', () => {
    const { run } = JSON.parse(readFileSync(join(folder, '2 reports', '2-broken', 'results.json'), 'utf8'))
    expect([run.seed, run.runs]).toEqual([4, 1])
  })

  it('makes the matrix of results that were collected, and says which are missing or cannot be read', async () => {
    const configurations = deployments('collected', ['good', 'broken', 'good'])
    const out = join(folder, 'collection')
    for (const name of ['1-good', '2-broken']) {
      const from = readFileSync(join(folder, '2 reports', name, 'results.json'), 'utf8')
      mkdirSync(join(out, name), { recursive: true })
      writeFileSync(join(out, name, 'results.json'), from)
    }
    const missing = await fleet(configurations, '--out', out, '--collected')
    // What is judged and broken goes before what is missing.
    expect(missing.code).toBe(1)
    expect(missing.err).toContain('2-broken: non-conformant (exit 1)')
    expect(missing.err).toContain(
      `${join(out, '3-good', 'results.json')} is not there: was it judged, and were its results collected?`,
    )
    expect(missing.out).toMatch(/^C 3-good, not judged(?: {2}|$)/m)
    mkdirSync(join(out, '3-good'))
    writeFileSync(join(out, '3-good', 'results.json'), '{')
    const spoilt = await fleet(configurations, '--out', out, '--collected')
    expect([spoilt.code, spoilt.err]).toEqual([1, expect.stringContaining('is not JSON')])
    rmSync(join(configurations, '3-good.json'))
    expect((await fleet(configurations, '--out', out, '--collected')).code).toBe(1)
  })

  it('of many says in a few lines which could not be judged, and why', async () => {
    const configurations = deployments('many', Array(30).fill('good'))
    const out = join(folder, 'many reports')
    for (let at = 1; at <= 23; at += 1)
      await writeResults(join(out, `${at}-good`), resultsOf([checkOf('add-workspace/creates')]))
    const { code, out: printed, err } = await fleet(configurations, '--out', out, '--collected')
    expect(code).toBe(5)
    expect(err).toMatch(/24-good: not reached, .*\n.*results\.json is not there: was it judged/)
    expect(err).toContain('and 2 more that could not be judged\n')
    expect(printed.replace(/\s+/g, ' ')).toContain('7 not judged: 24-good, 25-good, 26-good')
    expect((printed + err).trimEnd().split('\n').length).toBeLessThanOrEqual(40)
  })

  it('lists its targets for the matrix of a CI', async () => {
    const several = write('several.json', { targets: { north: {}, south: {} } })
    const { code, out } = await fleet(several, join(folder, '1'), '--list')
    expect(code).toBe(0)
    expect(JSON.parse(out)).toEqual([
      { name: 'north', config: several, target: 'north' },
      { name: 'south', config: several, target: 'south' },
      { name: '1-good', config: join(folder, '1', '1-good.json') },
    ])
  })

  it.each<[() => string[], RegExp]>([
    [() => [join(folder, 'nowhere')], /nowhere: cannot be read: there is no such file or folder/],
    [
      () => [join(folder, '1'), join(folder, '1', '1-good.json')],
      /two targets are called 1-good: .*1-good\.json, .*1-good\.json; rename one/,
    ],
    [
      () => [write('up.json', { targets: { '../../up': {} } })],
      /up\.json: the target "\.\.\/\.\.\/up": the name is also the name of a folder: letters, digits/,
    ],
    [() => [write('two.json', { targets: { 'a:b': {} } })], /the target "a:b": the name is also/],
  ])('refuses what is no fleet (%#)', async (paths, message) => {
    await expect(fleetTargets(paths())).rejects.toThrow(message)
  })
})

it('a Ctrl-C ends the runs, each with its report, and begins no other', async () => {
  const slow = await startPortal({ latencyMs: 150 })
  const user = new UserFolder()
  try {
    for (const name of ['a', 'b']) user.write(`${name}.json`, JSON.stringify(slow.configuration))
    const { process: command, ended } = user.start(
      ['fleet', 'a.json', 'b.json', '--out', 'out', '--jobs', '1'],
      {},
      true,
    )
    // Requests that the run itself sends: it has begun, and writes a report where it is interrupted.
    while (slow.requests < 20) await new Promise((resolve) => setTimeout(resolve, 20))
    // To the command and all that it began, as a terminal does.
    process.kill(-(command.pid as number), 'SIGINT')
    const { code, stderr } = await ended
    expect([code, stderr]).toEqual([130, expect.stringContaining('a: interrupted (exit 130)')])
    expect(stderr).toContain('b: interrupted (exit 130)')
    expect(existsSync(join(user.path, 'out', 'a', 'results.json'))).toBe(true)
    expect(existsSync(join(user.path, 'out', 'b'))).toBe(false)
  } finally {
    await slow.close()
    rmSync(user.path, { recursive: true })
  }
})
