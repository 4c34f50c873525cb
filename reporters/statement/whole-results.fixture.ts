/** Results of a run that judged everything, for the tests of what is said of whole runs. */

import type { CheckId, CheckResult } from '../../runner/check-result.ts'
import { operationIds } from '../../specs/operations.ts'
import { requirementsFor } from '../../specs/requirements.ts'
import { checkOf, failedCheck, resultsOf } from '../results.fixture.ts'
import type { JudgedCheck, Results, Waiver } from '../results.ts'

/** The ids of a check of every requirement; one an operation where it speaks of all. */
const wholeIds: readonly CheckId[] = requirementsFor('none').flatMap(({ id, operation }) =>
  operation === 'protocol' ? operationIds.map((each) => `${id}:${each}` as const) : [id],
)

/** Everything passed, but for the checks that are given. */
export function wholeResults(changed: readonly JudgedCheck[] = [], others: Partial<Results> = {}): Results {
  const ids = changed.map(({ id }) => id)
  const passed = wholeIds.filter((id) => !ids.includes(id)).map((id) => checkOf(id))
  return resultsOf([...passed, ...changed], others)
}

const waiver: Waiver = { reason: 'known', owner: 'portal team', expires: '2999-12-31' }

/** A check that failed and was waived. */
export function waivedCheck(id: CheckId): JudgedCheck {
  return { ...failedCheck(id, 'broken'), outcome: 'waived', reason: 'waived', waiver }
}

/** A check of an outcome that needs a reason. */
export function openCheck(
  id: CheckId,
  outcome: CheckResult['outcome'],
  reason = 'for a reason',
): CheckResult {
  return checkOf(id, { outcome, reason })
}
