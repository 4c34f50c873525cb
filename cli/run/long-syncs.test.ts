import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, it } from 'vitest'
import { loginsConfiguration } from '../../reference/configuration.ts'
import { syncsTake } from '../../reference/variants/administration.ts'
import { command, resultsIn } from '../process/in-process.fixture.ts'
import { testFolder } from '../process/test-folder.fixture.ts'
import { testPortal } from '../process/test-portal.fixture.ts'

it('run judges syncs that take longer than the request timeout', async () => {
  const portal = await testPortal({ alter: syncsTake(2500) })
  const folder = testFolder()
  const config = join(folder, 'portal.json')
  // Long enough for a busy machine, and shorter than a sync.
  const http = { timeout: '1500ms' }
  writeFileSync(config, JSON.stringify({ ...loginsConfiguration(portal.logins), http }))
  const selected =
    '--requirement sync-workspace/{synchronous-blocks,asynchronous-returns,after-finish,starts}'
  await command(`run --reporter json --runs 1 ${selected} --config`, config, '--out', folder)
  const checks = resultsIn(folder)
    .requirements.flatMap((requirement) => requirement.checks)
    .filter(({ reason }) => reason !== 'not selected for this run')
    .map(({ id, outcome, reason }) => ({ id, outcome, reason }))
  expect(checks.length).toBeGreaterThan(5)
  expect(checks.filter(({ outcome }) => outcome !== 'passed' && outcome !== 'not-applicable')).toEqual([])
})
