import { describe, expect, it } from 'vitest'
import { blameOf } from './blame.ts'

const fault = {
  breaks: ['add-workspace/creates'],
  mayBreak: ['add-workspace/timestamps'],
} as const

describe('blameOf', () => {
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

  it('leaves the model of the portal out: it meets a fault by luck', () => {
    expect(blameOf(fault, ['add-workspace/creates', 'lifecycle/consistent']).wrong).toEqual([])
  })
})
