import { expect, test } from 'vitest'
import type { CheckResult } from '../runner/check-result.ts'
import { putOffSentence } from './outline.ts'
import { checkOf, failedCheck, resultsOf } from './results.fixture.ts'
import { verdictSentence } from './verdict.ts'

const passed = checkOf('add-workspace/creates')
const failed = failedCheck('add-workspace/refuses-guest', 'a guest was accepted')
const waived: CheckResult = { ...failedCheck('add-workspace/name-kept', 'changed'), outcome: 'waived' }
const open = checkOf('add-workspace/id-is-new', { outcome: 'inconclusive', reason: 'why' })
const untested = checkOf('delete-collaboration/deletes', { outcome: 'not-tested', reason: 'why' })
const advice = checkOf('update-federation/bad-input', { outcome: 'warned', reason: 'why' })
const of = (count: number) => `of ${count} must and implied requirements that apply`

test.each<[CheckResult[], string]>([
  [[passed, advice], `Conformant: 1 ${of(1)} passed.`],
  [[passed, waived], `Conformant: 1 ${of(2)} passed, 1 waived.`],
  [[passed, failed], `Non-conformant: 1 ${of(2)} failed.`],
  [[failed, waived, untested], `Non-conformant: 1 ${of(3)} failed; 1 not tested, 1 waived.`],
  [
    [passed, open, untested, waived],
    `Incomplete: nothing failed and 1 ${of(4)} passed, but 1 inconclusive, 1 not tested, 1 waived.`,
  ],
  [[untested], 'Incomplete: nothing passed, so nothing is proved; 1 not tested.'],
  [[waived], 'Incomplete: nothing passed, so nothing is proved; 1 waived.'],
])('%#', (checks, sentence) => {
  expect(verdictSentence(resultsOf(checks))).toBe(sentence)
})

test('of recorded traffic it says why the exit code is another one', () => {
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

test.each([
  [
    { throttled: 12, unavailable: 0, perSecond: 40.5 },
    'The target throttled 12 requests, and the run retried: 12 with 429. It kept up with about 40.5 requests a second.',
  ],
  [
    { throttled: 1, unavailable: 2 },
    'The target throttled 3 requests, and the run retried: 1 with 429, 2 with 502 to 504 or no connection.',
  ],
  [
    { throttled: 0, unavailable: 1, busy: 3 },
    'The target throttled 4 requests, and the run retried: 1 with 502 to 504 or no connection, 3 as busy (409 or 423).',
  ],
])('says what the target throttled: %o', (putOff, expected) => {
  expect(putOffSentence(putOff)).toBe(expected)
})
