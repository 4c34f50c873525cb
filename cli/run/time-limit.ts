/** How long a run may take: as configured, or as long as its target turns out to need. */
import type { Configuration } from '../../deployment/configuration/configuration.ts'
import { formatDuration } from '../../deployment/configuration/duration.ts'
import { defaultTimeLimit, longestTimerMs, type RunFacts } from '../../runner/run-time.ts'

export class TimeLimit {
  readonly #configuration: Configuration
  readonly #over = new AbortController()
  readonly #began = performance.now()
  #limitMs: number
  #timer: NodeJS.Timeout | undefined

  /** Begins to count now. `facts`: what is known before the run. */
  constructor(configuration: Configuration, facts: RunFacts) {
    this.#configuration = configuration
    this.#limitMs = configuration.run.timeLimitMs ?? defaultTimeLimit(facts, configuration)
    this.#set()
  }

  /** Aborted when the time is over. */
  get signal(): AbortSignal {
    return this.#over.signal
  }

  /** Why the run ended, in one line. */
  get reason(): string {
    const { timeLimitMs } = this.#configuration.run
    const allowed = formatDuration(Math.ceil(this.#limitMs / 1000) * 1000)
    return timeLimitMs === undefined
      ? `the run took longer than ${allowed}, ten times its estimate (run.timeLimit allows more)`
      : `the time limit of the run was over: ${formatDuration(timeLimitMs)} (run.timeLimit, --time-limit)`
  }

  /** Without a configured limit, a target that throttles gets more time. */
  learn(facts: RunFacts): void {
    if (this.#configuration.run.timeLimitMs !== undefined) return
    this.#limitMs = Math.max(this.#limitMs, defaultTimeLimit(facts, this.#configuration))
  }

  /** Stops counting. */
  stop(): void {
    clearTimeout(this.#timer)
  }

  #set(): void {
    const left = this.#began + this.#limitMs - performance.now()
    // The limit may have grown when the timer fires.
    this.#timer = setTimeout(
      () => (left > longestTimerMs ? this.#set() : this.#check()),
      Math.min(left, longestTimerMs),
    )
    this.#timer.unref()
  }

  #check(): void {
    if (performance.now() < this.#began + this.#limitMs) this.#set()
    else this.#over.abort()
  }
}
