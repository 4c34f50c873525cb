import { createHash } from 'node:crypto'
import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { afterAll, beforeAll, describe, expect, test, vi } from 'vitest'
import type { EmbeddedPortal } from '../../reference/portal.ts'
import { type RecordingProxy, startRecordingProxy } from '../recordings/recorded-client.fixture.ts'
import { Runner, type Workflow } from './github-runner.fixture.ts'
import {
  configurationOf,
  outcomesOf,
  pipelinePatienceMs,
  pipelineSetting,
  resultsIn,
  shippedYaml,
} from './pipeline.fixture.ts'

const shipped = shippedYaml('examples/ci/github-shards.yml')
vi.setConfig({ testTimeout: pipelinePatienceMs, hookTimeout: pipelinePatienceMs })
const setting = pipelineSetting()
const known = { 'github.run_number': '5' }

/** The workflow with so many shards, changed where a user would, and with few cases. */
function inShards(count: number): Workflow {
  const workflow = structuredClone(shipped)
  workflow.env.RUNS = 2
  workflow.jobs.shard.strategy.matrix.shard = Array.from({ length: count }, (_, at) => at + 1)
  return workflow
}

function runnerWith(files: Readonly<Record<string, string>>): Runner {
  const runner = new Runner(setting().checkout)
  for (const [name, text] of Object.entries(files)) writeFileSync(join(runner.repository, name), text)
  return runner
}

const through = (proxy: RecordingProxy, portal: EmbeddedPortal): string =>
  configurationOf(portal).replaceAll(new URL(portal.baseUrl).origin, proxy.origin)

/**
 * The bodies that were sent since the last time it was asked, each once and short, without what differs between runs. Who
 * sent them is left out: of several who must be refused, the one whose turn it is comes with the request that is first.
 */
function casesSeen({ har }: RecordingProxy): string[] {
  const posts = har.log.entries.splice(0).filter(({ request }) => request.method === 'POST')
  const bodies = posts.map(({ request }) =>
    JSON.stringify([...new URLSearchParams(request.postData?.text)].filter(([name]) => name !== 'token'))
      .replace(/pc-[0-9a-f]{8}/g, 'RUN')
      // What makes a name one that no other run has.
      .replace(/(?<![a-z])[bcdfghjkmnpqrstvwxz]{9}(?![a-z])/gi, 'MARK')
      .replace(/(?:MARK )+(?=MARK )/g, '')
      .replace(/(?<="collaborationWorkspaceName",")(?:\d+|[\u4e00-\u9c1f]+)(?=")/g, 'NAME')
      .replace(/(?<![0-9a-z])(?:[0-9a-f]{4}){7,9}(?![0-9a-z])/g, 'ID')
      .replace(/(?<=")[A-Za-z0-9]{16}(?=")/g, 'ID'),
  )
  const short = (body: string) => `${body.slice(0, 60)} ${createHash('sha256').update(body).digest('hex')}`
  return [...new Set(bodies)].map(short).sort()
}

describe('shards on the machines of a matrix', () => {
  let proxy: RecordingProxy
  let single: { outcomes: unknown; cases: string[] }

  beforeAll(async () => {
    const { checkout, good } = setting()
    proxy = await startRecordingProxy(new URL(good.baseUrl).origin)
    checkout.write('staging.yaml', through(proxy, good))
    const whole = 'npx portal-conformance run --config staging.yaml --seed 5 --runs 2 --reporter json'
    await checkout.shell(whole)
    const outcomes = outcomesOf(resultsIn(join(checkout.path, 'portal-conformance-report')))
    single = { outcomes, cases: casesSeen(proxy) }
  })
  afterAll(() => proxy.close())

  test.each([1, 3])('%i together are the single run, check by check and case by case', async (count) => {
    const runner = runnerWith({ 'staging.yaml': through(proxy, setting().good) })
    const { shard = [], verdict: [verdict] = [] } = await runner.run(inShards(count), known)
    expect(shard.map(({ result }) => result)).toEqual(Array.from({ length: count }, () => 'success'))
    const merged = resultsIn(join(runner.artefacts, 'portal-conformance-report'))
    expect([verdict?.code, merged.run.seed, merged.run.mergedFrom?.length]).toEqual([3, 5, count])
    expect(outcomesOf(merged)).toEqual(single.outcomes)
    expect(single.cases.length).toBeGreaterThan(100)
    const seen = casesSeen(proxy)
    // Checks share what was accepted: each shard makes its own of it, so that a few requests differ.
    const missing = single.cases.filter((each) => !seen.includes(each))
    expect(missing.slice(count === 1 ? 0 : 5)).toEqual([])
  })
})

test('the verdict is that of all shards, and so is the summary', async () => {
  const runner = runnerWith({ 'staging.yaml': configurationOf(setting().bad) })
  const { shard = [], verdict: [verdict] = [] } = await runner.run(inShards(3), known)
  expect(shard.map(({ result }) => result)).toEqual(['success', 'success', 'success'])
  expect(verdict).toMatchObject({ result: 'failure', code: 1 })
  expect(verdict?.summary).toContain('non-conformant')
})

test('a shard that judged nothing is red, and the verdict says that it is missing', async () => {
  const runner = runnerWith({ 'staging.yaml': configurationOf(setting().good) })
  const workflow = inShards(2)
  // As on a machine that lost its configuration.
  const [checkout, ...others] = workflow.jobs.shard?.steps ?? []
  const lose = { run: 'if [ "$SHARD" = 2 ]; then rm staging.yaml; fi' }
  Object.assign(workflow.jobs.shard ?? {}, { steps: [checkout, lose, ...others] })
  const { shard = [], verdict: [verdict] = [] } = await runner.run(workflow, known)
  expect(shard.map(({ code }) => code)).toEqual([0, 2])
  expect(verdict).toMatchObject({ code: 2, log: expect.stringContaining('missing: shard 2/2. Was it run') })
})

test('where no shard judged anything, the verdict is red too', async () => {
  const runner = runnerWith({})
  const { verdict: [verdict] = [] } = await runner.run(inShards(1), known)
  expect(verdict).toMatchObject({ code: 2, log: expect.stringContaining('shards') })
})
