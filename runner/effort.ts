/** How hard a run tries: the one place where its number of generated cases (`run.runs`) becomes a decision. */

/**
 * The number of cases from which a run does more than the first check of each requirement.
 * - `every`: every check, with its examples.
 * - `short`: further looks that use nothing up. Below it a run is for those who have few fixtures, or little time.
 * - `usual`: all cases that a check asks for at least, and large lists of items.
 * - `thorough`: every check in every situation.
 */
const casesFrom = { every: 1, short: 8, usual: 25, thorough: 30 } as const

/** Whether a run of so many cases tries at least that hard. */
export const tries = (effort: keyof typeof casesFrom, { runs }: { readonly runs: number }): boolean =>
  runs >= casesFrom[effort]

/** The number of cases from which a run tries that hard. */
export const leastCases = (effort: keyof typeof casesFrom): number => casesFrom[effort]

/** How many generated cases a check asks for, by how much a further case may still find. */
export type Cases = 'few' | 'some' | 'many'

/**
 * A part of `run.runs`, and the least in a usual run. `few`: one case shows it, and a case costs much or uses something up.
 * `some`: what goes wrong may depend on the case. `many`: the variety of values is the point.
 */
const amounts: Readonly<Record<Cases, { readonly part: number; readonly least: number }>> = {
  few: { part: 0.05, least: 3 },
  some: { part: 0.1, least: 8 },
  many: { part: 0.3, least: 16 },
}

/** How many of the examples of a check a run judges. */
export const examplesIn = (runs: number): number => (tries('every', { runs }) ? Number.POSITIVE_INFINITY : 1)

/** The number of cases in a run with that `run.runs`: at least one; below a usual run the least shrinks with it. */
export function casesIn(runs: number, cases: Cases): number {
  const { part, least } = amounts[cases]
  return Math.max(1, Math.ceil(least * Math.min(1, runs / casesFrom.usual)), Math.ceil(runs * part))
}

/** Attempts without any success after which another attempt is not worth it. */
export const vainOften = 3
