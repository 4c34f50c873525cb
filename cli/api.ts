/** The package from code: `import { runConformance } from 'portal-conformance'`. */
import type { Results } from '../reporters/results.ts'
import type { OperationId } from '../specs/operations.ts'
import type { CheckResult } from '../suites/check-result.ts'
import type { FixtureProvider } from '../target/fixtures/fixture-kinds.ts'
import type { Shard } from './arguments/shard.ts'

export type {
  ReportedCheck,
  RequirementResult,
  Results,
} from '../reporters/results.ts'
export type { OperationId } from '../specs/operations.ts'
export type { Level, Outcome, Verdict } from '../specs/outcomes.ts'
export type { RequirementId } from '../specs/requirements.ts'
export type { CheckResult, Failure } from '../suites/check-result.ts'
export type {
  FixtureAnswers,
  FixtureKind,
  FixtureOptions,
  FixtureProvider,
  FixtureReply,
  ForRun,
  NotOffered,
} from '../target/fixtures/fixture-kinds.ts'
export type { Evidence } from '../target/http/exchange.ts'
export type { Shard } from './arguments/shard.ts'
export { ConformanceError, type ConformanceErrorCode } from './run/conformance-error.ts'

export interface ConformanceOptions {
  /** The path of a YAML or JSON file, or what such a file holds. */
  readonly configuration: string | object
  /** Where `${NAME}` in the configuration is taken from; `process.env` where absent. */
  readonly environment?: Readonly<Record<string, string | undefined>>
  /** Hands out fixtures in this process, in place of those of the configuration. */
  readonly fixtures?: FixtureProvider
  /** Over `target.baseUrl` of the configuration. */
  readonly baseUrl?: string
  /** Over `effects` of the configuration: what may be done to the deployment. */
  readonly effects?: 'all' | readonly OperationId[]
  /** Over `http.concurrency` of the configuration. */
  readonly concurrency?: number
  /** The same seed sends the same requests. */
  readonly seed?: number
  /** Cases of each generated check. */
  readonly runs?: number
  /** Only the checks of these operations; `lifecycle` for sequences of them. */
  readonly operations?: readonly (OperationId | 'lifecycle')[]
  /** Only requirements and checks whose id matches one of these globs. */
  readonly requirements?: readonly string[]
  /** Only this share of the suite. */
  readonly shard?: Shard
  /** A file of failures that are known. */
  readonly waivers?: string
  /** Ends the run early: what was judged by then is in the results, which lack `complete`. */
  readonly signal?: AbortSignal
  /** Called with the result of each check as it ends. */
  readonly onCheck?: (result: CheckResult) => void
  /** Called with what is worth knowing and changes no verdict, such as fixtures that were left over. */
  readonly onWarning?: (message: string) => void
}

/**
 * Judges a deployment and resolves with what was found, whatever the verdict. Prints nothing, writes no file and sets
 * no exit code. Runs of one process wait for each other. Rejects with a `ConformanceError` where nothing could be
 * judged; what broke on the way stands in `errors` of the results.
 */
export function runConformance(options: ConformanceOptions): Promise<Results> {
  const run = running.then(async () => {
    // Loaded here: who imports the package for its types or its error waits for nothing.
    const { runFromCode } = await import('./run/run-from-code.ts')
    return runFromCode(options)
  })
  running = run.catch(() => undefined)
  return run
}

/** The runs so far. Side by side they would slow each other down, and times are judged. */
let running: Promise<unknown> = Promise.resolve()
