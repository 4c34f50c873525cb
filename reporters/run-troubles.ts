/** What is wrong with a run as a whole: formats that know only tests show it as one, so that nothing looks whole that is not. */
import type { Results } from './results.ts'

export interface Trouble {
  /** Reads like the id of a check. */
  readonly id: string
  readonly message: string
}

/** Errors of the suite itself, a target that went away, and that the run was cut short; none where the run is whole. */
export function troublesOf({ errors = [], complete, run: { stopped } }: Results): Trouble[] {
  const troubles = errors.map((message, index) => ({ id: `run/error:${index + 1}`, message }))
  if (stopped !== undefined) troubles.push({ id: 'run/stopped', message: stopped })
  if (complete === true) return troubles
  return [...troubles, { id: 'run/complete', message: 'the run was cut short: the rest was not measured' }]
}
