/** How long a run may take: as configured, or as long as its target turns out to need. */
import type { Configuration } from '../../deployment/configuration/configuration.ts'
import { formatDuration } from '../../deployment/configuration/duration.ts'
import { defaultTimeLimit, type RunFacts, whenOver } from '../../runner/run-time.ts'

interface TimeLimit {
  /** Aborted when the time is over. */
  readonly signal: AbortSignal
  /** Without a configured limit, a target that throttles gets more time. */
  learn(facts: RunFacts): void
  /** Why the run ended, in one line. */
  reason(): string
  /** Stops counting. */
  stop(): void
}

/** Begins to count. `facts`: what is known before the run. */
export function startTimeLimit(configuration: Configuration, before: RunFacts): TimeLimit {
  const { timeLimitMs } = configuration.run
  let limitMs = timeLimitMs ?? defaultTimeLimit(before, configuration)
  const over = new AbortController()
  const stop = whenOver(
    () => limitMs,
    () => over.abort(),
  )
  return {
    signal: over.signal,
    learn: (facts) => {
      if (timeLimitMs === undefined) limitMs = Math.max(limitMs, defaultTimeLimit(facts, configuration))
    },
    reason: () => {
      const allowed = formatDuration(Math.ceil(limitMs / 1000) * 1000)
      return timeLimitMs === undefined
        ? `the run took longer than ${allowed}, ten times its estimate (run.timeLimit allows more)`
        : `the time limit of the run was over: ${formatDuration(timeLimitMs)} (run.timeLimit, --time-limit)`
    },
    stop,
  }
}
