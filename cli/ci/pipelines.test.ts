import { existsSync, readFileSync, rmSync } from 'node:fs'
import { join } from 'node:path'
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest'
import { type EmbeddedPortal, startPortal } from '../../reference/portal.ts'
import type { Results } from '../../reporters/results.ts'
import { Checkout, shipped, shippedYaml } from './pipeline.fixture.ts'

let checkout: Checkout
let [good, bad]: EmbeddedPortal[] = []

beforeAll(async () => {
  checkout = new Checkout()
  good = await startPortal()
  bad = await startPortal({ faults: ['name-limit-99'] })
})
beforeEach(() => {
  for (const made of ['portal-conformance-report', 'shards', 'fleet', 'comparison.md']) {
    rmSync(join(checkout.path, made), { recursive: true, force: true })
  }
  deploy('staging.yaml', good)
})
afterAll(async () => {
  checkout.remove()
  await Promise.all([good?.close(), bad?.close()])
})

/** The configuration of a portal, with few cases. */
function deploy(file: string, portal: EmbeddedPortal | undefined, effects: 'all' | 'few' = 'all'): void {
  const { configuration } = portal as EmbeddedPortal
  const run = { ...configuration.run, runs: 2 }
  const allowed = effects === 'all' ? effects : ['add-workspace']
  checkout.write(file, JSON.stringify({ ...configuration, run, effects: allowed }))
}

function results(folder = 'portal-conformance-report'): Results {
  return JSON.parse(readFileSync(join(checkout.path, folder, 'results.json'), 'utf8'))
}

const made = (file: string) => existsSync(join(checkout.path, file))

/** The outcome of every check. */
const outcomes = ({ requirements }: Results) =>
  requirements.flatMap(({ checks }) => checks.map(({ id, outcome }) => [id, outcome]))

describe('GitLab', () => {
  const jobs = shippedYaml('examples/ci/gitlab-ci.yml')
  const scriptOf = (job: string): string => jobs[job].script.join('\n')
  const gitlab = ['bash', '-eo', 'pipefail']

  test('the gate is green, with the reports that it names', async () => {
    const { code } = await checkout.shell(scriptOf('conformance'), { shell: gitlab })
    expect([code, results().verdict]).toEqual([0, 'conformant'])
    const { paths, reports } = jobs.conformance.artifacts
    expect([...paths, reports.junit].filter((path) => !made(path))).toEqual([])
  })

  test('the gate is red on a portal that does not conform', async () => {
    deploy('staging.yaml', bad, 'few')
    const { code } = await checkout.shell(scriptOf('conformance'), { shell: gitlab })
    expect([code, made(jobs.conformance.artifacts.reports.junit)]).toEqual([1, true])
  })

  test('the shards together are the whole run', async () => {
    deploy('staging.yaml', bad, 'few')
    const count = jobs['conformance shard'].parallel
    for (let index = 1; index <= count; index += 1) {
      const environment = {
        CI_PIPELINE_IID: '5',
        CI_NODE_INDEX: String(index),
        CI_NODE_TOTAL: String(count),
        RUNS: '2',
      }
      const shard = await checkout.shell(scriptOf('conformance shard'), { shell: gitlab, environment })
      expect(shard.code).toBe(0)
    }
    const { code } = await checkout.shell(scriptOf('conformance verdict'), { shell: gitlab })
    expect([code, results().run.seed, made(jobs['conformance verdict'].artifacts.reports.junit)]).toEqual([
      1,
      5,
      true,
    ])
    const merged = outcomes(results())
    const whole = 'npx portal-conformance run --config staging.yaml --seed 5 --runs 2'
    await checkout.shell(whole)
    expect(merged).toEqual(outcomes(results()))
  })

  test('a shard that judged nothing is red: merging would not notice', async () => {
    checkout.write('staging.yaml', '{}')
    const environment = { CI_PIPELINE_IID: '5', CI_NODE_INDEX: '1', CI_NODE_TOTAL: '3', RUNS: '2' }
    const { code } = await checkout.shell(scriptOf('conformance shard'), { shell: gitlab, environment })
    expect(code).toBe(2)
  })
})

describe('Jenkins', () => {
  const [script, ...others] = [...shipped('examples/ci/Jenkinsfile').matchAll(/'''([\s\S]*?)'''/g)].map(
    ([, text]) => text,
  )
  const jenkins = ['sh', '-xe']

  test.each([
    ['yellow', () => good, 3],
    ['red', () => bad, 1],
  ])('the shell step is %s where it should be, with a JUnit report', async (_, portal, expected) => {
    expect(others).toEqual([])
    deploy('staging.yaml', portal(), 'few')
    const { code } = await checkout.shell(script as string, { shell: jenkins })
    expect(code).toBe(expected)
    const junit = /testResults: '([^']+)'/.exec(shipped('examples/ci/Jenkinsfile'))?.[1]
    expect(made(junit as string)).toBe(true)
  })
})

describe('GitHub', () => {
  const stepsOf = (file: string, job: string): string[] =>
    shippedYaml(file).jobs[job].steps.flatMap(({ run }: { run?: string }) => run ?? [])

  test('the shards together are the verdict', async () => {
    const file = 'examples/ci/github-shards.yml'
    const { env, jobs } = shippedYaml(file)
    deploy('staging.yaml', bad, 'few')
    expect(jobs.shard.strategy.matrix.shard.length).toBe(env.SHARDS)
    for (const shard of jobs.shard.strategy.matrix.shard) {
      const environment = { SEED: '5', RUNS: '2', SHARDS: String(env.SHARDS), SHARD: String(shard) }
      const { code } = await checkout.shell(stepsOf(file, 'shard').join('\n'), { environment })
      expect(code).toBe(0)
    }
    const { code } = await checkout.shell(stepsOf(file, 'verdict').join('\n'))
    expect([code, results().verdict, results().run.mergedFrom?.length]).toEqual([
      1,
      'non-conformant',
      env.SHARDS,
    ])
  })

  test('the fleet ends in one table', async () => {
    const file = 'examples/ci/github-fleet.yml'
    const { target: targets } = shippedYaml(file).jobs.judge.strategy.matrix
    await checkout.shell('mkdir -p targets')
    for (const target of targets) {
      deploy(`targets/${target}.yaml`, target === 'lima' ? bad : good, 'few')
      const judging = { environment: { TARGET: target } }
      const { code } = await checkout.shell(stepsOf(file, 'judge').join('\n'), judging)
      expect(code).toBe(target === 'lima' ? 1 : 3)
    }
    const summary = join(checkout.path, 'summary.md')
    const environment = { GITHUB_STEP_SUMMARY: summary }
    const ends = []
    for (const step of stepsOf(file, 'compare')) ends.push(await checkout.shell(step, { environment }))
    expect(ends.map(({ stderr }) => stderr).join()).not.toMatch(/error/i)
    expect(readFileSync(summary, 'utf8')).toContain('add-workspace/name-limit-accepts')
  })
})
