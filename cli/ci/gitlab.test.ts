import { existsSync, rmSync } from 'node:fs'
import { join } from 'node:path'
import { beforeEach, describe, expect, test, vi } from 'vitest'
import { Lanes } from '../../runner/lanes.ts'
import {
  configurationOf,
  outcomesOf,
  pipelinePatienceMs,
  pipelineSetting,
  resultsIn,
  shippedYaml,
} from './pipeline.fixture.ts'

const { stages, ...jobs } = shippedYaml('examples/ci/gitlab-ci.yml')
vi.setConfig({ testTimeout: pipelinePatienceMs, hookTimeout: pipelinePatienceMs })
const setting = pipelineSetting()
const shell = ['bash', '-eo', 'pipefail']

beforeEach(() => {
  for (const made of ['portal-conformance-report', 'shards']) {
    rmSync(join(setting().checkout.path, made), { recursive: true, force: true })
  }
})

const run = (job: string, environment: Record<string, string> = {}) =>
  setting().checkout.shell(jobs[job].script.join('\n'), { shell, environment })
const made = (file: string) => existsSync(join(setting().checkout.path, file))
const results = () => resultsIn(join(setting().checkout.path, 'portal-conformance-report'))
const deploy = (text: string) => setting().checkout.write('staging.yaml', text)

/** Of a job that says `parallel: count`; where it does not, GitLab names no index. */
function machine(index: number, count: number): Record<string, string> {
  const place = { CI_PIPELINE_IID: '5', CI_NODE_TOTAL: String(count), RUNS: '2' }
  return count === 1 ? place : { ...place, CI_NODE_INDEX: String(index) }
}

describe('the gate', () => {
  test('is green, with the reports that it names', async () => {
    // A release that has no syncs: all of it can be told, however busy the machine is.
    const { target, ...others } = JSON.parse(configurationOf(setting().good, 'all'))
    deploy(JSON.stringify({ ...others, target: { ...target, version: '10.6' } }))
    const { code } = await run('conformance')
    expect([code, results().verdict]).toEqual([0, 'conformant'])
    const { paths, reports } = jobs.conformance.artifacts
    expect([...paths, reports.junit].filter((path) => !made(path))).toEqual([])
  })

  test('is red on a portal that does not conform', async () => {
    deploy(configurationOf(setting().bad))
    const { code } = await run('conformance')
    expect([code, made(jobs.conformance.artifacts.reports.junit)]).toEqual([1, true])
  })

  test('is yellow, and no other colour of failure is forgiven, where it could not be told', async () => {
    deploy(configurationOf(setting().good))
    const { code } = await run('conformance')
    expect(jobs.conformance.allow_failure).toEqual({ exit_codes: code })
  })
})

describe('shards', () => {
  test.each([1, 3])('%i together are the single run, check by check', async (count) => {
    deploy(configurationOf(setting().bad))
    await setting().checkout.shell('npx portal-conformance run --config staging.yaml --seed 5 --runs 2')
    const single = outcomesOf(results())
    const lanes = new Lanes(3)
    const shards = await Promise.all(
      Array.from({ length: count }, (_, at) =>
        lanes.run(() => run('conformance shard', machine(at + 1, count))),
      ),
    )
    expect(shards.map(({ code }) => code)).toEqual(shards.map(() => 0))
    const { code } = await run('conformance verdict')
    expect([code, results().run.seed, results().run.mergedFrom?.length]).toEqual([1, 5, count])
    expect(outcomesOf(results())).toEqual(single)
    expect(made(jobs['conformance verdict'].artifacts.reports.junit)).toBe(true)
  })

  test('one that judged nothing is red, and the verdict says that it is missing', async () => {
    deploy(configurationOf(setting().good))
    expect(await run('conformance shard', machine(1, 2))).toMatchObject({ code: 0 })
    deploy('{}')
    expect(await run('conformance shard', machine(2, 2))).toMatchObject({ code: 2 })
    const verdict = await run('conformance verdict')
    expect(verdict).toMatchObject({ code: 2, stderr: expect.stringContaining('missing: shard 2/2') })
    expect(jobs['conformance verdict'].when).toBe('always')
  })
})

test('every script is run by these tests', () => {
  const withScripts = Object.keys(jobs).filter((name) => jobs[name].script !== undefined)
  expect(withScripts).toEqual(['conformance', 'conformance shard', 'conformance verdict'])
  const jobKeys = ['after_script', 'before_script']
  expect(Object.values<object>(jobs).flatMap((job) => jobKeys.filter((key) => key in job))).toEqual([])
})

test('the jobs name stages and jobs that there are, and keywords that GitLab knows', () => {
  const keywords = [
    ...['extends', 'stage', 'image', 'variables', 'cache', 'resource_group', 'script', 'allow_failure'],
    ...['artifacts', 'parallel', 'needs', 'when'],
  ]
  for (const [name, job] of Object.entries<Record<string, unknown>>(jobs)) {
    expect(Object.keys(job).filter((key) => !keywords.includes(key))).toEqual([])
    if (name.startsWith('.')) continue
    expect(stages).toContain(job.stage)
    expect(jobs).toHaveProperty([job.extends as string])
    for (const needed of (job.needs ?? []) as string[]) expect(jobs).toHaveProperty([needed])
    expect(job.script).toBeInstanceOf(Array)
    expect(Object.keys(job.artifacts as object)).toEqual(expect.arrayContaining(['when', 'paths']))
  }
})
