import { describe, expect, it, test } from 'vitest'
import type { CheckId, Observation } from '../../runner/check-result.ts'
import { violations } from '../../schemas/validators.ts'
import type { Outcome } from '../../specs/outcomes.ts'
import { checkOf, failedCheck, observationOf, openCheck, resultsOf, warnedCheck } from '../results.fixture.ts'
import type { Results } from '../results.ts'
import { compareResults, newFailures } from './compare.ts'
import { comparisonSentence } from './words.ts'

/** Compares results as files a.json, b.json, and so on, each from another deployment. */
function compared(...several: readonly Results[]) {
  const letters = 'abcdefgh'
  return compareResults(
    several.map((results, at) => ({
      file: `runs/${letters[at]}.json`,
      results: { ...results, target: { ...results.target, baseUrl: `https://${letters[at]}.example.com` } },
    })),
  )
}

test.each<[Outcome | null, Outcome | null, string, boolean]>([
  ['passed', 'failed', 'broken', true],
  ['passed', 'warned', 'broken', true],
  ['passed', 'inconclusive', 'lost', true],
  ['passed', 'not-tested', 'lost', true],
  ['passed', 'not-applicable', 'lost', true],
  ['passed', null, 'gone', true],
  ['passed', 'waived', 'changed', false],
  ['passed', 'passed', 'same', false],
  ['failed', 'passed', 'fixed', false],
  ['warned', 'passed', 'fixed', false],
  ['waived', 'passed', 'fixed', false],
  ['failed', 'failed', 'still-failing', false],
  ['failed', 'inconclusive', 'changed', false],
  ['not-tested', 'passed', 'changed', false],
  ['not-tested', 'failed', 'changed', false],
  ['warned', 'warned', 'same', false],
  ['failed', null, 'gone', false],
  [null, 'failed', 'new', false],
  [null, 'passed', 'new', false],
])('compareResults: %s to %s is %s', (before, after, change, isLost) => {
  const [one, other] = [before, after].map((outcome) =>
    resultsOf(outcome === null ? [] : [checkOf('add-workspace/creates', { outcome })]),
  )
  const { requirements, lost } = compared(one!, other!)
  expect([requirements.map(({ changes }) => changes), lost.length > 0]).toEqual([[[change]], isLost])
})

describe('compareResults of two results', () => {
  const before = resultsOf([
    checkOf('add-workspace/creates'),
    checkOf('add-workspace/id-is-new'),
    failedCheck('add-workspace/name-kept', 'shortened'),
    failedCheck('add-workspace/timestamps', 'in seconds'),
    checkOf('sync-workspace/starts'),
  ])
  const after = resultsOf([
    failedCheck('add-workspace/creates', 'no id'),
    openCheck('add-workspace/id-is-new', 'not-tested', 'not selected'),
    checkOf('add-workspace/name-kept'),
    failedCheck('add-workspace/timestamps', 'in seconds'),
    checkOf('delete-collaboration/deletes'),
  ])
  const comparison = compared(before, after)

  it('compares requirements by id and counts the changes of each class', () => {
    expect(comparison.counts).toEqual([
      { broken: 1, lost: 1, gone: 1, fixed: 1, 'still-failing': 1, changed: 0, new: 1, same: 0 },
    ])
  })

  it('lists the requirements that passed before and do not pass now', () => {
    expect(comparison.lost).toEqual([
      'add-workspace/creates',
      'add-workspace/id-is-new',
      'sync-workspace/starts',
    ])
    expect(comparisonSentence(comparison, false)).toBe(
      '3 requirements passed on https://a.example.com and not on https://b.example.com; no open point differs.',
    )
    const [first, second] = comparison.sides
    const later = { ...second, target: first?.target }
    expect(comparisonSentence({ ...comparison, sides: [first, later] as never }, false)).toBe(
      '3 requirements passed before and do not pass now; no open point differs.',
    )
  })

  it('gives the message of a finding or the reason of an outcome', () => {
    const reasons = Object.fromEntries(comparison.requirements.map((each) => [each.id, each.reasons]))
    expect(reasons['add-workspace/creates']).toEqual(['', 'no id'])
    expect(reasons['add-workspace/id-is-new']).toEqual(['', 'not selected'])
    expect(reasons['sync-workspace/starts']).toEqual(['', ''])
  })

  it('has nothing lost between equal results', () => {
    const same = compared(before, before)
    expect(same.lost).toEqual([])
    expect(comparisonSentence(same, false)).toBe(
      'Nothing that passed is lost: no requirement changed, no open point differs.',
    )
  })
})

