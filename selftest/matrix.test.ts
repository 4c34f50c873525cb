import { describe, expect, it } from 'vitest'
import type { RequirementId } from '../specs/requirements.ts'
import { isOk, type Matrix, matrixMarkdown, matrixText } from './matrix.ts'
import type { Row } from './trial.ts'

const rowWith = (failed: readonly RequirementId[], ...problems: readonly string[]): Row => ({
  name: 'fault sizes-as-text',
  sentence: 'A size is <text> | not a number.',
  breaks: ['add-workspace/config-fields'],
  failed,
  problems,
  falseAlarm: false,
  durationMs: 2100,
})
const found = rowWith(['add-workspace/config-fields'])
const falseAlarm = rowWith(
  ['add-workspace/config-fields', 'add-workspace/creates'],
  'wrongly blamed: add-workspace/creates',
)

/** `ids`: the chosen ids. Empty: all, and then each requirement needs a fault that makes it fail. */
function matrixOf(rows: Matrix['rows'], ids: readonly string[] = []): Matrix {
  const amounts = { seed: 1, runs: 30, jobs: 2, combinations: 40, together: false }
  const run = { ...amounts, ids, tried: 1, again: 0, durationMs: 61_000 }
  return {
    format: 'portal-conformance/selftest',
    formatVersion: 1,
    suite: { version: '1.2.3' },
    run,
    rows,
    ok: isOk({ run, rows }),
  }
}

describe('the matrix', () => {
  it('is ok only if every row of a part that does not measure is', () => {
    expect(matrixOf({ faults: [found] }, ['sizes-*']).ok).toBe(true)
    expect(matrixOf({ faults: [found, rowWith([], 'missed')] }, ['sizes-*']).ok).toBe(false)
    expect(matrixOf({ situations: [rowWith([], 'missed')] }).ok).toBe(true)
  })

  it('is not ok if no fault makes a requirement fail, and a false alarm is no proof that one can', () => {
    const matrix = matrixOf({ faults: [found, falseAlarm] })
    expect(matrix.ok).toBe(false)
    expect(matrixText(matrix)).toMatch(
      /Must and implied requirements that a fault shows can fail: 1 of \d+; none yet for .*\badd-workspace\/creates\b/,
    )
    expect(matrixText(matrix)).not.toContain('protocol/refusal-json')
  })

  it('escapes text in the cells of its Markdown table', () => {
    const markdown = matrixMarkdown(matrixOf({ faults: [found] }))
    expect(markdown).toContain(
      '| `fault sizes-as-text` | A size is &lt;text&gt; \\| not a number. | `add-workspace/config-fields` | yes | 2.1 s |',
    )
    expect(markdown).toContain('| `add-workspace/config-fields` | must | `fault sizes-as-text` |')
  })

  it('lists problems on the terminal', () => {
    const text = matrixText(matrixOf({ faults: [found, falseAlarm] }))
    expect(text).toContain('Faults: 1 of 2 found and blamed exactly')
    expect(text).toContain('  fault sizes-as-text: wrongly blamed: add-workspace/creates')
  })
})
