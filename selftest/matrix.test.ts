import { describe, expect, it } from 'vitest'
import { isOk, type Matrix, matrixMarkdown, matrixText } from './matrix.ts'
import type { Row } from './trial.ts'

const rowWith = (...problems: readonly string[]): Row => ({
  name: 'fault sizes-as-text',
  sentence: 'A size is <text> | not a number.',
  breaks: ['add-workspace/config-fields'],
  problems,
  falseAlarm: false,
  durationMs: 2100,
})
const found = rowWith()
const falseAlarm = rowWith('wrongly blamed: add-workspace/creates')

function matrixOf(rows: Matrix['rows']): Matrix {
  const amounts = { seed: 1, runs: 30, jobs: 2, combinations: 40, together: false }
  const run = { ...amounts, ids: [], tried: 1, again: 0, durationMs: 61_000 }
  return {
    format: 'portal-conformance/selftest',
    formatVersion: 1,
    suite: { version: '1.2.3' },
    run,
    rows,
    ok: isOk(rows),
  }
}

describe('the matrix', () => {
  it('is ok only if every row of a part that does not measure is', () => {
    expect(matrixOf({ faults: [found] }).ok).toBe(true)
    expect(matrixOf({ faults: [found, rowWith('missed')] }).ok).toBe(false)
    expect(matrixOf({ situations: [rowWith('missed')] }).ok).toBe(true)
  })

  it('escapes text in the cells of its Markdown table', () => {
    const markdown = matrixMarkdown(matrixOf({ faults: [found] }))
    expect(markdown).toContain(
      '| `fault sizes-as-text` | A size is &lt;text&gt; \\| not a number. | `add-workspace/config-fields` | yes | 2.1 s |',
    )
  })

  it('lists problems on the terminal', () => {
    const text = matrixText(matrixOf({ faults: [found, falseAlarm] }))
    expect(text).toContain('Faults: 1 of 2 found and blamed exactly')
    expect(text).toContain('  fault sizes-as-text: wrongly blamed: add-workspace/creates')
  })
})
