import { describe, expect, test } from 'vitest'
import type { CheckResult } from '../../runner/check-result.ts'
import { isGating, type Outcome, outcomes } from '../../specs/outcomes.ts'
import { requirements as catalogue } from '../../specs/requirements.ts'
import { compared, comparisons } from '../rendering.fixture.ts'
import { checkOf, failedCheck, observationOf, openCheck, resultsOf } from '../results.fixture.ts'
import { outcomeWords } from '../wording.ts'
import { compareResults } from './compare.ts'

const ways = Object.entries(comparisons).flatMap(([name, render]) =>
  [false, true].map((asMatrix) => ({ name, asMatrix, render })),
)

const without = { 'not-tested': 1, inconclusive: 1, 'not-applicable': 1 }

/** One requirement per outcome, to compare with a run in which all of them passed. */
const everyOutcome = outcomes.map((outcome, at): CheckResult => {
  const { id } = catalogue[at]!
  return outcome === 'failed'
    ? failedCheck(id, `finding of ${id}`)
    : checkOf(id, { outcome, ...(outcome in without ? { reason: `reason of ${id}` } : {}) })
})
const allPassed = everyOutcome.map(({ id }) => checkOf(id))

test.each(ways)(
  'comparison ($name, matrix: $asMatrix) lists each changed requirement with sign and word of its outcome',
  ({ render, asMatrix }) => {
    const text = render(compared(resultsOf(allPassed), resultsOf(everyOutcome)), asMatrix)
    for (const { id, outcome } of everyOutcome.filter((each) => each.outcome !== 'passed')) {
      const { sign, word } = outcomeWords[outcome]
      expect(text).toContain(id)
      expect(text).toContain(`${sign} ${word}`)
    }
    expect(text).toContain('5 requirements passed ')
  },
)

test.each(ways)(
  'comparison ($name, matrix: $asMatrix) lists only the open points that differ',
  ({ render, asMatrix }) => {
    const observing = (observed: string) =>
      resultsOf([checkOf('add-workspace/creates')], {
        observations: [
          observationOf(observed),
          observationOf('allowed', { id: 'equal-names', question: 'Equal names?' }),
        ],
      })
    const text = render(compared(observing('kept'), observing('removed')), asMatrix)
    expect(text).toContain('Is markup filtered?')
    expect(text).toMatch(/kept[\s\S]*removed/)
    expect(text).not.toContain('Equal names?')
    expect(render(compared(observing('kept'), observing('kept')), asMatrix)).not.toContain(
      'open point of the contract',
    )
  },
)

test.each([40, 60, 80, 114, 120, 200])(
  'comparison on a terminal of %i columns wraps, and splits no id',
  (width) => {
    const [before, after] = [resultsOf(allPassed), resultsOf(everyOutcome)]
    for (const asMatrix of [true, false]) {
      const lines = comparisons.terminal(compared(before, after, before), asMatrix, width).split('\n')
      expect(lines.filter((line) => [...line].length > width)).toEqual([])
    }
    const text = comparisons.terminal(compared(before, after), false, width)
    expect(text).not.toMatch(/^ *[,;]/m)
    for (const word of [before.run.startedAt, before.run.id]) expect(text).toContain(word)
  },
)

test('the terminal reports a shared reason of many changes once', () => {
  const down = { outcome: 'inconclusive' as Outcome, reason: 'the target did not answer' }
  const many = catalogue.slice(0, 60).map(({ id }) => id)
  const comparison = compared(
    resultsOf(many.map((id) => checkOf(id))),
    resultsOf(many.map((id) => checkOf(id, down))),
  )
  const text = comparisons.terminal(comparison, false)
  expect(text.match(/the target did not answer/g)).toHaveLength(1)
  expect(text).toContain('and 48 more')
})

