/** Results of runs, one for each way in which a run ends, for the tests of every report. */
import type { CheckResult } from '../runner/check-result.ts'
import { hostileResults } from './hostile.fixture.ts'
import { checkOf, failedCheck, resultsOf } from './results.fixture.ts'
import type { Results } from './results.ts'

const passed = [
  checkOf('add-workspace/creates'),
  checkOf('update-federation/idempotent', { outcome: 'not-applicable', reason: 'since release 11.1' }),
]

const failing = [
  ...passed,
  failedCheck('add-workspace/refuses-guest', 'a guest was accepted'),
  failedCheck('add-workspace/name-limit-accepts:100', 'a valid request was not accepted'),
  checkOf('add-workspace/name-limit-accepts:1'),
  checkOf('update-federation/bad-input', {
    outcome: 'warned',
    reason: 'no error was reported',
    failure: { message: 'no error was reported', expected: ['an error'], actual: 'success', repeat: 'again' },
  }),
]

const open = [
  ...passed,
  checkOf('add-workspace/id-is-new', { outcome: 'inconclusive', reason: 'the control was not accepted' }),
  checkOf('delete-collaboration/deletes', { outcome: 'not-tested', reason: 'no fixture', requests: 0 }),
]

const waived: CheckResult[] = [
  ...passed,
  {
    ...failedCheck('add-workspace/refuses-guest', 'a guest was accepted'),
    outcome: 'waived',
    waiver: {
      reason: 'mended in the next release',
      owner: 'portal team',
      link: 'https://tracker.example.com/1',
      expires: '2026-12-31',
    },
  } as CheckResult,
]

const withoutEnd = (results: Results): Results => {
  const { complete: _, ...others } = results
  return others
}

/** The results, by the way in which the run ended. */
export const occasions: Readonly<Record<string, Results>> = {
  conformant: resultsOf(passed),
  failing: resultsOf(failing),
  incomplete: resultsOf(open),
  interrupted: withoutEnd(
    resultsOf([
      ...failing,
      checkOf('add-workspace/id-is-new', { outcome: 'not-tested', reason: 'interrupted' }),
    ]),
  ),
  broken: resultsOf(open, {
    errors: ['suites/common/limits.suite.ts: TypeError', 'The fixture provider went away.'],
  }),
  waived: resultsOf(waived),
  hostile: hostileResults,
  empty: resultsOf([]),
}
