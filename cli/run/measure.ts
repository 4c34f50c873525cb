/** Runs the checks and keeps every result, whatever breaks on the way. */

import { createRedactor } from '../../deployment/redaction/redaction.ts'
import type { CheckResult } from '../../runner/check-result.ts'
import type { ExchangeSummary } from '../../runner/exchange-summary.ts'
import type { PlannedCheck } from '../../runner/plan.ts'
import { type RequirementLooks, withoutDoubles } from '../../runner/run-watch.ts'
import type { WorkerInput } from '../../runner/worker-input.ts'
import { RunErrors } from '../process/run-errors.ts'
import { runSuite } from './run-suite.ts'

export interface Measurement {
  readonly input: WorkerInput
  readonly planned: readonly PlannedCheck[]
  /** Aborted where the user interrupts. */
  readonly signal: AbortSignal
  /** The process is there for this run alone. */
  readonly ownProcess: boolean
  onCheck(result: CheckResult): void
}

export interface MeasuredChecks {
  readonly checks: readonly CheckResult[]
  readonly looks: readonly RequirementLooks[]
  /** What was sent and how it was answered; absent where the run ended before that was told. */
  readonly exchanges?: ExchangeSummary
  /** One line each, redacted. */
  readonly errors: readonly string[]
}

/** Never rejects: what broke stands among the errors. */
export async function measure({
  input,
  planned,
  signal,
  ownProcess,
  onCheck,
}: Measurement): Promise<MeasuredChecks> {
  const checks: CheckResult[] = []
  const watched = new Map<string, CheckResult>()
  let looks: readonly RequirementLooks[] = []
  let exchanges: ExchangeSummary | undefined
  const errors = new RunErrors()
  const { text } = createRedactor(input.configuration)
  const broken = new AbortController()
  let over = false
  const tell = (result: CheckResult): void => {
    if (over) return
    // What a check says is redacted, but for why it broke.
    const { reason } = result
    const safe = reason === undefined ? result : { ...result, reason: text(reason) }
    checks.push(safe)
    onCheck(safe)
  }
  const onBreakdown = (error: unknown) => {
    errors.add('portal-conformance', error)
    broken.abort()
  }
  // An error that nobody caught would end the process, and all that was measured with it; another's is its own affair.
  const events = ownProcess ? (['uncaughtException', 'unhandledRejection'] as const) : []
  for (const event of events) process.on(event, onBreakdown)
  try {
    await runSuite({
      input,
      planned,
      errors,
      signal: AbortSignal.any([signal, broken.signal]),
      onExchanges: (told) => {
        exchanges = told
      },
      onCheck: tell,
      onWatched: (results) => {
        for (const result of results) watched.set(result.id, result)
      },
      onLooks: (counted) => {
        looks = counted
      },
    })
  } catch (error) {
    errors.add('portal-conformance', error)
  } finally {
    // At the end it is known what the checks tell themselves; it is told also where the run was cut short.
    for (const result of withoutDoubles([...checks, ...watched.values()]).slice(checks.length)) tell(result)
    over = true
    for (const event of events) process.off(event, onBreakdown)
  }
  return {
    checks,
    looks,
    errors: errors.lines().map(text),
    ...(exchanges === undefined ? {} : { exchanges }),
  }
}
