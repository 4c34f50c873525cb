import { expect, it } from 'vitest'
import type { Outcome } from '../../specs/outcomes.ts'
import { repeatVerdict } from './run-failed.ts'

const failure = { message: 'too long was accepted', expected: [], actual: 'HTTP 200', repeat: '' }
const check = (outcome: Outcome) => ({
  id: 'add-workspace/creates' as const,
  outcome,
  ...(outcome === 'failed' ? { failure } : { reason: 'no control' }),
})

it.each<[string, number, Outcome[]]>([
  ['still failing (2 times)', 1, ['failed', 'failed']],
  ['still failing (once)', 1, ['waived']],
  ['fixed (2 times)', 0, ['passed', 'passed']],
  ['flaky (1 of 2 failed)', 3, ['passed', 'failed']],
  ['no verdict', 3, ['inconclusive', 'passed']],
  ['no verdict', 3, []],
])('repeatVerdict is "%s" with exit code %i after %j', (words, code, outcomes) => {
  const verdict = repeatVerdict(check('failed'), outcomes.map(check))
  expect(verdict.text).toContain(`add-workspace/creates: ${words}`)
  expect(verdict.text).toContain('Recorded: failed: too long was accepted')
  expect(verdict.code).toBe(code)
})
