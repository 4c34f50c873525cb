/** Turns the number of generated cases (`run.runs`) into decisions about how hard a run tries. */

/** Runs with fewer cases than this are quick: for few fixtures or little time. */
const quickBelow = 8
/** From this many cases on, a check has all the cases that it wants. */
const usual = 25
/** From this many cases on, a run is thorough. */
const thoroughFrom = 30

/** Whether a run with that many cases is quick: the main checks only, with the examples chosen for it. */
export const isQuick = ({ runs }: { readonly runs: number }): boolean => runs < quickBelow

/** Whether a run with that many cases makes every check in every situation. */
export const isThorough = ({ runs }: { readonly runs: number }): boolean => runs >= thoroughFrom

/** How many generated cases a check wants, by what another case may still find. */
export type Cases = 'few' | 'some' | 'many'

/**
 * A share of `run.runs`, and the minimum in a usual run. `few`: one case shows it, and a case is expensive. `some`: the
 * fault may depend on the case. `many`: the variety of values matters.
 */
const amounts: Readonly<Record<Cases, { readonly part: number; readonly least: number }>> = {
  few: { part: 0.05, least: 3 },
  some: { part: 0.1, least: 8 },
  many: { part: 0.3, least: 16 },
}

/** The number of cases with that `run.runs`: at least one. In shorter runs the minimum shrinks as well. */
export function casesIn(runs: number, cases: Cases): number {
  const { part, least } = amounts[cases]
  return Math.max(1, Math.ceil(least * Math.min(1, runs / usual)), Math.ceil(runs * part))
}

/**
 * How often a check reads a page, or repeats a request, before it concludes anything, because other checks and other users
 * change the same things meanwhile. `few`: if each time costs fixtures.
 */
export const looks = { few: 4, some: 8, many: 20 } as const

/** After this many attempts without success, another attempt is not worth it. */
export const attemptsWithoutSuccess = 3

/** The next `count` entries from that one on, starting again at the end. */
export const inTurn = <T>(all: readonly T[], from: number, count: number): T[] =>
  all.length === 0
    ? []
    : Array.from({ length: Math.min(count, all.length) }, (_, at) => all[(from + at) % all.length] as T)
