/** Cases of earlier runs, as results and waivers record them. */
import type { ReportedCheck, Results } from '../../reporters/results.ts'
import type { CheckId } from '../../runner/check-result.ts'
import type { RecordedCase } from '../../schemas/types/waivers.ts'
import { withoutUndefined } from '../../schemas/values.ts'
import { checkOfCommand } from './repeat-command.ts'

/** The case that a failure rests on. A finding about every answer names the check that sent the request. */
export function caseOf({ id, failure }: ReportedCheck, { run }: Pick<Results, 'run'>): RecordedCase {
  const { repeat = '', seed = run.seed, path } = failure ?? {}
  return withoutUndefined({
    check: (checkOfCommand(repeat) ?? id) as CheckId,
    ...{ seed, runs: run.runs },
    case: path,
  })
}
