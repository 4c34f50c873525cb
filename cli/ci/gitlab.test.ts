import { existsSync, mkdirSync, rmSync } from 'node:fs'
import { join } from 'node:path'
import { beforeEach, describe, expect, test } from 'vitest'
import {
  configurationOf,
  expectThreeTargets,
  pipelineSetting,
  shippedYaml,
  threeTargets,
} from './pipeline.fixture.ts'

const { stages, ...jobs } = shippedYaml('examples/ci/gitlab-ci.yml')
const setting = pipelineSetting()
const shell = ['bash', '-eo', 'pipefail']

beforeEach(() => {
  for (const made of ['portal-conformance-report', 'targets', 'fleet']) {
    rmSync(join(setting().checkout.path, made), { recursive: true, force: true })
  }
  mkdirSync(join(setting().checkout.path, 'targets'))
})

const run = (job: string, environment: Record<string, string> = {}) =>
  setting().checkout.shell(jobs[job].script.join('\n'), { shell, environment })
const exists = (file: string) => existsSync(join(setting().checkout.path, file))
const deploy = (text: string) => setting().checkout.write('staging.yaml', text)

describe('the gate of the GitLab example', () => {
  test('fails on a non-conforming portal, and writes the reports that it lists', async () => {
    deploy(configurationOf(setting().bad))
    expect((await run('conformance')).code).toBe(1)
    const { paths, reports } = jobs.conformance.artifacts
    expect([...paths, reports.junit].filter((path) => !exists(path))).toEqual([])
  })

  test('allows only the exit code of an incomplete run to fail', async () => {
    deploy(configurationOf(setting().good))
    const { code } = await run('conformance')
    expect(jobs.conformance.allow_failure).toEqual({ exit_codes: code })
  })
})

describe('the fleet of the GitLab example', () => {
  const share = (index: number, count: number) =>
    run('fleet share', { CI_NODE_INDEX: String(index), CI_NODE_TOTAL: String(count) })

  test('judges a share of the targets in each job, and decides in the last job', async () => {
    const { checkout } = setting()
    for (const [name, text] of Object.entries(threeTargets(setting())))
      checkout.write(`targets/${name}.yaml`, text)
    const count = jobs['fleet share'].parallel
    expect(count).toBe(3)
    const shares = await Promise.all([1, 2, 3].map((index) => share(index, count)))
    expect(shares.map(({ code }) => code)).toEqual([0, 0, 0])
    expect((await run('fleet verdict')).code).toBe(1)
    expectThreeTargets(join(checkout.path, 'fleet', 'matrix.md'))
  })

  test('fails a share with an invalid configuration, and the verdict job reports its missing results', async () => {
    const { checkout, good } = setting()
    checkout.write('targets/1.yaml', configurationOf(good))
    checkout.write('targets/2.yaml', '{}')
    expect([(await share(1, 2)).code, (await share(2, 2)).code]).toEqual([0, 1])
    expect(await run('fleet verdict')).toMatchObject({
      code: 5,
      stderr: expect.stringContaining('fleet/2/results.json is missing'),
    })
    expect(jobs['fleet verdict'].when).toBe('always')
  })
})

test('these tests run every script of the GitLab example', () => {
  const withScripts = Object.keys(jobs).filter((name) => jobs[name].script !== undefined)
  expect(withScripts).toEqual(['conformance', 'fleet share', 'fleet verdict'])
  const jobKeys = ['after_script', 'before_script']
  expect(Object.values<object>(jobs).flatMap((job) => jobKeys.filter((key) => key in job))).toEqual([])
})

test('the GitLab jobs use existing stages, existing jobs and known keywords', () => {
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
