import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { isPrintable } from '../../clauses/texts.ts'
import { delicateTexts, printableText, textOfLength } from './text.ts'
import { markOf, uniqueName } from './unique-name.ts'

const marks = Array.from({ length: 2000 }, (_, at) => markOf('run', `check/${at}`))

describe('marks', () => {
  it('differ from each other, and from those of another run', () => {
    expect(new Set(marks).size).toBe(marks.length)
    const others = Array.from({ length: 2000 }, (_, at) => markOf('another run', `check/${at}`))
    expect(others.filter((mark) => marks.includes(mark))).toEqual([])
  })

  it('are the same for the same part of the same run', () => {
    expect(markOf('run', 'check/7')).toBe(marks[7])
  })
})

describe('unique names', () => {
  const mark = marks[0] as string

  it.each(delicateTexts)('keep what is delicate in %j', (text) => {
    const name = uniqueName(text, mark)
    expect(name).toContain(text)
    expect(name).not.toBe(text)
    expect(isPrintable(name)).toBe(true)
  })

  it('leave a number a number', () => {
    expect(uniqueName('42', mark)).toMatch(/^42\d+$/)
    expect(uniqueName('007', mark)).toMatch(/^007\d+$/)
  })

  it.each([1, 2, 3, 9, 10, 11, 50, 99, 100, 101, 5000])('keep the length where asked to: %i', (length) => {
    for (const text of fc.sample(textOfLength(length), { seed: 3, numRuns: 50 })) {
      const name = uniqueName(text, mark, { keepLength: true })
      expect([name.length, [...name].length]).toEqual([length, length])
      expect(isPrintable(name)).toBe(true)
    }
  })

  it('begin with what some treat otherwise there, but not with what begins a formula', () => {
    expect(uniqueName('#7 R&D', mark)).toBe(`#7 R&D ${mark}`)
    expect(uniqueName('Élan', mark)).toBe(`Élan ${mark}`)
    expect(uniqueName('=a', mark)).toBe(`${mark} =a`)
    // Where names are cut before they are compared the mark would be lost.
    expect(uniqueName('é'.repeat(40), mark)).toBe(`${mark} ${'é'.repeat(40)}`)
  })

  it('stay within the limit, and beyond it where they were', () => {
    for (const text of fc.sample(printableText(100), { seed: 3, numRuns: 2000 })) {
      const name = uniqueName(text, mark)
      expect(name.length).toBeLessThanOrEqual(100)
      expect(isPrintable(name), JSON.stringify(name)).toBe(true)
    }
    expect(uniqueName('é'.repeat(101), mark)).toHaveLength(101)
  })

  it.each(['one two', 'é'.repeat(100), '42', '漢字'])('differ for each mark: %j', (text) => {
    for (const keepLength of text.length < 10 ? [false] : [false, true])
      expect(new Set(marks.map((each) => uniqueName(text, each, { keepLength }))).size).toBe(marks.length)
  })

  it('of one character are many', () => {
    const names = marks.slice(0, 100).map((each) => uniqueName('a', each, { keepLength: true }))
    expect(new Set(names).size).toBeGreaterThan(95)
  })
})