const [one, other]: CheckId[] = ['protocol/form-post:add-workspace', 'protocol/form-post:sync-workspace']

/** The outcomes of two checks of a requirement in two results, the change of the second one, and what is lost. */
it.each<[string, Outcome[], Outcome[], string | undefined, (string | undefined)[]]>([
  ['an earlier failure hides no new one', ['failed', 'passed'], ['failed', 'failed'], 'broken', [other]],
  [
    'an earlier failure hides no lost check',
    ['failed', 'passed'],
    ['passed', 'inconclusive'],
    'lost',
    [other],
  ],
  [
    'a check that becomes not applicable is lost',
    ['passed', 'passed'],
    ['passed', 'not-applicable'],
    'lost',
    [other],
  ],
  ['a check that is missing is gone, not lost', ['passed', 'passed'], ['passed'], 'gone', []],
  [
    'a check is not listed if it explains the change of its requirement',
    ['passed', 'passed'],
    ['passed', 'failed'],
    undefined,
    ['protocol/form-post'],
  ],
])('checks of a requirement: %s', (_, before, after, change, lost) => {
  const having = (outcomes: Outcome[]) =>
    resultsOf(outcomes.map((outcome, at) => openCheck([one!, other!][at]!, outcome)))
  const comparison = compared(having(before), having(after))
  const changed = comparison.requirements.flatMap(({ checks }) =>
    checks.map(({ id, changes }) => [id, ...changes]),
  )
  expect(changed).toEqual(change === undefined ? [] : [[other, change]])
  expect(comparison.lost).toEqual(lost)
})

it('compareResults compares each of several results with the first', () => {
  const [good, bad] = [checkOf('add-workspace/creates'), failedCheck('add-workspace/creates', 'x')]
  const comparison = compared(resultsOf([good]), resultsOf([good]), resultsOf([bad]))
  expect(comparison.requirements.map(({ changes }) => changes)).toEqual([['same', 'broken']])
  expect(comparison.lost).toEqual(['add-workspace/creates'])
  expect(comparisonSentence(comparison, true)).toBe(
    'Of 3 targets 1 is non-conformant. 1 requirement passed on https://a.example.com and not on every other.',
  )
  expect(violations('comparison', comparison)).toEqual([])
})

it('newFailures lists must and implied checks that fail now and did not before', () => {
  const before = resultsOf([
    checkOf('add-workspace/creates'),
    failedCheck('add-workspace/timestamps', 'old'),
    failedCheck('add-workspace/name-kept', 'old'),
    checkOf('add-workspace/name-kept:other'),
    checkOf('sync-workspace/starts'),
    checkOf('protocol/post-only:add-workspace'),
  ])
  const after = resultsOf([
    failedCheck('add-workspace/creates', 'new'),
    failedCheck('add-workspace/timestamps', 'old'),
    failedCheck('add-workspace/name-kept', 'old'),
    failedCheck('add-workspace/name-kept:other', 'new'),
    openCheck('sync-workspace/starts', 'inconclusive'),
    warnedCheck('protocol/post-only:add-workspace', 'advice'),
  ])
  const sides = [before, after].map((results, at) => ({ file: `${at}.json`, results }))
  const fresh = ['add-workspace/creates', 'add-workspace/name-kept:other']
  expect(newFailures(compareResults(sides))).toEqual({ fresh, intermittent: [] })
  expect(newFailures(compareResults([...sides].reverse()))).toEqual({ fresh: [], intermittent: [] })
  const [first, second] = sides as [(typeof sides)[0], (typeof sides)[0]]
  expect(newFailures(compareResults([first, second, second]))).toEqual({ fresh, intermittent: [] })
  // Only one of two later runs fails.
  expect(newFailures(compareResults([first, first, second]))).toEqual({ fresh: [], intermittent: fresh })
})

