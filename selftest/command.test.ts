/** Usage errors of `selftest`. */
import { mkdtempSync, readdirSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { expect, onTestFinished, test } from 'vitest'
import { observedContext } from '../cli/process/command-context.fixture.ts'
import { runProgram } from '../cli/program.ts'

async function selftest(...words: string[]) {
  const out = mkdtempSync(join(tmpdir(), 'pc-selftest-'))
  onTestFinished(() => rmSync(out, { recursive: true }))
  const commandContext = observedContext()
  const code = await runProgram(['selftest', ...words, '--out', out], commandContext)
  return { code, err: commandContext.complained(), files: readdirSync(out) }
}

test('--part with an unknown part is a usage error that lists the parts', async () => {
  const { code, err } = await selftest('--part', 'luck')
  expect([code, err]).toEqual([
    2,
    expect.stringContaining('faults, variants, hostile, pools, situations, administration'),
  ])
})

test('--id with an unknown id is a usage error, and writes no matrix', async () => {
  const { code, err, files } = await selftest('--id', 'no-such-thing')
  expect([code, files]).toEqual([2, []])
  expect(err).toContain('--id: nothing is called no-such-thing')
})
