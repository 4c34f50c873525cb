/** Runs the scripts of the GitHub fleet examples one after another in one checkout, as their jobs would. */
import { existsSync, mkdirSync, mkdtempSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import type { EmbeddedPortal } from '../../reference/portal.ts'
import { runStep, type Step, type Values } from './github-step.fixture.ts'
import { configurationOf, pipelineSetting, shippedYaml, threeTargets } from './pipeline.fixture.ts'

const setting = pipelineSetting()

interface Job {
  readonly if?: string
  readonly env?: Readonly<Record<string, string>>
  readonly steps: readonly Step[]
}

/** A checkout with these target configurations, and a function that runs a step of a job in it. */
function checkedOut(targets: Values) {
  const { checkout } = setting()
  const temporary = mkdtempSync(join(checkout.path, 'a runner '))
  const folder = join(temporary, 'work')
  mkdirSync(join(folder, 'targets'), { recursive: true })
  for (const [name, text] of Object.entries(targets)) writeFileSync(join(folder, 'targets', name), text)
  const run = ({ env = {}, steps }: Job, name: string, values: Values = {}) => {
    const step = steps.find((each) => each.name === name) as Step
    return runStep({ ...step, env: { ...env, ...step.env } }, values, { checkout, folder, temporary })
  }
  return { folder, run }
}

/** One configuration of two targets; the second cannot be reached. */
function severalOf({ configuration, baseUrl }: EmbeddedPortal): string {
  const { baseUrl: _, ...target } = configuration.target
  const targets = {
    Vienna: { target: { baseUrl } },
    'Lima 2': { target: { baseUrl: 'http://127.0.0.1:1/sharing/rest' } },
  }
  return JSON.stringify({
    ...JSON.parse(configurationOf({ configuration } as EmbeddedPortal)),
    target,
    targets,
  })
}

/** The targets of each row of the matrix, and their verdict. */
const rowsOf = (summary: string) =>
  [...summary.matchAll(/^\| (.*?) \| ((?:non-)?conformant|incomplete|not judged) \|/gm)].map(
    ([, ...row]) => row,
  )

test('github-fleet.yml has a job for each target and a matrix of all, and the last job exits with the worst code', async () => {
  const { targets, judge, compare } = shippedYaml('examples/ci/github-fleet.yml').jobs
  const { good, bad } = setting()
  const { folder, run } = checkedOut({ 'a bad.yaml': configurationOf(bad), 'b.json': severalOf(good) })
  const { outputs } = await run(targets, 'List the targets')
  const codes: Record<string, number> = {}
  for (const target of JSON.parse(outputs.list as string) as Values[]) {
    const values = Object.entries(target).map(([name, text]) => [`matrix.target.${name}`, text])
    codes[target.name as string] = (await run(judge, 'Judge', Object.fromEntries(values))).code
  }
  expect(codes).toEqual({ 'a bad': 1, Vienna: 3, 'Lima 2': 4 })
  const { code, log } = await run(compare, 'Compare')
  expect([code, compare.if]).toEqual([1, expect.stringContaining('always()')])
  expect(log).toContain('Lima 2: could not be judged (exit 4)')
  const { summary } = await run(compare, 'Show the table')
  expect(rowsOf(summary)).toEqual([
    ['a bad', 'non-conformant'],
    ['Vienna', 'incomplete'],
    ['Lima 2', 'not judged'],
  ])
  expect(summary).toMatch(
    /^- .*\badd-workspace\/name-limit-accepts\b.*\n {2}- ✗ failed: a bad\n {2}- ✓ passed: Vienna$/m,
  )
  expect(existsSync(join(folder, 'fleet', 'matrix.html'))).toBe(true)
})

test('github-fleet.yml fails in the first and the last job if there is no configuration', async () => {
  const { targets, compare } = shippedYaml('examples/ci/github-fleet.yml').jobs
  const { run } = checkedOut({})
  expect(await run(targets, 'List the targets')).toMatchObject({
    code: 2,
    log: expect.stringContaining('targets: there is no configuration in it'),
  })
  expect((await run(compare, 'Compare')).code).toBe(2)
  // Without a matrix this step shows nothing and does not fail.
  expect(await run(compare, 'Show the table')).toMatchObject({ code: 0, summary: '' })
})

test('github-nightly.yml divides the targets among its jobs, and the last job merges the results', async () => {
  const { judge, compare } = shippedYaml('examples/ci/github-nightly.yml').jobs
  const { dead, lima } = threeTargets(setting())
  const targets = [dead, lima, dead, dead]
  const { run } = checkedOut(Object.fromEntries(targets.map((text, at) => [`${at}.yaml`, text])))
  const codes: number[] = []
  for (const share of judge.strategy.matrix.share)
    codes.push((await run(judge, 'Judge', { 'matrix.share': String(share) })).code)
  expect(codes).toEqual([4, 1, 4])
  expect((await run(compare, 'Compare')).code).toBe(1)
  expect(compare.if).toContain('always()')
  const rows = rowsOf((await run(compare, 'Show the table')).summary)
  expect(rows[0]).toEqual(['1', 'non-conformant'])
  expect(rows.flatMap(([names = '']) => names.split(', ')).sort()).toEqual(['0', '1', '2', '3'])
})
