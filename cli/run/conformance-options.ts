/** The options of `runConformance`, in a file that loads nothing else. */
import type { FixtureProvider } from '../../deployment/fixtures/fixture-kinds.ts'
import type { CheckResult } from '../../runner/check-result.ts'
import type { OperationId } from '../../specs/operations.ts'

export interface ConformanceOptions {
  /** The path of a YAML or JSON file, or its content. */
  readonly configuration: string | object
  /** The variables for `${NAME}` in the configuration. Default: `process.env`. */
  readonly environment?: Readonly<Record<string, string | undefined>>
  /** Hands out fixtures in this process, in place of those of the configuration. */
  readonly fixtures?: FixtureProvider
  /** Overrides `target.baseUrl` of the configuration. */
  readonly baseUrl?: string
  /** Overrides `effects` of the configuration: what the run may do to the deployment. */
  readonly effects?: 'all' | readonly OperationId[]
  /** Overrides `http.concurrency` of the configuration. */
  readonly concurrency?: number
  /** The same seed sends the same requests. */
  readonly seed?: number
  /** Cases of each generated check. */
  readonly runs?: number
  /** Only the checks of these operations; `lifecycle` for sequences of them. */
  readonly operations?: readonly (OperationId | 'lifecycle')[]
  /** Only requirements and checks whose id matches one of these globs. */
  readonly requirements?: readonly string[]
  /** A file of known failures. */
  readonly waivers?: string
  /** Ends the run early. The results hold the checks up to then, and lack `complete`. */
  readonly signal?: AbortSignal
  /** Called with the result of each check as it ends. */
  readonly onCheck?: (result: CheckResult) => void
  /** Called with warnings that change no verdict, such as leftover fixtures. */
  readonly onWarning?: (message: string) => void
}

/**
 * `configuration`: the configuration or the waivers are wrong. `usage`: the options ask for something that cannot be
 * done. `unreachable`: the target did not answer. `interrupted`: the signal was aborted before the run judged anything.
 */
export type ConformanceErrorCode = 'configuration' | 'usage' | 'unreachable' | 'interrupted'

/** The run judged nothing. The message is for users, holds no secret and may have several lines. */
export class ConformanceError extends Error {
  override readonly name = 'ConformanceError'
  readonly code: ConformanceErrorCode
  /** One text for each mistake. */
  readonly problems: readonly string[]

  constructor(code: ConformanceErrorCode, problems: readonly string[]) {
    super(problems.join('\n'))
    this.code = code
    this.problems = problems
  }
}
