/** `--bail N`: ends a run when N checks have failed. */
import { countOf } from '../../reporters/wording.ts'
import type { CheckResult } from '../../runner/check-result.ts'
import { covers, type WaiverInUse } from '../waivers/waiver.ts'

export class Bail {
  readonly #most: number
  readonly #waivers: readonly WaiverInUse[]
  readonly #over = new AbortController()
  #failed = 0

  /** A failure that a waiver covers does not count. */
  constructor(most: number, waivers: readonly WaiverInUse[]) {
    this.#most = most
    this.#waivers = waivers
  }

  /** Aborted when enough checks have failed. */
  get signal(): AbortSignal {
    return this.#over.signal
  }

  /** Why the run ended, in one line. */
  get reason(): string {
    return `the run ended after ${countOf(this.#most, 'failure')} (--bail ${this.#most})`
  }

  count({ id, outcome }: Pick<CheckResult, 'id' | 'outcome'>): void {
    if (outcome !== 'failed' || this.#waivers.some((waiver) => covers(waiver, id))) return
    this.#failed += 1
    if (this.#failed >= this.#most) this.#over.abort()
  }
}
