/** Runs checks for a command or a program. Results and errors hold no secrets, and nothing that breaks ends the process. */
import { createRedactor } from '../../deployment/redaction/redaction.ts'
import type { Declared } from '../../runner/check.ts'
import type { CheckResult } from '../../runner/check-result.ts'
import { type RunEnd, type RunListener, runAll } from '../../runner/run-all.ts'
import type { RunInput } from '../../runner/run-input.ts'
import { withoutUndefined } from '../../schemas/values.ts'
import { firstLine } from '../command-error.ts'
import { originOf, takeUncaughtErrors } from '../process/uncaught-errors.ts'

interface Measurement extends Pick<RunListener, 'onPulse' | 'onNews'> {
  readonly declared: readonly Declared[]
  readonly input: RunInput
  /** Aborted when the run must end early. */
  readonly signal: AbortSignal
  /** The process serves this run alone. */
  readonly ownProcess: boolean
  readonly onCheck: (result: CheckResult) => void
}

interface Measured extends Partial<Omit<RunEnd, 'checks'>>, Pick<RunEnd, 'checks'> {
  /** One line each. */
  readonly errors: readonly string[]
}

/** Never rejects: `errors` names what broke. */
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
  // The run goes on. Its time limit ends a check that waits for the code that broke.
  const stop = takeUncaughtErrors(ownProcess, (error) =>
    errors.add(originOf(error, input.configuration.fixtures), error),
  )
  const listener: RunListener = {
    ...others,
    signal,
    onCheck: (result) => {
      // The reason of a check that broke may hold a secret.
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

/** What broke in the suite: one line for each message, with the first place and the number of others. */
class RunErrors {
  readonly #places = new Map<string, Set<string>>()

  /** `where`: a check, a file, or a part of the program. */
  add(where: string, error: unknown): void {
    const message = firstLine(error)
    const places = this.#places.get(message) ?? new Set()
    this.#places.set(message, places.add(where))
  }

  lines(): string[] {
    return [...this.#places].map(([message, places]) => {
      const [first, ...others] = places
      return `${first}${others.length === 0 ? '' : ` and ${others.length} more`}: ${message}`
    })
  }
}
