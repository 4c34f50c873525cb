/** Vitest as a host of the checks: in a user's project, and in this repository. */
import { spawn } from 'node:child_process'
import { cpSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { afterAll, expect, test } from 'vitest'
import { endOf } from '../end-to-end/command.fixture.ts'
import { testFolder } from '../process/test-folder.fixture.ts'
import { testPortal } from '../process/test-portal.fixture.ts'
import { projectRoot, UserProject } from './installed-package.fixture.ts'

interface Report {
  readonly success: boolean
  readonly testResults: readonly {
    readonly assertionResults: readonly { readonly title: string; readonly status: string }[]
  }[]
}

const project = new UserProject()
cpSync(join(projectRoot, 'examples/vitest-project'), project.path, { recursive: true })
afterAll(() => project.remove())

async function testsOf(environment: Record<string, string> = {}, ...further: readonly string[]) {
  const arguments_ = ['run', '--reporter=json', '--outputFile=report.json', ...further]
  const { stderr } = await project.node(['node_modules/vitest/vitest.mjs', ...arguments_], environment)
  expect(stderr).not.toMatch(/Error/)
  const report: Report = JSON.parse(readFileSync(join(project.path, 'report.json'), 'utf8'))
  const tests = report.testResults.flatMap(({ assertionResults }) => assertionResults)
  const having = (status: string) =>
    tests.filter((each) => each.status === status).map(({ title }) => title.replace(/ .*/, ''))
  return { success: report.success, passed: having('passed'), failed: having('failed') }
}

test('the example project shows each check as a test, and passes on a conforming portal', async () => {
  const { success, passed, failed } = await testsOf()
  expect([success, failed]).toEqual([true, []])
  expect(passed).toEqual(
    expect.arrayContaining(['add-workspace/creates', 'update-federation/updates', 'the']),
  )
  expect(passed.length).toBeGreaterThan(200)
})

test('the example project runs only the selected tests, and fails on a non-conforming portal', async () => {
  const expected = ['add-workspace/name-limit-accepts', 'add-workspace/name-limit-rejects', 'the']
  const chosen = ['--project', 'conformance', '-t', 'add-workspace/name-|the verdict']
  const { success, passed, failed } = await testsOf({ PORTAL_FAULT: 'name-limit-99' }, ...chosen)
  expect([success, failed]).toEqual([false, expected])
  expect(passed.length).toBeGreaterThan(0)
  expect(passed.filter((name) => !name.startsWith('add-workspace/name-'))).toEqual([])
})

test('the example project has one failed test if the run cannot start', async () => {
  const environment = { PORTAL_CONFIGURATION: 'none.yaml' }
  const { success, passed, failed } = await testsOf(environment, '--project', 'conformance')
  expect([success, passed, failed.length]).toEqual([false, [], 1])
})

test('the example project has no type errors', async () => {
  const { stdout } = await project.node(['node_modules/typescript/bin/tsc', '--noEmit'])
  expect(stdout).toBe('')
})

test('the project conformance of this repository judges a deployment, and shows a finding with its evidence', async () => {
  const portal = await testPortal({ faults: ['name-limit-99'] })
  const config = join(testFolder(), 'portal.json')
  writeFileSync(config, JSON.stringify({ ...portal.configuration, run: { seed: 1, runs: 1 } }))
  const chosen = 'add-workspace/(name-limit-accepts|refuses-anonymous(:replayed)?) '
  const words = ['node_modules/vitest/vitest.mjs', 'run', '--project', 'conformance', '-t', chosen]
  const child = spawn(process.execPath, words, {
    cwd: projectRoot,
    env: { PATH: process.env.PATH ?? '', NO_COLOR: '1', PORTAL_CONFORMANCE_CONFIG: config },
    stdio: ['ignore', 'pipe', 'pipe'],
  })
  const { code, stdout, stderr } = await endOf(child)
  expect(code).toBe(1)
  expect(stdout).toMatch(/tests: 1 passed, 1 failed, \d+ skipped/)
  expect(stdout).toMatch(/refuses-anonymous:replayed .*\[not in a quick run: it needs more cases \(runs\)\]/)
  expect(stderr).toContain('Came:     not accepted: HTTP 200 with error {"code":400,')
  expect(stderr).toContain(
    `--config ${config} --seed 1 --runs 1 --requirement add-workspace/name-limit-accepts`,
  )
  expect(stdout + stderr).not.toContain(portal.configuration.actors.hostAdministrator.credential)
})
