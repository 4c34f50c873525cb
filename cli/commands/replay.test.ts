import { describe, expect, it } from 'vitest'
import type { Outcome } from '../../specs/outcomes.ts'
import { replayVerdict } from './replay.ts'

const failure = { message: 'too long was accepted', expected: [], actual: 'HTTP 200', replay: '' }
const check = (outcome: Outcome) => ({
  id: 'add-workspace/creates' as const,
  outcome,
  ...(outcome === 'failed' ? { failure } : { reason: 'no control' }),
})

describe('replayVerdict', () => {
  it.each<[string, number, Outcome[]]>([
    ['still failing (2 times)', 1, ['failed', 'failed']],
    ['fixed (2 times)', 0, ['passed', 'passed']],
    ['flaky (1 of 2 failed)', 3, ['passed', 'failed']],
    ['cannot be told', 3, ['inconclusive', 'passed']],
    ['cannot be told', 3, []],
  ])('says %s, with exit code %i', (words, code, outcomes) => {
    const verdict = replayVerdict(check('failed'), outcomes.map(check))
    expect(verdict.text).toContain(`add-workspace/creates: ${words}`)
    expect(verdict.text).toContain('Recorded: failed: too long was accepted')
    expect(verdict.code).toBe(code)
  })

  it('takes a waived check for one that failed', () => {
    expect(replayVerdict(check('waived'), [check('passed')]).text).toContain('fixed (1 times)')
  })

  it('does not call fixed what never failed', () => {
    expect(replayVerdict(check('passed'), [check('passed')]).text).toContain('still passing')
  })
})
