import { describe, expect, it } from 'vitest'
import type { CheckId, CheckResult } from '../../runner/check-result.ts'
import { violations } from '../../schemas/validators.ts'
import { checkOf, failedCheck, resultsOf } from '../results.fixture.ts'
import type { Results } from '../results.ts'
import { compareResults, newFailures } from './compare.ts'
import { comparisonSentence } from './comparison.ts'

const untested = (id: CheckId): CheckResult => checkOf(id, { outcome: 'not-tested', reason: 'not selected' })

/** Results as files a.json, b.json and on, each at a deployment of its own. */
function compared(...several: readonly Results[]) {
  const letters = 'abcdefgh'
  return compareResults(
    several.map((results, at) => ({
      file: `runs/${letters[at]}.json`,
      results: { ...results, target: { ...results.target, baseUrl: `https://${letters[at]}.example.com` } },
    })),
  )
}

const changesOf = ({ requirements }: ReturnType<typeof compared>) =>
  Object.fromEntries(requirements.map(({ id, changes }) => [id, changes]))

describe('two results', () => {
  const before = resultsOf([
    checkOf('add-workspace/creates'),
    checkOf('add-workspace/id-is-new'),
    failedCheck('add-workspace/name-kept', 'shortened'),
    failedCheck('add-workspace/timestamps', 'in seconds'),
    checkOf('sync-workspace/starts'),
  ])
  const after = resultsOf([
    failedCheck('add-workspace/creates', 'no id'),
    untested('add-workspace/id-is-new'),
    checkOf('add-workspace/name-kept'),
    failedCheck('add-workspace/timestamps', 'in seconds'),
    checkOf('delete-collaboration/deletes'),
  ])
  const comparison = compared(before, after)

  it('are compared by id, each change in its class', () => {
    expect(changesOf(comparison)).toEqual({
      'add-workspace/creates': ['broken'],
      'add-workspace/id-is-new': ['lost'],
      'add-workspace/name-kept': ['fixed'],
      'add-workspace/timestamps': ['still-failing'],
      'sync-workspace/starts': ['gone'],
      'delete-collaboration/deletes': ['new'],
    })
    expect(comparison.counts).toEqual([
      { broken: 1, lost: 1, gone: 1, fixed: 1, 'still-failing': 1, changed: 0, new: 1, same: 0 },
    ])
  })

  it('name all that passed and does not pass now', () => {
    expect(comparison.lost).toEqual([
      'add-workspace/creates',
      'add-workspace/id-is-new',
      'sync-workspace/starts',
    ])
    expect(comparisonSentence(comparison)).toBe(
      '3 requirements passed on A and not on B; no open point differs.',
    )
    const [first, second] = comparison.sides
    const later = { ...second, target: first?.target }
    expect(comparisonSentence({ ...comparison, sides: [first, later] as never })).toBe(
      '3 requirements passed before and do not pass now; no open point differs.',
    )
  })

  it('say why, with the finding before the reason', () => {
    const reasons = Object.fromEntries(comparison.requirements.map((each) => [each.id, each.reasons]))
    expect(reasons['add-workspace/creates']).toEqual(['', 'no id'])
    expect(reasons['add-workspace/id-is-new']).toEqual(['', 'not selected'])
    expect(reasons['sync-workspace/starts']).toEqual(['', ''])
  })

  it('are as the published schema says', () => {
    expect(violations('comparison', comparison)).toEqual([])
  })

  it('have lost nothing where they are the same', () => {
    const same = compared(before, before)
    expect(same.lost).toEqual([])
    expect(comparisonSentence(same)).toBe(
      'Nothing that passed is lost: no requirement changed, no open point differs.',
    )
  })
})

