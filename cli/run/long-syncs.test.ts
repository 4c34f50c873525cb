import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { expect, it, onTestFinished } from 'vitest'
import { loginsConfiguration } from '../../reference/configuration.ts'
import { startPortal } from '../../reference/portal.ts'
import { syncsTake } from '../../reference/variants/administration.ts'
import { observedContext } from '../process/command-context.fixture.ts'
import { runProgram } from '../program.ts'

it('syncs that take longer than other requests may are judged all the same', async () => {
  const portal = await startPortal({ alter: syncsTake(2500) })
  onTestFinished(() => portal.close())
  const folder = mkdtempSync(join(tmpdir(), 'pc-long-syncs-'))
  onTestFinished(() => rmSync(folder, { recursive: true }))
  const config = join(folder, 'portal.json')
  // Long enough for a busy machine, and shorter than a sync.
  const http = { timeout: '1500ms' }
  writeFileSync(config, JSON.stringify({ ...loginsConfiguration(portal.logins), http }))
  const requirements = ['synchronous-blocks', 'asynchronous-returns', 'after-finish', 'starts'].flatMap(
    (name) => ['--requirement', `sync-workspace/${name}`],
  )
  const out = ['--out', folder, '--reporter', 'json', '--runs', '1']
  await runProgram(['run', '--config', config, ...requirements, ...out], observedContext())
  const checks = judgedIn(folder)
  expect(checks.length).toBeGreaterThan(5)
  expect(checks.filter(({ outcome }) => outcome !== 'passed' && outcome !== 'not-applicable')).toEqual([])
})

interface Check {
  readonly id: string
  readonly outcome: string
  readonly reason?: string
}

/** The checks that were selected. */
function judgedIn(folder: string): Check[] {
  const { requirements } = JSON.parse(readFileSync(join(folder, 'results.json'), 'utf8'))
  const all = (requirements as { readonly checks: readonly Check[] }[]).flatMap(({ checks }) => checks)
  const judged = all.filter(({ reason }) => reason !== 'not selected for this run')
  return judged.map(({ id, outcome, reason = '' }) => ({ id, outcome, reason }))
}
