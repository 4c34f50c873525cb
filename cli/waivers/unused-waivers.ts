/** Waivers that matched nothing in a run: the run sends their recorded cases again before it calls one stale. */
import { assembleResults, judgedChecks } from '../../reporters/build-results.ts'
import type { JudgedCheck, Results } from '../../reporters/results.ts'
import type { CheckResult } from '../../runner/check-result.ts'
import type { RecordedCase } from '../../schemas/types/waivers.ts'
import type { Outcome } from '../../specs/outcomes.ts'
import type { Judged } from '../run/judge-target.ts'
import { sendAgain } from '../run/measure.ts'
import type { BegunRun } from '../run/prepare-run.ts'
import { applyWaivers, covers, subjectOf, type WaiverInUse } from './waiver.ts'

interface Settled extends Judged {
  /** One line for each waiver that is no longer needed. */
  readonly stale: readonly string[]
}

/** How often a recorded case must pass, with all generated cases of its check. */
const times = 3

const open: readonly Outcome[] = ['failed', 'warned', 'waived', 'inconclusive']

/** The waivers whose checks the run judged, and nothing failed. A waiver without a recorded case stays until its last day. */
export function unusedWaivers(waivers: readonly WaiverInUse[], results: Results): WaiverInUse[] {
  const checks = judgedChecks(results)
  return waivers.filter(({ found = [], ...waiver }) => {
    const outcomes = checks.filter(({ id }) => covers(waiver, id)).map(({ outcome }) => outcome)
    const passed = ({ check }: RecordedCase): boolean =>
      checks.some(({ id, outcome }) => id === check && outcome === 'passed')
    // Without a verdict, the failure may still be there.
    return !outcomes.some((end) => open.includes(end)) && found.length > 0 && found.every(passed)
  })
}

/** The run with the failures of recorded cases in it, as waived: a gate says the same whatever its seed was. */
export async function settleWaivers(run: BegunRun, judged: Judged): Promise<Settled> {
  const { results } = judged
  const unused = results.complete === true ? unusedWaivers(run.waivers, results) : []
  const cases = unused.flatMap(({ found = [] }) => found.map(({ case: _, ...whole }) => whole))
  const { checks, errors } = await sendAgain(run, cases, cases.length === 0 ? 0 : times)
  if (run.signal.aborted) return { results, interrupted: true, stale: [] }
  const stale = unused
    .filter((waiver) => errors.length === 0 && passes(waiver, checks))
    .map(
      (waiver) =>
        `${waiver.place}: ${subjectOf(waiver)}: passes now on ${results.target.baseUrl}, also in the recorded cases: remove the waiver of ${waiver.owner}`,
    )
  const failures = applyWaivers(checks, unused).filter(({ outcome }) => outcome === 'waived')
  return { ...judged, results: withFailures(results, failures, errors), stale }
}

/** Whether the cases of the waiver were judged and passed, and nothing that the waiver covers failed. */
function passes(waiver: WaiverInUse, checks: readonly CheckResult[]): boolean {
  const sent = (waiver.found ?? []).every(({ check }) => checks.some(({ id }) => id === check))
  const isOf = ({ id }: CheckResult): boolean =>
    covers(waiver, id) || waiver.found?.some(({ check }) => check === id) === true
  return sent && checks.filter(isOf).every(({ outcome }) => outcome === 'passed')
}

function withFailures(
  results: Results,
  failures: readonly JudgedCheck[],
  errors: readonly string[],
): Results {
  if (failures.length + errors.length === 0) return results
  const checks = new Map([...judgedChecks(results), ...failures].map((check) => [check.id, check]))
  return assembleResults({
    ...results,
    checks: [...checks.values()],
    roles: results.roles ?? [],
    errors: [...(results.errors ?? []), ...errors],
    complete: results.complete === true,
  })
}