describe('checks beneath a requirement', () => {
  const [one, other]: CheckId[] = ['protocol/form-post:add-workspace', 'protocol/form-post:sync-workspace']
  const beneath = (before: CheckResult[], after: CheckResult[]) => {
    const { requirements, lost } = compared(resultsOf(before), resultsOf(after))
    return {
      checks: requirements.flatMap(({ checks }) => checks.map(({ id, changes }) => [id, ...changes])),
      lost,
    }
  }
  const notApplicable = checkOf(other!, { outcome: 'not-applicable', reason: 'not in this release' })

  it.each<[string, CheckResult[], CheckResult[], { checks: string[][]; lost: string[] }]>([
    [
      'an earlier failure does not cover a new one',
      [failedCheck(one!, 'x'), checkOf(other!)],
      [failedCheck(one!, 'x'), failedCheck(other!, 'y')],
      { checks: [[other!, 'broken']], lost: [other!] },
    ],
    [
      'nor does it where the outcome of the requirement changes',
      [failedCheck(one!, 'x'), checkOf(other!)],
      [checkOf(one!), checkOf(other!, { outcome: 'inconclusive', reason: 'control refused' })],
      { checks: [[other!, 'lost']], lost: [other!] },
    ],
    [
      'a pass that is not applicable any more is lost although the others still pass',
      [checkOf(one!), checkOf(other!)],
      [checkOf(one!), notApplicable],
      { checks: [[other!, 'lost']], lost: [other!] },
    ],
    [
      'a check that another release does without is shown, and not lost',
      [checkOf(one!), checkOf(other!)],
      [checkOf(one!)],
      { checks: [[other!, 'gone']], lost: [] },
    ],
    [
      'what explains the change of the requirement is not reported twice',
      [checkOf(one!), checkOf(other!)],
      [checkOf(one!), failedCheck(other!, 'y')],
      { checks: [], lost: ['protocol/form-post'] },
    ],
  ])('%s', (_, before, after, expected) => {
    expect(beneath(before, after)).toEqual(expected)
  })

  it('a second entry of one id does not hide the worse one', () => {
    const [good, bad] = [
      resultsOf([checkOf('add-workspace/creates')]),
      resultsOf([failedCheck('add-workspace/creates', 'x')]),
    ]
    for (const requirements of [
      [...bad.requirements, ...good.requirements],
      [...good.requirements, ...bad.requirements],
    ]) {
      expect(compared(good, { ...good, requirements }).lost).toEqual(['add-workspace/creates'])
    }
  })
})

describe('several results', () => {
  it('are each compared with the first', () => {
    const [good, bad] = [checkOf('add-workspace/creates'), failedCheck('add-workspace/creates', 'x')]
    const comparison = compared(resultsOf([good]), resultsOf([good]), resultsOf([bad]))
    expect(changesOf(comparison)).toEqual({ 'add-workspace/creates': ['same', 'broken'] })
    expect(comparison.lost).toEqual(['add-workspace/creates'])
    expect(comparisonSentence(comparison)).toMatch(/^1 requirement passed on A and not on every other;/)
    expect(violations('comparison', comparison)).toEqual([])
  })
})

it('new failures are what fails now and did not before, whatever else was lost', () => {
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
    checkOf('sync-workspace/starts', { outcome: 'inconclusive', reason: 'timing' }),
    { ...failedCheck('protocol/post-only:add-workspace', 'advice'), outcome: 'warned' },
  ])
  const sides = [before, after].map((results, at) => ({ file: `${at}.json`, results }))
  const fresh = ['add-workspace/creates', 'add-workspace/name-kept:other']
  expect(newFailures(compareResults(sides))).toEqual({ fresh, intermittent: [] })
  expect(newFailures(compareResults([...sides].reverse()))).toEqual({ fresh: [], intermittent: [] })
  const [first, second] = sides as [(typeof sides)[0], (typeof sides)[0]]
  expect(newFailures(compareResults([first, second, second]))).toEqual({ fresh, intermittent: [] })
  // Of two later runs of one target only one fails.
  expect(newFailures(compareResults([first, first, second]))).toEqual({ fresh: [], intermittent: fresh })
})
