/** Runs checks of a run. Results and errors hold no secrets, and nothing that breaks ends the process. */
import { createRedactor } from '../../deployment/redaction/redaction.ts'
import type { ReportedCheck, Results } from '../../reporters/results.ts'
import type { CheckDefinition } from '../../runner/check.ts'
import type { CheckId, CheckResult } from '../../runner/check-result.ts'
import { type RunEnd, type RunListener, runAll } from '../../runner/run-all.ts'
import type { RunInput } from '../../runner/run-input.ts'
import type { RecordedCase } from '../../schemas/types/waivers.ts'
import { byKey, withoutUndefined } from '../../schemas/values.ts'
import { declaredChecks } from '../../suites/declared-checks.ts'
import { firstLine, takeUncaughtErrors } from '../command-error.ts'
import type { BegunRun } from './prepare-run.ts'
import { checkOfCommand, repeatCommand } from './repeat-command.ts'

interface Measurement extends Pick<RunListener, 'signal' | 'onCheck' | 'onPulse' | 'onNews'> {
  readonly declared: readonly CheckDefinition[]
  /** What the input of the run has besides that of every run. */
  readonly further: Partial<RunInput>
}

interface Measured extends Partial<Omit<RunEnd, 'checks'>>, Pick<RunEnd, 'checks'> {
  /** Errors of the suite, one line each. */
  readonly errors: readonly string[]
}

/** Never rejects: `errors` names what broke. */
export async function measure(
  run: BegunRun,
  { declared, further, onCheck, ...listener }: Measurement,
): Promise<Measured> {
  const { configuration } = run
  const { text } = createRedactor(configuration)
  const checks: CheckResult[] = []
  const broken = new Map<string, string[]>()
  const add = (place: string, error: unknown): void => {
    const message = firstLine(error)
    broken.set(message, [...(broken.get(message) ?? []), place])
  }
  /** One line for each message, with the first place and the number of others. */
  const errors = (): string[] =>
    [...broken].map(([message, [first, ...others]]) =>
      text(`${first}${others.length === 0 ? '' : ` and ${others.length} more`}: ${message}`),
    )
  const { fixtures } = configuration
  const where =
    fixtures && 'module' in fixtures ? `the suite or fixtures.module ${fixtures.module}` : 'the suite'
  // The run goes on. Its time limit ends a check that waits for the code that broke.
  const stop = run.ownProcess ? takeUncaughtErrors((error) => add(where, error)) : () => {}
  try {
    const { looks, exchanges, stopped } = await runAll(declared, inputOf(run, further), {
      ...listener,
      onCheck: (result) => {
        // The reason of a check that broke may hold a secret.
        const { reason } = result
        const safe = reason === undefined ? result : { ...result, reason: text(reason) }
        checks.push(safe)
        onCheck?.(safe)
      },
      onBroken: add,
    })
    return withoutUndefined({
      checks,
      looks,
      exchanges,
      errors: errors(),
      stopped: stopped === undefined ? undefined : text(stopped),
    })
  } catch (error) {
    add('portal-conformance', error)
    return { checks, errors: errors() }
  } finally {
    stop()
  }
}

function inputOf(run: BegunRun, further: Partial<RunInput>): RunInput {
  const { configuration, signIns, runId, journal, selection, fixtures, targetOptions } = run
  return withoutUndefined({
    configuration,
    signIns,
    runId,
    journal,
    selection,
    repeatCommand: repeatCommand(targetOptions, configuration),
    provider: fixtures.provider,
    ...further,
  })
}

/** Sends each case several times, for `run --failed` and for waivers. Ends early at an interrupt, and where the suite breaks. */
export async function sendAgain(
  run: BegunRun,
  cases: readonly RecordedCase[],
  times: number,
  onTime: (time: number) => void = () => {},
): Promise<Pick<Measured, 'checks' | 'errors'>> {
  const { configuration, signal } = run
  const declared = await declaredChecks()
  const checks: CheckResult[] = []
  // Cases with the same seed and place run concurrently.
  const groups = [...byKey(cases, (each) => JSON.stringify([each.seed, each.runs, each.case])).values()]
  for (let time = 1; time <= times && !signal.aborted; time += 1) {
    onTime(time)
    run.fixtures.administration?.nextRound()
    for (const group of groups) {
      const { seed, runs, case: onlyCase } = group[0] as RecordedCase
      const senders = new Set(group.map(({ check }) => check))
      const again = {
        ...run,
        configuration: { ...configuration, run: { ...configuration.run, seed, runs } },
        selection: { operations: [], requirements: [...senders] },
      }
      const measured = await measure(again, {
        declared: declared.filter(({ id }) => senders.has(id)),
        further: withoutUndefined({ onlyCase }),
        signal,
      })
      checks.push(...measured.checks)
      if (measured.errors.length > 0) return { checks, errors: measured.errors }
    }
  }
  return { checks, errors: [] }
}

/** The case that a failure rests on. A finding about every answer names the check that sent the request. */
export function caseOf({ id, failure }: ReportedCheck, { run }: Pick<Results, 'run'>): RecordedCase {
  const { repeat = '', seed = run.seed, path } = failure ?? {}
  return withoutUndefined({
    check: (checkOfCommand(repeat) ?? id) as CheckId,
    seed,
    runs: run.runs,
    case: path,
  })
}
