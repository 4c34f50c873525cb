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
  ['in which all passed', wholeResults(), 'conformant', 'brightgreen'],
  ['with a failure', wholeResults([failed]), 'non-conformant', 'red'],
  [
    'with a failure and a selection',
    wholeResults([failed], { run: { ...run, selection } }),
    'non-conformant',
    'red',
  ],
  ['with an inconclusive requirement', wholeResults([open]), 'incomplete', 'orange'],
  ['with a waived failure', wholeResults([waived]), 'conformant (waived 1)', 'yellow'],
  [
    'with a waived failure and an untested requirement',
    wholeResults([waived, openCheck('add-workspace/timestamps', 'not-tested')]),
    'incomplete',
    'orange',
  ],
  ['with a selection', wholeResults([], { run: { ...run, selection } }), 'incomplete (filtered)', 'orange'],
  ['that was cut short', cutShort, 'incomplete (run cut short)', 'orange'],
  ['with errors of the run', wholeResults([], { errors: ['x'] }), 'incomplete (run broken)', 'orange'],
])('badge of a run %s', (_name, results, message, color) => {
  const badge = { label: 'portal-conformance', message, color }
  expect(badgeOf(results)).toEqual(badge)
  expect(JSON.parse(badgeEndpoint(badge))).toEqual({ schemaVersion: 1, ...badge })
})

test('badgeSvg is valid SVG with the message', () => {
  const svg = badgeSvg(badgeOf(wholeResults([waived])))
  expect(XMLValidator.validate(svg)).toBe(true)
  expect(svg).toMatch(/^<svg [\s\S]*portal-conformance: conformant \(waived 1\)[\s\S]*<\/svg>\n$/)
})
