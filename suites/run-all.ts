/** Runs all checks in this process, without a test runner: for judging the suite itself. */

import type { CheckResult } from './check-result.ts'
import { declaredChecks } from './declared-checks.ts'
import { runCheck } from './run-check.ts'
import { Session } from './session.ts'
import { suiteFiles } from './suite-files.ts'
import { sweep } from './sweep.ts'
import type { WorkerInput } from './worker-input.ts'

/** File by file, the checks of each side by side, as in a run. The result of every check, in the order of the contract. Rejects with the first error of the suite itself. */
export async function runAll(input: WorkerInput): Promise<CheckResult[]> {
  const session = new Session(input)
  try {
    const results: CheckResult[] = []
    for (const file of suiteFiles) {
      const checks = (await declaredChecks()).filter((check) => check.file === file)
      results.push(...(await Promise.all(checks.map(({ definition }) => runCheck(definition, session)))))
    }
    await sweep(session)
    return results
  } finally {
    await session.close()
  }
}
