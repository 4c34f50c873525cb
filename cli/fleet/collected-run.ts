/** A run on a target of a fleet that took place elsewhere: what is known of it are its results. */
import { existsSync } from 'node:fs'
import { join } from 'node:path'
import { exitCodeOf, exitCodes, type Gate } from '../../reporters/exit-codes.ts'
import { ResultsError, readResults, resultsFile } from '../../reporters/results-json.ts'
import type { FleetTarget } from './fleet-targets.ts'
import type { TargetRun } from './run-of-target.ts'

/** The run whose results were collected in the folder; one that broke where there are none that can be read. */
export async function collectedRun(
  target: FleetTarget,
  { folder, ...gate }: { readonly folder: string } & Pick<Gate, 'allowIncomplete' | 'allowInconclusive'>,
): Promise<TargetRun> {
  const out = join(folder, target.name)
  const file = resultsFile(out)
  const broke = (said: string): TargetRun => ({ target, code: exitCodes.broken, out, said })
  if (!existsSync(file)) return broke(`${file} is not there: was it judged, and were its results collected?`)
  try {
    const results = await readResults(file)
    const interrupted = results.complete !== true
    return {
      target,
      code: exitCodeOf(results, { interrupted, ...gate, failOn: [] }),
      out,
      said: results.errors?.join('\n') ?? '',
    }
  } catch (error) {
    if (!(error instanceof ResultsError)) throw error
    return broke(error.message)
  }
}
