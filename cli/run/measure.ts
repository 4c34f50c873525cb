/** A run of checks for a command or a program: results and errors of the suite, both without secrets. Nothing that breaks ends the process. */
import { createRedactor } from '../../deployment/redaction/redaction.ts'
import type { Declared } from '../../runner/check.ts'
import type { CheckResult } from '../../runner/check-result.ts'
import { type RunEnd, type RunListener, runAll } from '../../runner/run-all.ts'
import type { RunInput } from '../../runner/run-input.ts'
import { withoutUndefined } from '../../schemas/without-undefined.ts'
import { RunErrors } from '../process/run-errors.ts'
import { originOf, takeStrayErrors } from '../process/stray-errors.ts'

interface Measurement extends Pick<RunListener, 'onPulse' | 'onNews'> {
  readonly declared: readonly Declared[]
  readonly input: RunInput
  /** Aborted when the run must end early. */
  readonly signal: AbortSignal
  /** The process is there for this run alone. */
  readonly ownProcess: boolean
  readonly onCheck: (result: CheckResult) => void
}

interface Measured extends Partial<Omit<RunEnd, 'checks'>>, Pick<RunEnd, 'checks'> {
  /** One line each. */
  readonly errors: readonly string[]
}

/** Never rejects: `errors` say what broke. */
export async function measure({
  declared,
  input,
  signal,
  ownProcess,
  onCheck,
  ...others
}: Measurement): Promise<Measured> {
  const checks: CheckResult[] = []
  const errors = new RunErrors()
  const { text } = createRedactor(input.configuration)
  // The run goes on: its time limit ends a check that waits for the code that broke.
  const stop = takeStrayErrors(ownProcess, (error) =>
    errors.add(originOf(error, input.configuration.fixtures), error),
  )
  const listener: RunListener = {
    ...others,
    signal,
    onCheck: (result) => {
      // Results hold no secrets, but for the reason of a check that broke.
      const { reason } = result
      const safe = reason === undefined ? result : { ...result, reason: text(reason) }
      checks.push(safe)
      onCheck(safe)
    },
    onBroken: (id, error) => errors.add(id, error),
  }
  try {
    const { looks, exchanges, stopped } = await runAll(declared, input, listener)
    return withoutUndefined({
      ...{ checks, looks, exchanges, errors: errors.lines().map(text) },
      stopped: stopped === undefined ? undefined : text(stopped),
    })
  } catch (error) {
    errors.add('portal-conformance', error)
    return { checks, errors: errors.lines().map(text) }
  } finally {
    stop()
  }
}
