import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, onTestFinished, test } from 'vitest'
import { UserProject } from './installed-package.fixture.ts'

interface Report {
  readonly success: boolean
  readonly testResults: readonly {
    readonly assertionResults: readonly { readonly title: string; readonly status: string }[]
  }[]
}

async function testsOf(environment: Record<string, string> = {}, ...further: readonly string[]) {
  const project = new UserProject()
  onTestFinished(() => project.remove())
  project.copy('examples/vitest-project')
  const arguments_ = ['run', '--reporter=json', '--outputFile=report.json', ...further]
  const { stderr } = await project.node(['node_modules/vitest/vitest.mjs', ...arguments_], environment)
  expect(stderr).not.toMatch(/Error/)
  const report: Report = JSON.parse(readFileSync(join(project.path, 'report.json'), 'utf8'))
  const tests = report.testResults.flatMap(({ assertionResults }) => assertionResults)
  const having = (status: string) =>
    tests.filter((each) => each.status === status).map(({ title }) => title.replace(/ .*/, ''))
  return { success: report.success, passed: having('passed'), failed: having('failed') }
}

test('the example project shows each check as a test, and passes on a portal that conforms', async () => {
  const { success, passed, failed } = await testsOf()
  expect([success, failed]).toEqual([true, []])
  expect(passed).toContain('add-workspace/creates')
  expect(passed).toContain('update-federation/updates')
  expect(passed.length).toBeGreaterThan(200)
  expect(passed).toContain('the')
})

test('it fails on a portal that does not, at the check that finds it, and at what cannot be decided without it', async () => {
  const { success, failed } = await testsOf({ PORTAL_FAULT: 'name-limit-99' })
  const expected = ['add-workspace/name-limit-accepts', 'add-workspace/name-limit-rejects', 'the']
  expect([success, failed]).toEqual([false, expected])
})

test('it runs no more than the tests that are chosen by name', async () => {
  const chosen = ['--project', 'conformance', '-t', 'add-workspace/name-limit-accepts']
  const { success, passed, failed } = await testsOf({}, ...chosen)
  expect([success, passed, failed]).toEqual([true, ['add-workspace/name-limit-accepts'], []])
})

test('where the run cannot begin, one test fails with the reason', async () => {
  const { success, passed, failed } = await testsOf(
    { PORTAL_CONFIGURATION: 'none.yaml' },
    '--project',
    'conformance',
  )
  expect([success, passed, failed.length]).toEqual([false, [], 1])
})

test('its types hold, those of the package with them', async () => {
  const project = new UserProject()
  onTestFinished(() => project.remove())
  project.copy('examples/vitest-project')
  const { stdout } = await project.node(['node_modules/typescript/bin/tsc', '--noEmit'])
  expect(stdout).toBe('')
})
