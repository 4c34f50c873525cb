import { describe, expect, it } from 'vitest'
import type { Judged } from './judgement.ts'
import { isOk, type Matrix, matrixMarkdown, matrixText, type NamedRow } from './matrix.ts'
import { faultRow } from './parts/faults.ts'
import { judgedFailed, sizesAsText } from './parts/judged.fixture.ts'

const rowOf = (judged: Judged): NamedRow => ({
  name: 'fault sizes-as-text',
  ...faultRow(sizesAsText, judged),
})
const found = rowOf(judgedFailed('add-workspace/config-fields'))
const missed = rowOf(judgedFailed())
const falseAlarm = rowOf(judgedFailed('add-workspace/config-fields', 'add-workspace/creates'))

/** `ids`: the chosen ids. Empty: all, and then each requirement needs a fault that makes it fail. */
function matrixOf(faults: readonly NamedRow[], ids: readonly string[] = []): Matrix {
  const run = {
    seed: 1,
    runs: 30,
    jobs: 2,
    combinations: 40,
    together: false,
    ids,
    tried: 1,
    again: 0,
    durationMs: 61_000,
  }
  const rows = { faults }
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
  it('is ok only if every row is', () => {
    expect(matrixOf([found], ['sizes-*']).ok).toBe(true)
    expect(matrixOf([found, missed], ['sizes-*']).ok).toBe(false)
    expect(matrixOf([falseAlarm], ['sizes-*']).ok).toBe(false)
  })

  it('is not ok if no fault makes a requirement fail', () => {
    expect(matrixOf([found]).ok).toBe(false)
    expect(matrixText(matrixOf([found]))).toMatch(
      /Must and implied requirements that a fault shows can fail: 1 of \d+; none yet for /,
    )
  })

  it('escapes text in the cells of its Markdown table', () => {
    const markdown = matrixMarkdown(matrixOf([found]))
    expect(markdown).toContain(
      '| `sizes-as-text` | A size is &lt;text&gt; \\| not a number. | `add-workspace/config-fields` | yes | yes | 4 | 2.1 s |',
    )
    expect(markdown).toContain('| `add-workspace/creates` | must | **none** |')
  })

  it('lists problems on the terminal', () => {
    const text = matrixText(matrixOf([found, falseAlarm]))
    expect(text).toContain('Faults: 2 of 2 found, 1 found and blamed exactly')
    expect(text).toContain('  fault sizes-as-text: wrongly blamed: add-workspace/creates')
  })
})
