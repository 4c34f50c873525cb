/** Comparisons of hundreds of targets, as a reader opens them. */
import { describe, expect, it } from 'vitest'
import type { CheckResult } from '../../runner/check-result.ts'
import { isGating } from '../../specs/outcomes.ts'
import { requirements } from '../../specs/requirements.ts'
import { checkOf, failedCheck, resultsOf } from '../results.fixture.ts'
import { plain } from '../terminal/sheet.ts'
import { compareResults } from './compare.ts'
import { comparisonHtml, comparisonMarkdown, comparisonOnTerminal } from './document.ts'

const ids = requirements.filter(({ level }) => isGating(level)).map(({ id }) => id)

/** Most targets are conformant, every 25th fails something of its own, and some answer an open point otherwise. */
function target(at: number): CheckResult[] {
  return ids.map((id, of) =>
    at % 25 === 0 && of === (at / 25) % ids.length ? failedCheck(id, `finding of ${id}`) : checkOf(id),
  )
}

const fleet = compareResults(
  Array.from({ length: 300 }, (_, at) => ({
    file: `fleet/region-${at}/results.json`,
    name: `region-${at}`,
    ...(at === 7 ? { judged: false as const } : {}),
    results: resultsOf(
      at === 7
        ? ids.map((id) => checkOf(id, { outcome: 'not-tested', reason: 'the target was not judged' }))
        : target(at),
      {
        observations: [
          {
            id: 'markup',
            operation: 'add-workspace',
            question: 'Is markup filtered?',
            observed: `way ${at % 5}`,
          },
        ],
      },
    ),
  })),
)

describe('300 targets', () => {
  it('take at most 40 lines of a terminal, by name, with what could not be judged', () => {
    for (const width of [80, 100, 160]) {
      const text = comparisonOnTerminal(fleet, { width, paint: plain, asMatrix: true })
      expect(text.trimEnd().split('\n').length).toBeLessThanOrEqual(width < 100 ? 48 : 40)
      expect(text).toMatch(/1 not judged: +region-7/)
      expect(text.replace(/\s+/g, ' ')).toContain(
        '12 non-conformant: region-0, region-25, region-50, region-75, region-100 and 7 more',
      )
      expect(text).toMatch(/287 conformant: /)
      expect(text).toContain('Requirements that differ (12)')
    }
  })

  it('make a page of less than 2 MB that shows what differs and folds the rest', () => {
    const page = [...comparisonHtml(fleet, true)].join('')
    expect(Buffer.byteLength(page)).toBeLessThan(2_000_000)
    expect(page).toContain('<summary>287 targets with the same outcomes</summary>')
    const heat = page.slice(page.indexOf('id="heat"'), page.indexOf('287 targets with the same outcomes'))
    expect(heat.match(/<th scope="row">/g)).toHaveLength(13)
    expect(heat).toContain('region-7 <small>not judged</small>')
  })

  it('make a summary that GitHub takes, with what matters first', () => {
    const text = [...comparisonMarkdown(fleet, true)].join('')
    expect(Buffer.byteLength(text)).toBeLessThan(1024 * 1024)
    expect(text.indexOf('region-7')).toBeLessThan(text.indexOf('## Requirements that differ'))
    expect(text).toContain('<summary>287 targets with the same outcomes</summary>')
  })
})

it('a summary of very many targets stays within what GitHub takes, and says what it leaves out', () => {
  const many = compareResults(
    Array.from({ length: 1500 }, (_, at) => ({
      file: `${at}.json`,
      name: `${'a very long name of a target '.repeat(100)}${at}`,
      results: resultsOf([
        at % 2 === 0 ? checkOf('add-workspace/creates') : failedCheck('add-workspace/creates', 'x'),
      ]),
    })),
  )
  const text = [...comparisonMarkdown(many, true)].join('')
  expect(Buffer.byteLength(text)).toBeLessThan(1024 * 1024)
  expect(text).toContain('Left out, since this summary may have')
})
