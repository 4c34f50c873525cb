import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { isPrintable } from '../../clauses/texts.ts'
import { delicateTexts, printableText, textOfLength } from './text.ts'
import { markOf, uniqueName } from './unique-name.ts'

const marks = Array.from({ length: 2000 }, (_, at) => markOf('run', `check/${at}`))

describe('markOf', () => {
  it('returns another mark for each part and each run', () => {
    expect(new Set(marks).size).toBe(marks.length)
    const others = Array.from({ length: 2000 }, (_, at) => markOf('another run', `check/${at}`))
    expect(others.filter((mark) => marks.includes(mark))).toEqual([])
  })

  it('returns the same mark for the same part of the same run', () => {
    expect(markOf('run', 'check/7')).toBe(marks[7])
  })
})

describe('uniqueName', () => {
  const mark = marks[0] as string

  it.each(delicateTexts)('contains all of %j and is printable', (text) => {
    const name = uniqueName(text, mark)
    expect(name).toContain(text)
    expect(name).not.toBe(text)
    expect(isPrintable(name)).toBe(true)
  })

  it('appends digits to a number', () => {
    expect(uniqueName('42', mark)).toMatch(/^42\d+$/)
    expect(uniqueName('007', mark)).toMatch(/^007\d+$/)
  })

  it.each([1, 2, 3, 9, 10, 11, 50, 99, 100, 101, 5000])('keeps the length %i with keepLength', (length) => {
    for (const text of fc.sample(textOfLength(length), { seed: 3, numRuns: 50 })) {
      const name = uniqueName(text, mark, { keepLength: true })
      expect([name.length, [...name].length]).toEqual([length, length])
      expect(isPrintable(name)).toBe(true)
    }
  })

  it('keeps an unusual first character first, except in formulas and long texts', () => {
    expect(uniqueName('#7 R&D', mark)).toBe(`#7 R&D ${mark}`)
    expect(uniqueName('Élan', mark)).toBe(`Élan ${mark}`)
    expect(uniqueName('=a', mark)).toBe(`${mark} =a`)
    // A server that compares only the beginning of names would not see a mark at the end.
    expect(uniqueName('é'.repeat(40), mark)).toBe(`${mark} ${'é'.repeat(40)}`)
  })

  it('stays within the limit, and keeps the length of a text beyond the limit', () => {
    for (const text of fc.sample(printableText(100), { seed: 3, numRuns: 2000 })) {
      const name = uniqueName(text, mark)
      expect(name.length).toBeLessThanOrEqual(100)
      expect(isPrintable(name), JSON.stringify(name)).toBe(true)
    }
    expect(uniqueName('é'.repeat(101), mark)).toHaveLength(101)
  })

  it.each(['one two', 'é'.repeat(100), '42', '漢字'])('differs for each mark: %j', (text) => {
    for (const keepLength of text.length < 10 ? [false] : [false, true])
      expect(new Set(marks.map((each) => uniqueName(text, each, { keepLength }))).size).toBe(marks.length)
  })

  it('differs for over 95 of 100 marks if the name has one character', () => {
    const names = marks.slice(0, 100).map((each) => uniqueName('a', each, { keepLength: true }))
    expect(new Set(names).size).toBeGreaterThan(95)
  })
})
