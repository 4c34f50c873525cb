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
const misblamed = rowOf(judgedFailed('add-workspace/config-fields', 'add-workspace/creates'))

/** `ids`: what the run chose. Empty: everything, and then each requirement needs a fault that makes it fail. */
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
  it('is fine only where every row is', () => {
    expect(matrixOf([found], ['sizes-*']).ok).toBe(true)
    expect(matrixOf([found, missed], ['sizes-*']).ok).toBe(false)
    expect(matrixOf([misblamed], ['sizes-*']).ok).toBe(false)
  })

  it('is not fine where no fault makes a requirement fail', () => {
    expect(matrixOf([found]).ok).toBe(false)
    expect(matrixText(matrixOf([found]))).toMatch(
      /Must and implied requirements that a fault shows can fail: 1 of \d+; none yet for /,
    )
  })

  it('is a Markdown table in which no text breaks a cell', () => {
    const markdown = matrixMarkdown(matrixOf([found]))
    expect(markdown).toContain(
      '| `sizes-as-text` | A size is &lt;text&gt; \\| not a number. | `add-workspace/config-fields` | yes | yes | 4 | 2.1 s |',
    )
    expect(markdown).toContain('| `add-workspace/creates` | must | **none** |')
  })

  it('says on the terminal what is not as it should be', () => {
    const text = matrixText(matrixOf([found, misblamed]))
    expect(text).toContain('Faults: 2 of 2 found, 1 found and blamed exactly')
    expect(text).toContain('  fault sizes-as-text: wrongly blamed: add-workspace/creates')
  })
})
