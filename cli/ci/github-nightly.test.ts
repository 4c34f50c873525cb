import { mkdirSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, test, vi } from 'vitest'
import { Runner } from './github-runner.fixture.ts'
import { configurationOf, pipelinePatienceMs, pipelineSetting, shippedYaml } from './pipeline.fixture.ts'

vi.setConfig({ testTimeout: pipelinePatienceMs, hookTimeout: pipelinePatienceMs })
const setting = pipelineSetting({ ownProcess: true })

test('a few jobs share the targets, and the last one puts all together', async () => {
  const runner = new Runner(setting().checkout)
  mkdirSync(join(runner.repository, 'targets'))
  const { good, bad } = setting()
  for (const [at, portal] of [good, bad, good, good].entries()) {
    writeFileSync(join(runner.repository, 'targets', `${at}.yaml`), configurationOf(portal))
  }
  const { judge, compare: [compare] = [] } = await runner.run(shippedYaml('examples/ci/github-nightly.yml'))
  expect(judge?.map(({ code }) => code)).toEqual([3, 1, 3])
  expect(compare?.code).toBe(1)
  for (const name of ['0', '1', '2', '3']) expect(compare?.summary).toMatch(new RegExp(`\\| ${name} \\|`))
})
