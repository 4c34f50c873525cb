/** What a program says of the run that it wants. Apart from what runs: who imports the package loads no more than this. */
import type { FixtureProvider } from '../../deployment/fixtures/fixture-kinds.ts'
import type { CheckResult } from '../../runner/check-result.ts'
import type { OperationId } from '../../specs/operations.ts'

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
 * `configuration`: the configuration or the waivers are wrong; `usage`: the options ask for what cannot be done;
 * `unreachable`: no answer came from the target; `interrupted`: the signal was aborted before anything was judged.
 */
export type ConformanceErrorCode = 'configuration' | 'usage' | 'unreachable' | 'interrupted'

/** Nothing was judged. The message is for users, holds no secret and may have several lines. */
export class ConformanceError extends Error {
  override readonly name = 'ConformanceError'
  readonly code: ConformanceErrorCode
  /** One text for each thing that is wrong. */
  readonly problems: readonly string[]

  constructor(code: ConformanceErrorCode, problems: readonly string[]) {
    super(problems.join('\n'))
    this.code = code
    this.problems = problems
  }
}
