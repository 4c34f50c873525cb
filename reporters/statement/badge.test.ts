import { XMLValidator } from 'fast-xml-parser'
import { expect, test } from 'vitest'
import { failedCheck, openCheck, waivedCheck, wholeResults } from '../results.fixture.ts'
import type { Results } from '../results.ts'
import { badgeEndpoint, badgeOf, badgeSvg } from './bundle.ts'

const selection = { operations: ['add-workspace'], requirements: [] }
const { run } = wholeResults()
const { complete: _, ...cutShort } = wholeResults()
const waived = waivedCheck('add-workspace/creates')
const failed = failedCheck('add-workspace/creates', 'x')
const open = openCheck('add-workspace/creates', 'inconclusive')

test.each<[string, Results, string, string]>([
  ['whole', wholeResults(), 'conformant', 'brightgreen'],
  ['failed', wholeResults([failed]), 'non-conformant', 'red'],
  ['failed in a part', wholeResults([failed], { run: { ...run, selection } }), 'non-conformant', 'red'],
  ['open', wholeResults([open]), 'incomplete', 'orange'],
  ['waived', wholeResults([waived]), 'conformant (waived 1)', 'yellow'],
  [
    'advice waived',
    wholeResults([waivedCheck('update-participant/bad-email')]),
    'conformant (waived 1)',
    'yellow',
  ],
  [
    'waived and open',
    wholeResults([waived, openCheck('add-workspace/timestamps', 'not-tested')]),
    'incomplete',
    'orange',
  ],
  ['filtered', wholeResults([], { run: { ...run, selection } }), 'incomplete (filtered)', 'orange'],
  ['cut short', cutShort, 'incomplete (run cut short)', 'orange'],
  ['broken', wholeResults([], { errors: ['x'] }), 'incomplete (run broken)', 'orange'],
])('%s', (_name, results, message, color) => {
  const badge = { label: 'portal-conformance', message, color }
  expect(badgeOf(results)).toEqual(badge)
  expect(JSON.parse(badgeEndpoint(badge))).toEqual({ schemaVersion: 1, ...badge })
})

test('the picture is SVG that shows the words', () => {
  const svg = badgeSvg(badgeOf(wholeResults([waived])))
  expect(XMLValidator.validate(svg)).toBe(true)
  expect(svg).toMatch(/^<svg [\s\S]*portal-conformance: conformant \(waived 1\)[\s\S]*<\/svg>\n$/)
})
