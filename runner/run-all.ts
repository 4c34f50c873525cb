/** Runs checks in this process, without a test runner: for judging the suite itself. */

import type { Declared } from './check.ts'
import type { CheckResult } from './check-result.ts'
import { checksHere } from './plan.ts'
import { runCheck } from './run-check.ts'
import { withoutDoubles } from './run-watch.ts'
import { Session } from './session.ts'
import { sweep } from './sweep.ts'
import type { WorkerInput } from './worker-input.ts'

/** All of them side by side, as in a run. The result of every check, in their order. Rejects with the first error of the suite itself. */
export async function runAll(declared: readonly Declared[], input: WorkerInput): Promise<CheckResult[]> {
  const session = new Session(input)
  try {
    const checks = checksHere(declared, input.configuration)
    const results = await Promise.all(checks.map(({ definition }) => runCheck(definition, session)))
    await sweep(session)
    return withoutDoubles([...results, ...session.watch.results({ again: true })])
  } finally {
    await session.close()
  }
}
