import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, it } from 'vitest'
import { checkOf, failedCheck, resultsOf } from '../../reporters/results.fixture.ts'
import type { Results } from '../../reporters/results.ts'
import { writeResults } from '../../reporters/results-json.ts'
import type { Comparison } from '../../schemas/types/comparison.ts'
import { violations } from '../../schemas/validators.ts'
import { observedContext } from '../process/command-context.fixture.ts'
import { command } from '../process/in-process.fixture.ts'
import { testFolder } from '../process/test-folder.fixture.ts'
import { runProgram } from '../program.ts'

const good = resultsOf([checkOf('add-workspace/creates'), checkOf('add-workspace/id-is-new')])
const bad = resultsOf([
  checkOf('add-workspace/creates'),
  failedCheck('add-workspace/id-is-new', 'seen before'),
])

const recorded = (folder: string, name: string, results: Results): Promise<string> =>
  writeResults(join(folder, name), results)

/** A folder with the results of a conforming run and of a later one that fails. */
async function twoRuns() {
  const folder = testFolder()
  return {
    folder,
    before: await recorded(folder, 'before', good),
    after: await recorded(folder, 'after', bad),
  }
}

describe('compare', () => {
  it('exits with 1 if a requirement no longer passes, and with 0 if it passes again', async () => {
    const { before, after } = await twoRuns()
    expect((await command('compare', before, before)).code).toBe(0)
    const broken = await command('compare', before, after)
    expect(broken.code).toBe(1)
    expect(broken.out).toMatch(/✗ broken add-workspace\/id-is-new\n {6}✓ passed → ✗ failed: seen before\n/)
    const mended = await command('compare', after, before)
    expect(mended.code).toBe(0)
    expect(mended.out).toContain('✓ fixed add-workspace/id-is-new')
  })

  it('accepts folders, and labels results of one base URL by their files', async () => {
    const { folder } = await twoRuns()
    const { code, out } = await command('compare', join(folder, 'before'), join(folder, 'after'))
    expect(code).toBe(1)
    expect(out).toMatch(/^\S*\/before\/results\.json(?: {2}|$)[\s\S]*^\S*\/after\/results\.json(?: {2}|$)/m)
  })

  it('with --gate new calls a failure in one of two runs intermittent, and in both new', async () => {
    const { before, after } = await twoRuns()
    const once = await command('compare', before, before, after, '--gate', 'new')
    expect([once.code, once.err]).toEqual([
      0,
      expect.stringMatching(/^Intermittent: .*add-workspace\/id-is-new/),
    ])
    const twice = await command('compare', before, after, after, '--gate', 'new')
    expect([twice.code, twice.err]).toEqual([1, 'New failures: add-workspace/id-is-new\n'])
  })

  it('writes HTML, Markdown and JSON beside its output', async () => {
    const { folder, before, after } = await twoRuns()
    const file = (name: string) => join(folder, 'reports', name)
    const words = ['--html', file('c.html'), '--markdown', file('c.md'), '--json', file('c.json')]
    const { code, out, err } = await command('compare', before, after, ...words)
    expect([code, err]).toEqual([
      1,
      `Report: ${file('c.html')}\nReport: ${file('c.md')}\nReport: ${file('c.json')}\n`,
    ])
    const sentence = '1 requirement passed before and does not pass now; no open point differs.'
    expect(out).toContain(sentence)
    expect(readFileSync(file('c.html'), 'utf8')).toContain(sentence)
    expect(readFileSync(file('c.md'), 'utf8')).toContain(sentence)
    const comparison: Comparison = JSON.parse(readFileSync(file('c.json'), 'utf8'))
    expect(violations('comparison', comparison)).toEqual([])
    expect(comparison.lost).toEqual(['add-workspace/id-is-new'])
  })

  it('prints a matrix for more than two results, and with --matrix for two', async () => {
    const { folder, before, after } = await twoRuns()
    const between = await recorded(folder, 'between', good)
    const several = await command('compare', before, between, after)
    expect(several.code).toBe(1)
    expect(several.out.replace(/\s+/g, ' ')).toContain(
      `Requirements that differ (1) add-workspace/id-is-new ✗ failed: ${after} `,
    )
    const two = await command('compare', before, between, '--matrix')
    expect([two.code, two.out]).toEqual([0, expect.stringContaining('All 2 results are conformant.')])
  })

  it('disables workflow commands around its output on GitHub', async () => {
    const folder = testFolder()
    const hostile = resultsOf([failedCheck('add-workspace/creates', 'x\n::error::owned')])
    const files = [await recorded(folder, 'a', good), await recorded(folder, 'b', hostile)]
    const commandContext = observedContext({ GITHUB_ACTIONS: 'true' })
    await runProgram(['compare', ...files], commandContext)
    expect(commandContext.printed()).toMatch(/^::stop-commands::(\w+)\n[\s\S]*\n::\1::\n$/)
  })

  it('exits with 4 if it cannot write a report', async () => {
    const { before, after } = await twoRuns()
    const { code, err } = await command('compare', before, after, '--html', join(before, 'c.html'))
    expect([code, err]).toEqual([4, expect.stringContaining('c.html was not written: ')])
  })
})

it('compare exits with 2 and names all files that are missing', async () => {
  const { code, err } = await command('compare', 'none.json', 'neither.json')
  expect(code).toBe(2)
  expect(err).toBe(
    'none.json: cannot be read: there is no such file\nneither.json: cannot be read: there is no such file\n',
  )
})

/** Judges the embedded portal with few cases and a fixed seed; writes results.json into the folder. */
async function recordRun(folder: string, line: string): Promise<void> {
  const { code, err } = await command(
    `run --reference --runs 8 --seed 7 --reporter json ${line} --out`,
    folder,
  )
  if (code === 2 || code === 4) throw new Error(err)
}

it('compare shows the open points in which variants differ, and no changed requirement', async () => {
  const folder = testFolder()
  const [a, b] = [join(folder, 'a'), join(folder, 'b')]
  const selected = '--operation add-workspace --operation reassign-items --operation sync-workspace'
  await recordRun(a, `${selected} --variant texts-trimmed-and-normalised --variant second-sync-held`)
  await recordRun(b, `${selected} --variant spaces-in-items-refused --variant second-sync-joins`)
  const json = join(folder, 'c.json')
  const { code, out } = await command('compare', a, b, '--json', json)
  expect(code).toBe(0)
  const comparison: Comparison = JSON.parse(readFileSync(json, 'utf8'))
  const total = comparison.requirements.length
  expect(total).toBeGreaterThan(90)
  expect(comparison.counts).toEqual([expect.objectContaining({ same: total })])
  expect(comparison.requirements.flatMap(({ checks }) => checks)).toEqual([])
  const different = comparison.openPoints.filter(({ difference }) => difference === 'different')
  expect(new Set(different.map(({ id }) => id))).toEqual(
    new Set(['text-normalisation', 'spaces-in-items', 'second-sync']),
  )
  expect(out).toContain('Nothing that passed is lost: no requirement changed, 3 open points differ.')
  for (const { question } of different) expect(out).toContain(question)
})
