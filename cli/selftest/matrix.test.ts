import { describe, expect, it } from 'vitest'
import type { Judged } from './judging-process.ts'
import { faultRow, isOk, type Matrix, proofsOf, variantRow } from './matrix.ts'
import { matrixMarkdown } from './matrix-markdown.ts'
import { matrixText } from './matrix-summary.ts'

const fault = {
  id: 'sizes-as-text',
  sentence: 'A size is <text> | not a number.',
  breaks: ['add-workspace/config-fields'],
  alter: () => undefined,
} as const

const judged = (failed: readonly string[], requests = [9, 4]): Judged => ({
  failed,
  open: failed.flatMap((requirement) =>
    requests.map((sent, at) => ({
      id: `${requirement}:${at}`,
      requirement,
      outcome: 'failed',
      requests: sent,
      why: 'no number',
    })),
  ),
  requests: 100,
  durationMs: 2100,
})

const found = faultRow(fault, judged(['add-workspace/config-fields']))
const missed = faultRow(fault, judged([]))
const misblamed = faultRow(fault, judged(['add-workspace/config-fields', 'add-workspace/creates']))

function matrixOf(faults: Matrix['faults'] = []): Matrix {
  return {
    format: 'portal-conformance/selftest',
    formatVersion: 1,
    suite: { version: '1.2.3' },
    run: { seed: 1, runs: 30, jobs: 2, durationMs: 61_000 },
    faults,
    proofs: proofsOf(faults),
    ok: isOk({ faults }),
  }
}

describe('faultRow', () => {
  it('counts the requests of the check that found it most cheaply', () => {
    expect(found).toMatchObject({ found: true, blamed: true, problems: [], requests: 4 })
  })

  it('tells a fault that changes nothing from one that is found elsewhere', () => {
    expect(missed).toMatchObject({ found: false, problems: ['it changed no outcome at all'] })
    const elsewhere = faultRow(fault, judged(['add-workspace/creates']))
    expect(elsewhere.problems).toEqual([
      'missed: add-workspace/config-fields',
      'wrongly blamed: add-workspace/creates',
    ])
  })

  it('is not content where the suite broke', () => {
    expect(faultRow(fault, { broke: 'out of order' })).toMatchObject({
      found: false,
      problems: ['the suite broke: out of order'],
    })
  })
})

describe('variantRow', () => {
  const check = { id: 'x', requirement: 'add-workspace/creates', requests: 1, why: 'because' }
  const withOutcome = (outcome: string): Judged => ({
    failed: [],
    open: [{ ...check, outcome }],
    requests: 1,
    durationMs: 1,
  })

  it.each(['failed', 'inconclusive', 'not-tested', 'not-applicable'])(
    'takes %s for a cry of wolf',
    (outcome) => {
      expect(variantRow(['gzip'], '', withOutcome(outcome)).problems).toEqual([`${outcome}: x: because`])
    },
  )

  it('allows advice', () => {
    expect(variantRow(['gzip'], '', withOutcome('warned')).clean).toBe(true)
  })
})

describe('proofsOf', () => {
  it('names the faults that a requirement was found by, and leaves out advice', () => {
    const proofs = proofsOf([found, missed])
    expect(proofs.find(({ id }) => id === 'add-workspace/config-fields')?.faults).toEqual(['sizes-as-text'])
    expect(proofs.find(({ id }) => id === 'add-workspace/creates')?.faults).toEqual([])
    expect(proofs.some(({ level }) => level === 'advice')).toBe(false)
  })

  it('takes no wrong blame for a proof', () => {
    const proofs = proofsOf([misblamed])
    expect(proofs.find(({ id }) => id === 'add-workspace/creates')?.faults).toEqual([])
  })
})

describe('the matrix', () => {
  it('is fine only where every row is', () => {
    expect(matrixOf([found]).ok).toBe(true)
    expect(matrixOf([found, missed]).ok).toBe(false)
    expect(matrixOf([misblamed]).ok).toBe(false)
  })

  it('is a Markdown table in which no text breaks a cell', () => {
    const markdown = matrixMarkdown(matrixOf([found]))
    expect(markdown).toContain(
      '| `sizes-as-text` | A size is &lt;text> \\| not a number. | `add-workspace/config-fields` | yes | yes | 4 | 2.1 s |',
    )
    expect(markdown).toContain('| `add-workspace/creates` | must | **none** |')
  })

  it('says on the terminal what is not as it should be', () => {
    const text = matrixText(matrixOf([found, misblamed]))
    expect(text).toContain('Faults: 2 of 2 found, 1 found and blamed exactly')
    expect(text).toContain('  fault sizes-as-text: wrongly blamed: add-workspace/creates')
  })
})
