/** Results of runs, one for each way in which a run ends, for the tests of every report. */
import { hostileResults } from './hostile.fixture.ts'
import { checkOf, failedCheck, openCheck, resultsOf, waivedCheck, warnedCheck } from './results.fixture.ts'
import type { Results } from './results.ts'

const passed = [
  checkOf('add-workspace/creates'),
  openCheck('update-federation/idempotent', 'not-applicable', 'since release 11.1'),
]

const failing = [
  ...passed,
  failedCheck('add-workspace/refuses-guest', 'a guest was accepted'),
  failedCheck('add-workspace/name-limit-accepts:100', 'a valid request was not accepted'),
  checkOf('add-workspace/name-limit-accepts:1'),
  warnedCheck('update-federation/bad-input', 'no error was reported'),
]

const open = [
  ...passed,
  openCheck('add-workspace/id-is-new', 'inconclusive', 'the control was not accepted'),
  openCheck('delete-collaboration/deletes', 'not-tested', 'no fixture'),
]

const waived = [...passed, waivedCheck('add-workspace/refuses-guest', 'a guest was accepted')]

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
    resultsOf([...failing, openCheck('add-workspace/id-is-new', 'not-tested', 'interrupted')]),
  ),
  broken: resultsOf(open, {
    errors: ['suites/common/limits.suite.ts: TypeError', 'The fixture provider went away.'],
  }),
  waived: resultsOf(waived),
  hostile: hostileResults,
  empty: resultsOf([]),
}
