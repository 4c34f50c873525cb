/** The columns of the matrix of a fleet: one for each target, also where it could not be judged. */

import { withoutEvidence } from '../../reporters/compare/compare.ts'
import type { ComparedResults } from '../../reporters/compare/comparison.ts'
import type { Results } from '../../reporters/results.ts'
import { ResultsError, readResults, resultsFile } from '../../reporters/results-json.ts'
import { countsByOutcome } from '../../specs/outcomes.ts'
import type { TargetRun } from './run-of-target.ts'

/** In the order of the runs; none where no run has results, since what was to be judged is not known then. */
export async function matrixColumns(runs: readonly TargetRun[]): Promise<ComparedResults[]> {
  const columns: { run: TargetRun; results: Results | undefined }[] = []
  for (const run of runs) columns.push({ run, results: await resultsOf(run) })
  const judged = columns.find(({ results }) => results !== undefined)?.results
  if (judged === undefined) return []
  return columns.map(({ run: { target, out }, results }) => ({
    file: resultsFile(out),
    ...(results === undefined
      ? { name: `${target.name}, not judged`, judged: false as const, results: nothingOf(judged) }
      : { name: target.name, results }),
  }))
}

async function resultsOf({ out }: TargetRun): Promise<Results | undefined> {
  try {
    return withoutEvidence(await readResults(resultsFile(out)))
  } catch (error) {
    if (error instanceof ResultsError) return undefined
    throw error
  }
}

const notJudged = 'the target was not judged'

/** What results say where nothing was tested of what those others tested. */
function nothingOf({ roles: _, ...judged }: Results): Results {
  const requirements = judged.requirements.map(({ reason: _, ...requirement }) => ({
    ...requirement,
    outcome: 'not-tested' as const,
    reason: notJudged,
    checks: [],
  }))
  return {
    ...judged,
    target: { ...judged.target, baseUrl: 'unknown' },
    verdict: 'incomplete',
    totals: countsByOutcome(requirements),
    requirements,
    observations: [],
    errors: [notJudged],
    complete: true,
  }
}
