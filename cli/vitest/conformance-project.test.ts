import { spawn } from 'node:child_process'
import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { expect, test } from 'vitest'
import { endOf } from '../end-to-end/command.fixture.ts'
import { testFolder } from '../process/test-folder.fixture.ts'
import { testPortal } from '../process/test-portal.fixture.ts'

const root = fileURLToPath(new URL('../..', import.meta.url))

/** Runs the Vitest project `conformance` of this repository. */
function runProject(environment: Record<string, string>, ...words: readonly string[]) {
  const child = spawn(
    process.execPath,
    ['node_modules/vitest/vitest.mjs', 'run', '--project', 'conformance', ...words],
    {
      cwd: root,
      env: { PATH: process.env.PATH ?? '', NO_COLOR: '1', ...environment },
      stdio: ['ignore', 'pipe', 'pipe'],
    },
  )
  return endOf(child)
}

test('the project conformance judges the configured deployment, and shows a finding with its evidence', async () => {
  const portal = await testPortal({ faults: ['name-limit-99'] })
  const config = join(testFolder(), 'portal.json')
  writeFileSync(config, JSON.stringify({ ...portal.configuration, run: { seed: 1, runs: 1 } }))
  const chosen = 'add-workspace/(name-limit-accepts|refuses-anonymous) '
  const { code, stdout, stderr } = await runProject({ PORTAL_CONFORMANCE_CONFIG: config }, '-t', chosen)
  expect(code).toBe(1)
  expect(stdout).toMatch(/tests: 1 passed, 1 failed, \d+ skipped/)
  expect(stderr).toContain('Came:     not accepted: HTTP 200 with error {"code":400,')
  expect(stderr).toContain(
    `--config ${config} --seed 1 --runs 1 --requirement add-workspace/name-limit-accepts`,
  )
  expect(stdout + stderr).not.toContain(portal.configuration.actors.hostAdministrator.credential)
})