test('only checks that failed are broken, and checks that only one run has share a line', () => {
  const ways = (['first', 'expired', 'replayed'] as const).map(
    (way) => `add-workspace/refuses-anonymous:${way}` as const,
  )
  const open = openCheck('add-workspace/refuses-anonymous', 'inconclusive', 'no answer')
  const cut = ways.map((id) => openCheck(id, 'not-tested', 'interrupted'))
  const whole = resultsOf([open, ...ways.map((id) => checkOf(id))])
  const quick = resultsOf([open], { run: { ...whole.run, runs: 0 } })
  const cutShort = comparisons.terminal(compared(whole, resultsOf([open, ...cut])), false)
  expect(cutShort).toMatch(
    new RegExp(`\\? lost ${ways.join(',\\s+')}\n +✓ passed → – not tested: interrupted`),
  )
  expect(cutShort).not.toContain('broken')
  expect(comparisons.terminal(compared(whole, quick), false)).toMatch(
    new RegExp(`− gone ${ways.join(',\\s+')}\n +✓ passed → − not in this run: fewer cases\n`),
  )
})

test('a reason is beside the outcome that it explains', () => {
  const [failing, passing] = [
    failedCheck('add-workspace/creates', 'was refused'),
    checkOf('add-workspace/creates'),
  ]
  const between = (...several: CheckResult[]) =>
    comparisons.terminal(compared(...several.map((check) => resultsOf([check]))), false)
  expect(between(failing, passing)).toContain('✗ failed: was refused → ✓ passed\n')
  expect(between(passing, failing)).toContain('✓ passed → ✗ failed: was refused\n')
  expect(between(failing, failing)).toContain('✗ failed → ✗ failed: was refused\n')
})

test('several runs of one target are results, not targets', () => {
  const passing = resultsOf([checkOf('add-workspace/creates')])
  const text = comparisons.terminal(compared(passing, passing, passing), true)
  expect(text).toContain('All 3 results are conformant.')
  expect(text).not.toContain('target')
})

const ids = catalogue.filter(({ level }) => isGating(level)).map(({ id }) => id)

const conformant = resultsOf(ids.map((id) => checkOf(id)))
const unjudged = resultsOf(ids.map((id) => checkOf(id, { outcome: 'not-tested', reason: 'not judged' })))
const failing = (at: number) =>
  resultsOf(ids.map((id, of) => (of === at ? failedCheck(id, `finding of ${id}`) : checkOf(id))))

/** Every 25th target fails another requirement, and one was not judged. */
const fleet = compareResults(
  Array.from({ length: 300 }, (_, at) => ({
    file: `fleet/region-${at}/results.json`,
    name: `region-${at}`,
    ...(at === 7 ? { judged: false as const } : {}),
    results: at === 7 ? unjudged : at % 25 === 0 ? failing(at / 25) : conformant,
  })),
)

describe('comparison of 300 targets', () => {
  test('fits 60 terminal lines, with names, verdicts and targets that were not judged', () => {
    const text = comparisons.terminal(fleet, true)
    expect(text.trimEnd().split('\n').length).toBeLessThanOrEqual(60)
    expect(text).toMatch(/1 not judged: +region-7\n/)
    expect(text).toMatch(/12 non-conformant: +region-0, region-25, region-50, /)
    expect(text.replace(/\s+/g, ' ')).toMatch(/287 conformant: region-1, .* and 275 more/)
    expect(text).toContain('Requirements that differ (12)')
    expect(text).toMatch(/✗ failed: region-0\n +✓ passed: region-1, /)
  })

  test('makes an HTML page below 2 MB in which equal targets share a row', () => {
    const page = comparisons.html(fleet, true)
    expect(Buffer.byteLength(page)).toBeLessThan(2_000_000)
    const heat = page.slice(page.indexOf('id="heat"'), page.indexOf('id="requirements"'))
    expect(heat.match(/<th scope="row">/g)).toHaveLength(4)
    expect(heat).toContain('<summary>287 in all</summary>')
    expect(heat).toContain('region-299')
    expect(heat).toMatch(/region-7<\/th><td class="inconclusive">not judged<\/td>/)
  })
})

test('the Markdown summary of 1,500 targets stays below 1 MiB and says what it leaves out', () => {
  const several = ids.slice(0, 40).map((id) => resultsOf([failedCheck(id, 'x')]))
  const many = compareResults(
    Array.from({ length: 1500 }, (_, at) => ({
      file: `${at}.json`,
      name: `${'a very long name of a target '.repeat(100)}${at}`,
      results: several[at % several.length]!,
    })),
  )
  const text = comparisons.markdown(many, true)
  expect(Buffer.byteLength(text)).toBeLessThan(1024 * 1024)
  expect(text).toContain('Left out, since this summary may have')
})
