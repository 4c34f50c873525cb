/** What to add to the configuration of a run so that the next one judges more. Pure. */
import { type Step, whatToAdd } from '../suites/what-to-add.ts'
import type { Results } from './results.ts'

/** The steps, most useful first; none where all was judged that could be. */
export function additionsAfter({ requirements }: Results): Step[] {
  const checks = requirements.flatMap(({ id, checks }) => checks.map(({ add }) => ({ requirement: id, add })))
  return whatToAdd(checks)
}
