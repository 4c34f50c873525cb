import { spawn } from 'node:child_process'
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { expect, onTestFinished, test } from 'vitest'
import { startPortal } from '../../reference/portal.ts'
import { endOf } from '../end-to-end/command.fixture.ts'

const root = fileURLToPath(new URL('../..', import.meta.url))

/** Runs the project of this repository, with what is given as PORTAL_CONFORMANCE_CONFIG. */
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

test('the project judges the deployment that the environment names, and shows a finding with its evidence', async () => {
  const portal = await startPortal({ faults: ['name-limit-99'] })
  onTestFinished(() => portal.close())
  const folder = mkdtempSync(join(tmpdir(), 'portal-conformance-host-'))
  onTestFinished(() => rmSync(folder, { recursive: true }))
  const config = join(folder, 'portal.json')
  writeFileSync(config, JSON.stringify({ ...portal.configuration, run: { seed: 1, runs: 1 } }))
  const environment = { PORTAL_CONFORMANCE_CONFIG: config }
  const { code, stdout, stderr } = await runProject(
    environment,
    '-t',
    'add-workspace/(name-limit-accepts|refuses-anonymous) ',
  )
  expect(code).toBe(1)
  expect(stdout).toMatch(/tests: 1 passed, 1 failed, \d+ skipped/)
  expect(stderr).toContain('Came: not accepted: HTTP 200 with error {"code":400,')
  expect(stderr).toContain(
    `--config ${config} --seed 1 --runs 1 --requirement add-workspace/name-limit-accepts`,
  )
  expect(stdout + stderr).not.toContain(portal.configuration.actors.hostAdministrator.credential)
})

test('without the variable there is no such project', async () => {
  const { code, stderr } = await runProject({})
  expect([code, stderr]).toEqual([1, expect.stringContaining('conformance')])
})
