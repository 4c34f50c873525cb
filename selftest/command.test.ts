/** Usage errors of `selftest`. */
import { readdirSync } from 'node:fs'
import { expect, test } from 'vitest'
import { command } from '../cli/process/in-process.fixture.ts'
import { testFolder } from '../cli/process/test-folder.fixture.ts'

test('--part with an unknown part is a usage error that lists the parts', async () => {
  const { code, err } = await command('selftest', '--part', 'luck', '--out', testFolder())
  expect(code).toBe(2)
  expect(err).toContain('faults, variants, hostile, pools, situations, administration')
})

test('--id with an unknown id is a usage error, and writes no matrix', async () => {
  const out = testFolder()
  const { code, err } = await command('selftest', '--id', 'no-such-thing', '--out', out)
  expect([code, readdirSync(out)]).toEqual([2, []])
  expect(err).toContain('--id: nothing is called no-such-thing')
})
