import {
  existsSync,
  mkdirSync,
  readFileSync,
  renameSync,
  symlinkSync,
  truncateSync,
  writeFileSync,
} from 'node:fs'
import { join } from 'node:path'
import { describe, expect, it, onTestFinished } from 'vitest'
import { startPortal } from '../../reference/portal.ts'
import { checkOf, failedCheck, resultsOf } from '../../reporters/results.fixture.ts'
import type { Results } from '../../reporters/results.ts'
import { readResults } from '../../reporters/results-json.ts'
import { inAnotherShard } from '../../runner/run-input.ts'
import { command, recorded, testFolder } from './recorded-runs.fixture.ts'

const elsewhere = { outcome: 'not-tested', reason: inAnotherShard, requests: 0 } as const
const [creates, isNew] = ['add-workspace/creates', 'add-workspace/id-is-new'] as const

function shard(index: number, others: Partial<Results> = {}): Results {
  const { run, ...results } = resultsOf([
    checkOf(creates, index === 1 ? {} : elsewhere),
    checkOf(isNew, index === 2 ? {} : elsewhere),
  ])
  return { ...results, run: { ...run, shard: { index, count: 2 } }, ...others }
}

/** Both shards in folders of a folder. */
async function bothIn(folder: string, second: Partial<Results> = {}): Promise<string> {
  const shards = join(folder, 'shards')
  await recorded(shards, '1', shard(1))
  await recorded(shards, 'deep/er/2', shard(2, second))
  return shards
}

const broken = resultsOf([checkOf(creates, elsewhere), failedCheck(isNew, 'x')])

describe('merge', () => {
  it('finds shards however deep, writes one results.json, and ends as a run does', async () => {
    const folder = testFolder()
    const out = join(folder, 'merged')
    const { code, out: printed, err } = await command('merge', await bothIn(folder), '--out', out)
    expect(code).toBe(0)
    expect(printed).toContain('Conformant: 2 of 2')
    expect(err).toBe(`Results: ${join(out, 'results.json')}\n`)
    expect(await readResults(join(out, 'results.json'))).toMatchObject({
      verdict: 'conformant',
      complete: true,
    })
    expect(await command('report', join(out, 'results.json'))).toMatchObject({ code: 0 })
  })

  it.each<[string, Partial<Results>, string[], number]>([
    ['a failure', { requirements: broken.requirements }, [], 1],
    ['errors of a shard', { errors: ['broke'] }, [], 4],
  ])('ends with the exit code of a run after %s', async (_, second, words, expected) => {
    const folder = testFolder()
    const { code } = await command(
      'merge',
      await bothIn(folder, second),
      '--out',
      join(folder, 'm'),
      ...words,
    )
    expect(code).toBe(expected)
  })

  it.each([
    ['cut short', {}, 130],
    ['cut short by its limit', { stopped: 'the run took too long' }, 3],
  ])('warns of a shard that was %s, and never takes the whole for complete', async (_, why, expected) => {
    const folder = testFolder()
    const { complete, run, ...others } = shard(2)
    const cutShort = { ...others, run: { ...run, ...why } }
    const shards = join(folder, 'shards')
    await recorded(shards, '1', shard(1))
    const file = await recorded(shards, '2', cutShort)
    const out = join(folder, 'm')
    const { code, err } = await command('merge', shards, '--out', out, '--allow-incomplete')
    expect(code).toBe(expected)
    expect(err).toContain(`Warning: ${file}: shard 2/2 was cut short: the merged results are not complete\n`)
    expect(await readResults(join(out, 'results.json'))).not.toHaveProperty('complete')
  })

  it('can be repeated into a folder among the shards, and never replaces a shard', async () => {
    const folder = testFolder()
    const shards = await bothIn(folder)
    for (let time = 0; time < 2; time += 1) {
      expect(await command('merge', shards, '--out', shards)).toMatchObject({ code: 0 })
    }
    const onShard = await command('merge', shards, '--out', join(shards, '1'))
    expect(onShard).toMatchObject({
      code: 2,
      out: '',
      err: expect.stringContaining('name another folder with --out'),
    })
  })

  it('takes files and folders together, each file once', async () => {
    const folder = testFolder()
    const shards = await bothIn(folder)
    const words = [
      join(shards, '1', 'results.json'),
      shards,
      '--out',
      join(folder, 'm'),
      '--reporter',
      'json',
    ]
    expect(await command('merge', ...words)).toMatchObject({
      code: 0,
      err: 'Conformant: 2 of 2 must and implied requirements that apply passed.\n',
    })
  })

  it('does not follow links to folders round in circles', async () => {
    const folder = testFolder()
    const shards = await bothIn(folder)
    symlinkSync(shards, join(shards, 'deep', 'round'))
    expect(await command('merge', shards, '--out', join(folder, 'm'))).toMatchObject({ code: 0 })
  })
})

