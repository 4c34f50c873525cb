import { describe, expect, it } from 'vitest'
import { checkOf, resultsOf } from '../results.fixture.ts'
import type { Results } from '../results.ts'
import { notesOf, sidesOf } from './compare.ts'

function notesBetween(one: Results, other: Results): string[] {
  const inputs = [one, other].map((results, at) => ({ file: `${at}.json`, results }))
  return notesOf(inputs, sidesOf(inputs))
}

describe('what makes results less comparable', () => {
  const plain = resultsOf([checkOf('add-workspace/creates')])
  const { complete: _, ...cutShort } = plain
  const run = (others: Partial<Results['run']>): Results => ({ ...plain, run: { ...plain.run, ...others } })

  it.each<[string, Results, RegExp]>([
    [
      'another release of the suite',
      { ...plain, suite: { version: '0.2.0' } },
      /^Suite releases differ \(A: 0\.1\.0; B: 0\.2\.0\): compared by id/,
    ],
    ['another seed', run({ seed: 43 }), /^Seeds differ \(A: 42; B: 43\)/],
    ['another number of cases', run({ runs: 100 }), /^Numbers of cases differ \(A: 25; B: 100\)/],
    [
      'a selection',
      run({ selection: { operations: ['add-workspace'], requirements: [] } }),
      /^Selections differ \(A: everything; B: add-workspace\)/,
    ],
    [
      'another release of the target',
      { ...plain, target: { ...plain.target, version: '10.6' } },
      /^Releases differ \(A: 11\.0; B: 10\.6\)/,
    ],
    [
      'another profile',
      { ...plain, target: { ...plain.target, profile: 'p' } },
      /^Profiles differ \(A: none; B: p\)/,
    ],
    ['recorded traffic', run({ traffic: {} as never }), /^B: recorded traffic was judged/],
    ['a run that was cut short', cutShort, /^B: the run was cut short/],
    ['errors of the run', { ...plain, errors: ['broke'] }, /^B: the run itself had errors/],
  ])('%s is noted', (_name, other, note) => {
    expect(notesBetween(plain, other)).toEqual([expect.stringMatching(note)])
  })

  it('nothing is noted where nothing of the kind differs', () => {
    expect(notesBetween(plain, plain)).toEqual([])
  })
})

describe('labels', () => {
  it('a name that is given goes before the base URL and the file', () => {
    const results = resultsOf([])
    const sides = sidesOf([
      { file: 'a/results.json', results, name: 'Vienna' },
      { file: 'b/results.json', results },
    ])
    expect(sides.map(({ label }) => label)).toEqual(['Vienna', 'b/results.json'])
  })

  const labelled = (...inputs: [baseUrl: string, file: string][]) =>
    sidesOf(
      inputs.map(([baseUrl, file]) => ({
        file,
        results: resultsOf([], { target: { baseUrl, profile: 'none' } }),
      })),
    ).map(({ label }) => label)

  it.each<[string, [string, string][], string[]]>([
    [
      'base URLs',
      [
        ['https://a', 'x.json'],
        ['https://b', 'y.json'],
      ],
      ['https://a', 'https://b'],
    ],
    [
      'files of one base URL',
      [
        ['https://a', 'old/x.json'],
        ['https://a', 'new/y.json'],
      ],
      ['x.json', 'y.json'],
    ],
    [
      'as much of the path as distinguishes files',
      [
        ['https://a', 'runs/may/results.json'],
        ['https://a', 'runs/june/results.json'],
        ['https://b', 'results.json'],
      ],
      ['may/results.json', 'june/results.json', 'https://b'],
    ],
    [
      'the whole path of a file that is given twice',
      [
        ['https://a', 'r/x.json'],
        ['https://a', 'r/x.json'],
      ],
      ['r/x.json', 'r/x.json'],
    ],
  ])('are %s', (_, inputs, expected) => {
    expect(labelled(...inputs)).toEqual(expected)
  })

  it('have keys that never repeat, however many there are', () => {
    const sides = sidesOf(
      Array.from({ length: 60 }, (_, at) => ({ file: `${at}.json`, results: resultsOf([]) })),
    )
    expect([sides[0]?.key, sides[25]?.key, sides[26]?.key, sides[59]?.key]).toEqual(['A', 'Z', 'AA', 'BH'])
    expect(new Set(sides.map(({ key }) => key)).size).toBe(60)
  })
})
