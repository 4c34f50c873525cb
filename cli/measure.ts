/** Runs the checks and keeps every result, whatever breaks on the way. */
import type { CheckResult } from '../suites/check-result.ts'
import type { PlannedCheck } from '../suites/plan.ts'
import type { WorkerInput } from '../suites/worker-input.ts'
import { createRedactor } from '../target/redaction.ts'
import { RunErrors } from './run-errors.ts'
import { runSuite } from './run-suite.ts'

export interface Measurement {
  readonly input: WorkerInput
  readonly planned: readonly PlannedCheck[]
  /** Aborted where the user interrupts. */
  readonly signal: AbortSignal
  onCheck(result: CheckResult): void
}

export interface MeasuredChecks {
  readonly checks: readonly CheckResult[]
  /** One line each, redacted. */
  readonly errors: readonly string[]
}

/** Never rejects: what broke stands among the errors. */
export async function measure({ input, planned, signal, onCheck }: Measurement): Promise<MeasuredChecks> {
  const checks: CheckResult[] = []
  const errors = new RunErrors()
  const { text } = createRedactor(input.configuration)
  const broken = new AbortController()
  let over = false
  const onBreakdown = (error: unknown) => {
    errors.add('portal-conformance', error)
    broken.abort()
  }
  // An error that nobody caught would end the process, and all that was measured with it.
  process.on('uncaughtException', onBreakdown)
  process.on('unhandledRejection', onBreakdown)
  try {
    await runSuite({
      input,
      planned,
      errors,
      signal: AbortSignal.any([signal, broken.signal]),
      onCheck: (result) => {
        if (over) return
        // What a check says is redacted, but for why it broke.
        const { reason } = result
        const safe = reason === undefined ? result : { ...result, reason: text(reason) }
        checks.push(safe)
        onCheck(safe)
      },
    })
  } catch (error) {
    errors.add('portal-conformance', error)
  } finally {
    over = true
    process.off('uncaughtException', onBreakdown)
    process.off('unhandledRejection', onBreakdown)
  }
  return { checks, errors: errors.lines().map(text) }
}
