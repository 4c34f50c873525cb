import { execFile } from 'node:child_process'
import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { promisify } from 'node:util'
import { expect, test } from 'vitest'
import { testFolder } from '../cli/process/test-folder.fixture.ts'
import { formatNames } from './document.ts'
import { failedCheck, openCheck, waivedCheck, warnedCheck, wholeResults } from './results.fixture.ts'

const script = fileURLToPath(new URL('large-results.fixture.mjs', import.meta.url))
const built = fileURLToPath(new URL('../dist', import.meta.url))

interface Measured {
  readonly checks: number
  readonly measured: Readonly<Record<string, { bytes: number; ms: number; peakMiB: number }>>
}

/** One requirement of each outcome; all others passed. */
const few = wholeResults([
  failedCheck('add-workspace/refuses-guest', 'a guest was accepted'),
  waivedCheck('add-workspace/name-kept'),
  warnedCheck('update-participant/bad-email', 'it was accepted'),
  openCheck('add-workspace/timestamps', 'inconclusive'),
  openCheck('update-task-run/updates', 'not-tested'),
  openCheck('update-federation/updates', 'not-applicable'),
])

const mostMiB = 200
/** Too little for a report that collects its pieces before it writes them. */
const heapMiB = 64

test('every format renders 20,000 checks within 200 MiB of memory', {
  timeout: 300_000,
}, async () => {
  const file = join(testFolder(), 'results.json')
  writeFileSync(file, JSON.stringify(few))
  const words = [`--max-old-space-size=${heapMiB}`, script, built, file]
  const { stdout } = await promisify(execFile)(process.execPath, words)
  const { checks, measured } = JSON.parse(stdout) as Measured
  console.table(measured)
  expect(checks).toBeGreaterThanOrEqual(20_000)
  expect(Object.keys(measured).toSorted()).toEqual(['json', 'terminal', ...formatNames].toSorted())
  for (const [name, { bytes, peakMiB }] of Object.entries(measured)) {
    expect([name, bytes > 1000, peakMiB < mostMiB]).toEqual([name, true, true])
  }
})
