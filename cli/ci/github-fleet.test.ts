import { existsSync, mkdirSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, test, vi } from 'vitest'
import { type JobEnd, Runner } from './github-runner.fixture.ts'
import { configurationOf, pipelinePatienceMs, pipelineSetting, shippedYaml } from './pipeline.fixture.ts'

const workflow = shippedYaml('examples/ci/github-fleet.yml')
vi.setConfig({ testTimeout: pipelinePatienceMs, hookTimeout: pipelinePatienceMs })
const setting = pipelineSetting()

type Kind = 'good' | 'bad' | 'dead'

function configurationFor(kind: Kind): string {
  const { good, bad } = setting()
  if (kind !== 'dead') return configurationOf(kind === 'bad' ? bad : good)
  return configurationOf(good).replaceAll(new URL(good.baseUrl).host, '127.0.0.1:1')
}

/** A repository with those deployments, in the order of the alphabet. */
function runnerWith(kinds: readonly Kind[]): Runner {
  const runner = new Runner(setting().checkout)
  mkdirSync(join(runner.repository, 'targets'))
  for (const [at, kind] of kinds.entries()) {
    writeFileSync(join(runner.repository, 'targets', `${'abcdefg'[at]} ${kind}.yaml`), configurationFor(kind))
  }
  return runner
}

const codes = (ends: readonly JobEnd[] = []) => ends.map(({ code }) => code)
const codeOf: Record<Kind, number> = { good: 3, bad: 1, dead: 4 }

test.each<[number, Kind[], number]>([
  [1, ['dead'], 4],
  [1, ['good'], 3],
  [5, ['dead', 'good', 'bad', 'good', 'good'], 1],
  [2, ['dead', 'good'], 5],
])('of %i, %s: a job and a column for each, and the worst of their ends: %i', async (count, kinds, worst) => {
  const runner = runnerWith(kinds)
  const { targets, judge, compare: [compare] = [] } = await runner.run(workflow)
  expect([codes(targets), codes(judge), compare?.code]).toEqual([
    [0],
    kinds.map((kind) => codeOf[kind]),
    worst,
  ])
  const columns = kinds.map((kind, at) => `${'abcdefg'[at]} ${kind}${kind === 'dead' ? ', not judged' : ''}`)
  const shown = [...(compare?.summary ?? '').matchAll(/^\| \*\*[A-G]\*\* \| (.*?) \|/gm)].map(
    ([, name]) => name,
  )
  // Where nothing was judged at all, what was to be judged is not known either.
  expect(shown).toEqual(kinds.every((kind) => kind === 'dead') ? [] : columns)
  for (const column of columns.filter((name) => name.endsWith('judged'))) {
    expect(compare?.log).toContain(
      `${column.replace(', not judged', '')}: not reached, or the suite broke (exit 4)`,
    )
  }
  const kept = join(runner.artefacts, 'portal-conformance-fleet')
  const made = ['matrix.html', 'matrix.md'].filter((file) => existsSync(join(kept, file)))
  expect(made).toHaveLength(shown.length > 0 ? 2 : 0)
  if (!kinds.includes('bad')) return
  const row = /^\| add-workspace\/name-limit-accepts \|(.*)\|$/m.exec(compare?.summary ?? '')?.[1]
  const word: Record<Kind, string> = { good: 'passed', bad: 'failed', dead: 'not tested' }
  expect(row?.split('|').map((cell) => cell.replace(/^\W+/, '').trim())).toEqual(
    kinds.map((kind) => word[kind]),
  )
  expect(row?.split('|')).toHaveLength(count)
})

test('a configuration of several targets is as many jobs', async () => {
  const runner = runnerWith([])
  const { baseUrl: _, ...target } = setting().good.configuration.target
  const shared = { ...JSON.parse(configurationOf(setting().good)), target }
  const one = (baseUrl: string) => ({ target: { baseUrl } })
  const targets = { Vienna: one(setting().good.baseUrl), 'Lima 2': one('http://127.0.0.1:1/sharing/rest') }
  writeFileSync(join(runner.repository, 'targets', 'all.json'), JSON.stringify({ ...shared, targets }))
  const { judge, compare: [compare] = [] } = await runner.run(workflow)
  expect([codes(judge), compare?.code]).toEqual([[3, 4], 5])
  expect(compare?.summary).toContain('Lima 2, not judged')
})

test('without a configuration every job is red or left out, and the last one is red', async () => {
  const { targets, judge, compare: [compare] = [] } = await runnerWith([]).run(workflow)
  expect([codes(targets), judge?.map(({ result }) => result), compare?.code]).toEqual([[2], ['skipped'], 2])
  expect(targets?.[0]?.log).toContain('targets: there is no configuration in it')
})