it('compareResults notes what makes results less comparable', () => {
  const plain = resultsOf([checkOf('add-workspace/creates')])
  const { complete: _, run, target, ...others } = plain
  const selection = { operations: ['add-workspace'], requirements: [] } as const
  const other: Results = {
    ...others,
    suite: { version: '0.2.0' },
    run: { ...run, seed: 43, runs: 100, selection, traffic: {} as never },
    target: { ...target, version: '10.6', edition: 'hosted', profile: 'p' },
    errors: ['broke'],
  }
  const notesBetween = (...several: Results[]): readonly string[] =>
    compareResults(several.map((results, at) => ({ file: `${at}.json`, results }))).notes
  expect(notesBetween(plain, other)).toEqual([
    'Suite releases differ (0.json: 0.1.0; 1.json: 0.2.0): compared by id; ids that only one release has are new or gone.',
    'Seeds differ (0.json: 42; 1.json: 43): the generated requests differ.',
    'Numbers of cases differ (0.json: 25; 1.json: 100): more cases find what fewer cases miss.',
    'Selections differ (0.json: everything; 1.json: add-workspace): the rest was not tested.',
    'Releases differ (0.json: 11.0; 1.json: 10.6): operations may be not applicable.',
    'Editions differ (0.json: self-hosted; 1.json: hosted): operations may be not applicable.',
    'Profiles differ (0.json: none; 1.json: p): open points were settled in other ways.',
    '1.json: the run was cut short, its results are not complete.',
    '1.json: recorded traffic was judged, nothing was sent.',
    '1.json: the run itself had errors.',
  ])
  expect(notesBetween(plain, plain)).toEqual([])
})

it('labels of compared results are their names, the base URLs, or the files of one base URL', () => {
  const results = (baseUrl: string) => resultsOf([], { target: { baseUrl, profile: 'none' } })
  const { sides } = compareResults([
    { file: 'old/x.json', results: results('https://a') },
    { file: 'new/y.json', results: results('https://a') },
    { file: 'z.json', results: results('https://b') },
    { file: 'v.json', name: 'Vienna', results: results('https://c') },
  ])
  expect(sides.map(({ key, label }) => `${key} ${label}`)).toEqual([
    'A old/x.json',
    'B new/y.json',
    'C https://b',
    'D Vienna',
  ])
})

describe('open points in a comparison', () => {
  const having = (...observations: Observation[]) => resultsOf([], { observations })
  const kept = having(observationOf('kept'))

  it.each<[string, Results, Results, unknown[]]>([
    [
      'differ if the answers differ',
      kept,
      having(observationOf('removed')),
      [['add-workspace', [['kept'], ['removed']], 'different']],
    ],
    [
      'are the same if the answers differ only in order',
      having(observationOf('a', { operation: 'protocol' }), observationOf('b', { operation: 'protocol' })),
      having(observationOf('b', { operation: 'protocol' }), observationOf('a', { operation: 'protocol' })),
      [['protocol', Array(2).fill(['a', 'b']), 'same']],
    ],
    [
      'are partly answered if each side answers for another operation',
      kept,
      having(observationOf('removed', { operation: 'sync-workspace' })),
      [
        ['add-workspace', [['kept'], []], 'partly'],
        ['sync-workspace', [[], ['removed']], 'partly'],
      ],
    ],
  ])('%s', (_, one, other, expected) => {
    const { openPoints } = compared(one, other)
    expect(
      openPoints.map(({ operation, observed, difference }) => [operation, observed, difference]),
    ).toEqual(expected)
  })

  it('do not differ because of a side that could not be judged', () => {
    const sides = [{ results: having(), judged: false as const }, { results: kept }, { results: kept }]
    const { openPoints } = compareResults(sides.map((side, at) => ({ file: `${at}.json`, ...side })))
    expect(openPoints.map(({ difference }) => difference)).toEqual(['same'])
  })
})
