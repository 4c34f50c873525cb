/** Every document says if the verdict covers only a part of the operations. */
import { expect, test } from 'vitest'
import type { CheckId, CheckResult } from '../runner/check-result.ts'
import type { Comparison } from '../schemas/types/comparison.ts'
import { operationOf } from '../specs/operations.ts'
import { compareResults } from './compare/compare.ts'
import { historyOf, historyOnTerminal } from './compare/history.ts'
import { formatNames, formats } from './document.ts'
import { comparisons, terminal, textOf } from './rendering.fixture.ts'
import { checkOf, failedCheck, openCheck, resultsOf, waivedCheck, wholeResults } from './results.fixture.ts'
import type { Results } from './results.ts'
import { badgeOf, statement } from './statement/statement.ts'
import { plain } from './terminal/sheet.ts'
import { verdictSentence, verdictWords } from './verdict.ts'

const notApplicable = (['reassign-items', 'update-task-run'] as const).flatMap((id) =>
  operationOf(id).requirements.map((each) =>
    openCheck(each.id as CheckId, 'not-applicable', `"${id}" appeared in a later release`),
  ),
)

const older = { ...wholeResults().target, version: '10.7' }
const hosted = { baseUrl: older.baseUrl, edition: 'hosted', profile: 'none' }
const part = wholeResults(notApplicable, { target: older })
const lack = 'release 10.7 has no reassign-items and no update-task-run'

const partial = (check: CheckResult, target: Results['target'] = older): Results =>
  resultsOf([checkOf('add-workspace/creates'), ...notApplicable, check], { target })

test.each<[string, Results, string]>([
  ['conformant for 5 of 7 operations', part, `Conformant for 5 of 7 operations: ${lack}. `],
  [
    'conformant for 5 of 7 operations',
    { ...part, target: hosted },
    'Conformant for 5 of 7 operations: the hosted edition has no reassign-items and no update-task-run. ',
  ],
  [
    'non-conformant, 5 of 7 operations judged',
    partial(failedCheck('add-workspace/name-kept', 'changed')),
    `Non-conformant: 1 of 2 must and implied requirements that apply failed. 5 of 7 operations were judged: ${lack}.`,
  ],
  [
    'incomplete, 5 of 7 operations judged',
    partial(openCheck('add-workspace/name-kept', 'not-tested')),
    `Incomplete: nothing failed and 1 of 2 must and implied requirements that apply passed, but 1 not tested. 5 of 7 operations were judged: ${lack}.`,
  ],
  // The operations are not applicable for another reason than the release.
  ['conformant', wholeResults(notApplicable), 'Conformant: '],
  ['conformant', wholeResults(), 'Conformant: '],
])('verdict %#: "%s"', (words, results, beginning) => {
  expect(verdictWords(results)).toBe(words)
  expect(verdictSentence(results).startsWith(beginning)).toBe(true)
})

const inputs = [part, wholeResults()].map((results, at) => ({ file: `${at}.json`, results }))
const comparison = compareResults(inputs)
const many = Array.from({ length: 12 }, (_, at) => ({
  file: `${at}.json`,
  results: at < 3 ? part : wholeResults(),
}))
const fleet = compareResults(many)
const history = historyOf(inputs)
const wide = (compared: Comparison, asMatrix: boolean) => comparisons.terminal(compared, asMatrix, 400)

test.each<[string, () => string | Promise<string>]>([
  ['terminal', () => terminal(part, { width: 400 })],
  ...formatNames.map((name): [string, () => Promise<string>] => [
    name,
    async () => textOf((await formats[name].load())(part)),
  ]),
  ['statement', () => textOf(statement(part, { command: 'run', files: [] }))],
  ['comparison on a terminal', () => wide(comparison, false)],
  ['comparison in Markdown', () => comparisons.markdown(comparison, false)],
  ['comparison in HTML', () => comparisons.html(comparison, false)],
  ['comparison in JSON', () => JSON.stringify(comparison)],
])('%s: says how many operations were judged, and why the others were not', async (_, render) => {
  const text = await render()
  // A page begins its sentences with a capital letter.
  expect(text.toLowerCase()).toContain(lack)
  expect(text).toMatch(/\b5 of 7 operations\b|"judged":5,"of":7/)
})

test.each<[string, string]>([
  ['badge', badgeOf(part).message],
  ['fleet on a terminal', wide(fleet, true)],
  ['history on a terminal', historyOnTerminal(history, { width: 400, paint: plain })],
])('%s: says how many operations were judged', (_, text) => {
  expect(text).toContain('conformant for 5 of 7 operations')
})

test('several results are conformant without restriction only if all targets have all operations', () => {
  const partly = '3 of them for a part of the operations only.'
  expect(wide(fleet, true)).toContain(`All 12 results are conformant, ${partly}`)
  expect(wide(compareResults(many.slice(3)), true)).not.toContain('operations only')
  expect(badgeOf(part).color).toBe('green')
})

const passed = checkOf('add-workspace/creates')
const failed = failedCheck('add-workspace/refuses-guest', 'a guest was accepted')
const waived = waivedCheck('add-workspace/name-kept')
const open = openCheck('add-workspace/id-is-new', 'inconclusive')
const untested = openCheck('delete-collaboration/deletes', 'not-tested')
const advice = openCheck('update-federation/bad-input', 'warned')
const of = (count: number) => `of ${count} must and implied requirements that apply`

test.each<[string, CheckResult[]]>([
  [`Conformant: 1 ${of(1)} passed.`, [passed, advice]],
  [`Conformant: 1 ${of(2)} passed, 1 waived.`, [passed, waived]],
  [`Non-conformant: 1 ${of(2)} failed.`, [passed, failed]],
  [`Non-conformant: 1 ${of(3)} failed; 1 not tested, 1 waived.`, [failed, waived, untested]],
  [
    `Incomplete: nothing failed and 1 ${of(4)} passed, but 1 inconclusive, 1 not tested, 1 waived.`,
    [passed, open, untested, waived],
  ],
  ['Incomplete: nothing passed, so nothing is proved; 1 not tested.', [untested]],
  ['Incomplete: nothing passed, so nothing is proved; 1 waived.', [waived]],
])('verdictSentence: %s', (sentence, checks) => {
  expect(verdictSentence(resultsOf(checks))).toBe(sentence)
})

test('verdictSentence asks to check the base URL if no answer came from a portal', () => {
  expect(verdictSentence(resultsOf([open, untested]))).toMatch(
    /nothing is proved; 1 inconclusive, 1 not tested\. No answer came from a portal.*check the base URL/,
  )
  expect(verdictSentence(resultsOf([passed, open]))).not.toContain('check the base URL')
  const results = resultsOf([open])
  const unsent = verdictSentence({ ...results, run: { ...results.run, requests: 0 } })
  expect(unsent).toMatch(/ 1 inconclusive\. No request was sent: no fixture could be had\. The reasons above/)
  expect(unsent).not.toContain('check the base URL')
})

test('verdictSentence explains exit code 1 by findings about clients in recorded traffic', () => {
  const results = resultsOf([passed, untested])
  const withClients = (...levels: ('finding' | 'note')[]) => {
    const client = levels.map((level) => ({ level }))
    return verdictSentence({ ...results, run: { ...results.run, traffic: { client } } } as never)
  }
  expect(withClients('note')).toMatch(/1 not tested\.$/)
  expect(withClients('finding', 'note')).toMatch(
    /1 not tested\. 1 finding about clients makes the exit code 1\.$/,
  )
  expect(withClients('finding', 'finding')).toMatch(/ 2 findings about clients make the exit code 1\.$/)
})
