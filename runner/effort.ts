/** How hard a run tries: the one place where its number of generated cases (`run.runs`) becomes a decision. */

/**
 * The number of cases from which a run does more than each check once.
 * - `short`: further looks that use nothing up. Below it a run is for those who have few fixtures, or little time.
 * - `usual`: all cases that a check asks for at least, and large lists of items.
 * - `thorough`: every check in every situation.
 */
const casesFrom = { short: 8, usual: 25, thorough: 30 } as const

/** Whether a run of so many cases tries at least that hard. */
export const tries = (effort: keyof typeof casesFrom, { runs }: { readonly runs: number }): boolean =>
  runs >= casesFrom[effort]

/** The number of cases from which a run tries that hard. */
export const leastCases = (effort: keyof typeof casesFrom): number => casesFrom[effort]

/** Tried in vain so often, and never with success: to try it once more would not help either. */
export const vainOften = 3
