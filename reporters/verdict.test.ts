/** A verdict on a part of the operations says so, in every document. */
import { expect, test } from 'vitest'
import type { CheckId, CheckResult } from '../runner/check-result.ts'
import { operationOf } from '../specs/operations.ts'
import { compareResults } from './compare/compare.ts'
import { comparisonHtml, comparisonMarkdown, comparisonOnTerminal } from './compare/document.ts'
import { historyHtml, historyMarkdown, historyOf, historyOnTerminal } from './compare/history.ts'
import { formatNames, formats } from './formats.ts'
import { checkOf, failedCheck, openCheck, resultsOf, wholeResults } from './results.fixture.ts'
import type { Results } from './results.ts'
import { badgeOf } from './statement/badge.ts'
import { statement } from './statement/statement.ts'
import { terminalReport } from './terminal/report.ts'
import { plain } from './terminal/sheet.ts'
import { verdictInWords, verdictSentence, verdictWords } from './verdict.ts'

const notHere = (['reassign-items', 'update-task-run'] as const).flatMap((id) =>
  operationOf(id).requirements.map((each) =>
    openCheck(each.id as CheckId, 'not-applicable', `"${id}" appeared in a later release`),
  ),
)

const older = { ...wholeResults().target, version: '10.7' }
const hosted = { baseUrl: older.baseUrl, edition: 'hosted', profile: 'none' }
const part = wholeResults(notHere, { target: older })
const lack = 'release 10.7 has no reassign-items and no update-task-run'

const partial = (check: CheckResult, target: Results['target'] = older): Results =>
  resultsOf([checkOf('add-workspace/creates'), ...notHere, check], { target })

test.each<[Results, string, string]>([
  [part, 'conformant for 5 of 7 operations', `Conformant for 5 of 7 operations: ${lack}. `],
  [
    { ...part, target: hosted },
    'conformant for 5 of 7 operations',
    'Conformant for 5 of 7 operations: the hosted edition has no reassign-items and no update-task-run. ',
  ],
  [
    partial(failedCheck('add-workspace/name-kept', 'changed')),
    'non-conformant, 5 of 7 operations judged',
    `Non-conformant: 1 of 2 must and implied requirements that apply failed. 5 of 7 operations were judged: ${lack}.`,
  ],
  [
    partial(openCheck('add-workspace/name-kept', 'not-tested')),
    'incomplete, 5 of 7 operations judged',
    `Incomplete: nothing failed and 1 of 2 must and implied requirements that apply passed, but 1 not tested. 5 of 7 operations were judged: ${lack}.`,
  ],
  // What is not applicable for another reason is no matter of the release.
  [wholeResults(notHere), 'conformant', 'Conformant: '],
  [wholeResults(), 'conformant', 'Conformant: '],
])('%#', (results, words, beginning) => {
  expect(verdictWords(results)).toBe(words)
  const sentence = verdictSentence(results)
  expect(sentence.startsWith(beginning)).toBe(true)
  const { word, grounds } = verdictInWords(results)
  expect(`${word}: ${grounds}`).toBe(sentence)
})

const page = { width: 400, paint: plain }
const inputs = [part, wholeResults()].map((results, at) => ({ file: `${at}.json`, results }))
const comparison = compareResults(inputs)
const many = Array.from({ length: 12 }, (_, at) => ({
  file: `${at}.json`,
  results: at < 3 ? part : wholeResults(),
}))
const fleet = compareResults(many)
const history = historyOf(inputs)
const lines = (pieces: Iterable<string>): string => [...pieces].join('')

test.each<[string, () => string | Promise<string>]>([
  ['terminal', () => terminalReport(part, page)],
  ...formatNames.map((name): [string, () => Promise<string>] => [
    name,
    async () => lines((await formats[name].load())(part)),
  ]),
  ['statement', () => lines(statement(part, { command: 'run', files: [] }))],
  ['comparison on a terminal', () => comparisonOnTerminal(comparison, { ...page, asMatrix: false })],
  ['comparison in Markdown', () => lines(comparisonMarkdown(comparison, false))],
  ['comparison in HTML', () => lines(comparisonHtml(comparison, false))],
  ['comparison in JSON', () => JSON.stringify(comparison)],
])('%s: which operations, and why not the others', async (_, render) => {
  const text = await render()
  // A page begins its sentences with a capital letter.
  expect(text.toLowerCase()).toContain(lack)
  expect(text).toMatch(/\b5 of 7 operations\b|"judged":5,"of":7/)
})

test.each<[string, () => string]>([
  ['badge', () => badgeOf(part).message],
  ['fleet on a terminal', () => comparisonOnTerminal(fleet, { ...page, asMatrix: true })],
  ['fleet in Markdown', () => lines(comparisonMarkdown(fleet, true))],
  ['fleet in HTML', () => lines(comparisonHtml(fleet, true))],
  ['history on a terminal', () => historyOnTerminal(history, page)],
  ['history in Markdown', () => lines(historyMarkdown(history))],
  ['history in HTML', () => lines(historyHtml(history))],
])('%s: how many operations', (_, render) => {
  expect(render()).toContain('conformant for 5 of 7 operations')
})

test('a fleet in which some lack operations is not simply conformant', () => {
  expect(comparisonOnTerminal(fleet, { ...page, asMatrix: true })).toContain(
    'All 12 targets are conformant, 3 of them for a part of the operations only.',
  )
})

test('what covers all does not say', () => {
  const whole = compareResults(many.slice(3))
  expect(badgeOf(wholeResults())).toMatchObject({ message: 'conformant', color: 'brightgreen' })
  expect(badgeOf(part).color).toBe('green')
  expect(comparisonOnTerminal(whole, { ...page, asMatrix: true })).not.toContain('operations only')
})
