/** Why a run from code could not be made. */

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
