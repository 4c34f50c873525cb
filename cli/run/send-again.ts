/** Sends recorded cases again, for `run --failed` and for waivers. */
import { byKey } from '../../reporters/grouping.ts'
import type { CheckResult } from '../../runner/check-result.ts'
import type { RecordedCase } from '../../schemas/types/waivers.ts'
import { withoutUndefined } from '../../schemas/values.ts'
import { declaredChecks } from '../../suites/declared-checks.ts'
import type { JudgingPlan, RunMarks } from './judge-target.ts'
import { measure } from './measure.ts'
import { repeatCommand } from './repeat-command.ts'

type Target = Pick<JudgingPlan, 'configuration' | 'signIns' | 'fixtures' | 'targetOptions'>

interface Sending extends RunMarks {
  readonly ownProcess: boolean
}

interface SentAgain {
  readonly checks: readonly CheckResult[]
  /** Errors of the suite, one line each. */
  readonly errors: readonly string[]
}

/** Sends each case once. Cases with the same seed and place run concurrently. */
export async function sendAgain(
  { configuration, signIns, fixtures, targetOptions }: Target,
  cases: readonly RecordedCase[],
  { signal, ownProcess, ...marks }: Sending,
): Promise<SentAgain> {
  const declared = await declaredChecks()
  const checks: CheckResult[] = []
  const groups = byKey(cases, (each) => JSON.stringify([each.seed, each.runs, each.case]))
  for (const group of groups.values()) {
    const { seed, runs, case: onlyCase } = group[0] as RecordedCase
    const senders = new Set(group.map(({ check }) => check))
    const run = { ...configuration.run, seed, runs }
    const measured = await measure({
      declared: declared.filter(({ definition }) => senders.has(definition.id)),
      input: withoutUndefined({
        ...{ configuration: { ...configuration, run }, signIns, ...marks, onlyCase },
        repeatCommand: repeatCommand(targetOptions, { run }),
        fixturesUrl: fixtures.url,
        selection: { operations: [], requirements: [...senders] },
      }),
      signal,
      ownProcess,
      onCheck: () => undefined,
    })
    if (measured.errors.length > 0) return { checks, errors: measured.errors }
    checks.push(...measured.checks)
  }
  return { checks, errors: [] }
}
