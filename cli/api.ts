/** The package from code: `import { runConformance } from 'portal-conformance'`. */
import type { Results } from '../reporters/results.ts'
import type { ConformanceOptions } from './run/conformance-options.ts'

export type {
  FixtureAnswers,
  FixtureKind,
  FixtureOptions,
  FixtureProvider,
  FixtureReply,
  ForRun,
  NotOffered,
} from '../deployment/fixtures/fixture-kinds.ts'
export type { Evidence } from '../deployment/http/exchange.ts'
export type {
  ReportedCheck,
  RequirementResult,
  Results,
} from '../reporters/results.ts'
export type { CheckResult, Failure } from '../runner/check-result.ts'
export type { OperationId } from '../specs/operations.ts'
export type { Level, Outcome, Verdict } from '../specs/outcomes.ts'
export type { RequirementId } from '../specs/requirements.ts'
export type { ConformanceOptions } from './run/conformance-options.ts'
export { ConformanceError, type ConformanceErrorCode } from './run/conformance-options.ts'

/**
 * Judges a deployment and resolves with the results, whatever the verdict. Prints nothing, writes no file and sets no
 * exit code. Runs of one process wait for each other. Rejects with a `ConformanceError` if nothing could be judged.
 * `errors` of the results names what broke in the suite.
 */
export function runConformance(options: ConformanceOptions): Promise<Results> {
  const run = running.then(async () => {
    // Loaded late: an import of the package for its types or its error costs nothing.
    const { runFromCode } = await import('./run/run-from-code.ts')
    return runFromCode(options)
  })
  running = run.catch(() => undefined)
  return run
}

/** The runs so far. Concurrent runs would slow each other down, and times are judged. */
let running: Promise<unknown> = Promise.resolve()
