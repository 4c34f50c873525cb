import { describe, expect, it } from 'vitest'
import type { RequirementId } from '../specs/requirements.ts'
import type { Judged } from './judging-process.ts'
import { blameOf, isOk, type Matrix, matrixText, proofsOf } from './matrix.ts'
import { matrixMarkdown } from './matrix-markdown.ts'
import { faultRow, poolRow, powerRow, seedRow, variantRow } from './rows.ts'

const fault = {
  id: 'sizes-as-text',
  sentence: 'A size is <text> | not a number.',
  breaks: ['add-workspace/config-fields'],
  alter: () => undefined,
} as const

const rest = { breaches: [], looks: 0, passed: 1 }

const judged = (failed: readonly RequirementId[], requests = [9, 4]): Judged => ({
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
  ...rest,
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
    run: {
      seed: 1,
      runs: 30,
      jobs: 2,
      combinations: 40,
      together: false,
      tried: 1,
      again: 0,
      durationMs: 61_000,
    },
    faults,
    proofs: proofsOf(faults),
    ok: isOk({ faults }),
  }
}

describe('faultRow', () => {
  it('counts the requests of the check that found it most cheaply', () => {
    expect(found).toMatchObject({ found: true, blamed: true, problems: [], requests: 4 })
  })

  it('distinguishes a fault that changes nothing from one that is found elsewhere', () => {
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
    ...rest,
    requests: 1,
    durationMs: 1,
  })

  const gzip = { id: 'gzip', sentence: '' }

  it.each(['failed', 'inconclusive', 'not-tested', 'not-applicable'])(
    'takes %s for a cry of wolf',
    (outcome) => {
      expect(variantRow([gzip], withOutcome(outcome)).problems).toEqual([`${outcome}: x: because`])
    },
  )

  it('says once what several checks say', () => {
    const open = ['x', 'y', 'z'].map((id) => ({ ...check, id, outcome: 'failed' }))
    const judged: Judged = { ...rest, failed: [], open, requests: 1, durationMs: 1 }
    expect(variantRow([gzip], judged).problems).toEqual(['failed: x (and 2 more): because'])
  })

  it('allows advice', () => {
    expect(variantRow([gzip], withOutcome('warned')).clean).toBe(true)
  })

  it('allows what the variant gives a reason for, and for that reason only', () => {
    const may = (because: RegExp) => ({
      ...gzip,
      may: { inconclusive: { requirements: ['add-workspace/*'], because } },
    })
    expect(variantRow([gzip, may(/caus/)], withOutcome('inconclusive')).clean).toBe(true)
    expect(variantRow([may(/other/)], withOutcome('inconclusive')).clean).toBe(false)
    expect(variantRow([may(/caus/)], withOutcome('not-tested')).clean).toBe(false)
    expect(variantRow([may(/caus/)], withOutcome('failed')).clean).toBe(false)
  })

  it('asks for nothing that it was not judged by', () => {
    const judged = { ...gzip, judged: ['sync-workspace/*'] }
    expect(variantRow([judged], withOutcome('not-tested')).clean).toBe(true)
  })

  it('is not content where the recording of the run is blamed', () => {
    const breaches = [{ requirement: 'add-workspace/name-kept', why: 'another name' }]
    expect(variantRow([gzip], { ...withOutcome('warned'), breaches } as Judged).problems).toEqual([
      'in recorded traffic: add-workspace/name-kept: another name',
    ])
  })
})

describe('powerRow', () => {
  const rare = {
    id: 'sizes-as-text',
    operation: 'add-workspace',
    kind: 'shape',
    breaks: 'add-workspace/config-fields',
    shows: () => true,
  } as const
  const times = (found: number, tries: number): Judged[] =>
    Array.from({ length: tries }, (_, at) => judged(at < found ? [rare.breaks] : []))

  it('is content where a fault is found as often as it shows', () => {
    const row = powerRow(rare, 3, new Map([[2, times(4, 5)]]))
    expect(row.rates).toEqual([{ oneIn: 2, predicted: 0.875, found: 4, tries: 5 }])
    expect(row.problems).toEqual([])
  })

  it('is not content where chance does not explain how seldom it is found', () => {
    expect(powerRow(rare, 60, new Map([[10, times(3, 5)]])).problems).toEqual([
      'one in 10: found 3 of 5 times, and 99.8 % was predicted',
    ])
  })

  it('allows for chance where there are few looks', () => {
    expect(powerRow(rare, 4, new Map([[10, times(0, 5)]])).problems).toEqual([])
  })
})

describe('a conformant portal', () => {
  const open = (outcome: string, requirement: string, why = 'because'): Judged => ({
    ...{ failed: [], requests: 1, durationMs: 1, ...rest },
    open: [{ id: 'x', requirement, outcome, requests: 1, why }],
  })

  it('may be left open, with a reason, where fixtures are scarce', () => {
    expect(poolRow('p', 'few', open('not-tested', 'add-workspace/creates')).problems).toEqual([])
    expect(poolRow('p', 'few', open('not-tested', 'add-workspace/creates', '')).problems).toHaveLength(1)
    expect(poolRow('p', 'few', open('failed', 'add-workspace/creates')).problems).toHaveLength(1)
  })

  it('must be found conformant by every seed; advice and what does not apply do not count', () => {
    expect(seedRow('p', 1, open('inconclusive', 'add-workspace/creates')).problems).toHaveLength(1)
    expect(seedRow('p', 1, open('inconclusive', 'protocol/refusal-json')).problems).toEqual([])
    expect(seedRow('p', 1, open('not-applicable', 'add-workspace/creates')).problems).toEqual([])
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

describe('blameOf', () => {
  const fault = {
    breaks: ['add-workspace/creates'],
    mayBreak: ['add-workspace/timestamps'],
  } as const

  it('is content with exactly what the fault breaks, and what it may break', () => {
    expect(blameOf(fault, ['add-workspace/creates'])).toEqual({ missed: [], wrong: [] })
    expect(blameOf(fault, ['add-workspace/creates', 'add-workspace/timestamps'])).toEqual({
      missed: [],
      wrong: [],
    })
  })

  it('names what was missed', () => {
    expect(blameOf(fault, ['add-workspace/timestamps']).missed).toEqual(['add-workspace/creates'])
  })

  it('names what was blamed wrongly', () => {
    expect(blameOf(fault, ['add-workspace/creates', 'add-workspace/id-is-new']).wrong).toEqual([
      'add-workspace/id-is-new',
    ])
  })

  it('counts advice that was warned of as blame', () => {
    expect(blameOf(fault, ['add-workspace/creates', 'protocol/refusal-json']).wrong).toEqual([
      'protocol/refusal-json',
    ])
  })

  it('leaves the model of the portal out: it meets a fault by luck', () => {
    expect(blameOf(fault, ['add-workspace/creates', 'lifecycle/consistent']).wrong).toEqual([])
  })
})