describe('merge refuses with 2, and writes nothing:', () => {
  const cases: [string, (shards: string) => unknown, RegExp][] = [
    ['a gap', (shards) => renameSync(join(shards, '1'), `${shards}-away`), /^missing: shard 1\/2\. /],
    ['an overlap', (shards) => recorded(shards, 'again', shard(1)), /^shard 1\/2 is there 2 times: /],
    [
      'another seed',
      (shards) => recorded(shards, '1', shard(1, { run: { ...shard(1).run, seed: 1 } })),
      /the seed is /,
    ],
    [
      'a whole run',
      (shards) => recorded(shards, 'whole', resultsOf([checkOf(creates)])),
      /is of a whole run, not of a shard/,
    ],
    [
      'a file that is not JSON',
      (shards) => writeFileSync(join(shards, 'results.json'), '{'),
      /results\.json: is not JSON/,
    ],
    [
      'another version',
      (shards) => writeFileSync(join(shards, 'results.json'), '{"formatVersion":3}'),
      /has format version 3/,
    ],
    [
      'a file that is too large',
      (shards) => {
        writeFileSync(join(shards, 'results.json'), '')
        truncateSync(join(shards, 'results.json'), 6 * 1024 ** 3)
      },
      /results\.json: cannot be read: it is too large/,
    ],
  ]
  it.each(cases)('%s', async (_, spoil, message) => {
    const folder = testFolder()
    const shards = await bothIn(folder)
    await spoil(shards)
    const out = join(folder, 'm')
    const { code, out: printed, err } = await command('merge', shards, '--out', out)
    expect(err).toMatch(message)
    expect([code, printed, existsSync(out)]).toEqual([2, '', false])
  })

  it('a folder without results, and one that is not there', async () => {
    const folder = testFolder()
    mkdirSync(join(folder, 'empty'))
    const empty = await command('merge', join(folder, 'empty'))
    expect([empty.code, empty.err]).toEqual([2, expect.stringContaining('there is no results.json in it')])
    expect(await command('merge', join(folder, 'none'))).toMatchObject({
      code: 2,
      err: expect.stringContaining('no such file'),
    })
  })
})

describe('merge on real shards', () => {
  const outcomesOf = (file: string) => {
    const { requirements, verdict, totals }: Results = JSON.parse(readFileSync(file, 'utf8'))
    const checks = requirements
      .flatMap((each) => each.checks)
      .map(({ id, outcome, reason }) => [id, { outcome, reason }])
    return { verdict, totals, order: checks.map(([id]) => id), checks: Object.fromEntries(checks) }
  }
  const observationsOf = (file: string) => {
    const { observations }: Results = JSON.parse(readFileSync(file, 'utf8'))
    return new Set(observations.map(({ id, operation, observed }) => `${id} ${operation}: ${observed}`))
  }

  // The pipelines of the examples do the same with one shard and with three.
  it('the union of 7 shards is the single run of that seed, check by check', async () => {
    const folder = testFolder()
    const portal = await startPortal({ faults: ['name-limit-99', 'certificate-padding-refused'] })
    onTestFinished(() => portal.close())
    // A release that has no syncs: what is told of them may be a matter of time.
    const target = { ...portal.configuration.target, version: '10.6' }
    const config = join(folder, 'portal.json')
    writeFileSync(config, JSON.stringify({ ...portal.configuration, target }))
    const record = async (out: string, ...words: string[]) => {
      const common = ['--runs', '3', '--seed', '7', '--reporter', 'json', '--out', out]
      const { code, err } = await command('run', '--config', config, ...common, ...words)
      expect([0, 1, 3], err).toContain(code)
    }
    const single = join(folder, 'single')
    await record(single)
    const expected = outcomesOf(join(single, 'results.json'))
    expect(expected.verdict).toBe('non-conformant')
    expect(expected.order.length).toBeGreaterThan(150)
    const [shards, merged] = [join(folder, 'shards'), join(folder, 'merged')]
    for (let index = 1; index <= 7; index += 1)
      await record(join(shards, `${index}`), '--shard', `${index}/7`)
    const { code } = await command('merge', shards, '--out', merged, '--reporter', 'json')
    expect(code).toBe(1)
    expect(outcomesOf(join(merged, 'results.json'))).toEqual(expected)
    expect(observationsOf(join(merged, 'results.json'))).toEqual(observationsOf(join(single, 'results.json')))
  }, 180_000)
})
