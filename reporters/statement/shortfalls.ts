/** What keeps a run as a whole from showing conformance to anything. Pure. */

import { waivedRequirements } from '../outline.ts'
import type { Results } from '../results.ts'

/** One clause each: a run that was filtered, shared out, cut short, broken or waived never shows conformance. */
export function shortfallsOf(results: Results): string[] {
  const { run, errors = [], complete } = results
  const { selection, shard } = run
  const waived = waivedRequirements(results)
  return [
    ...(errors.length > 0 ? ['the run broke'] : []),
    ...(complete === true ? [] : ['the run was cut short']),
    ...(selection === undefined ? [] : ['the run was limited to a selection of checks']),
    ...(shard === undefined ? [] : [`the run was shard ${shard.index} of ${shard.count}`]),
    ...(waived.length === 0 ? [] : [`the run waived failures: ${waived.map(({ id }) => id).join(', ')}`]),
  ]
}
