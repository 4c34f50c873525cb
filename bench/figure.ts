/** What the benchmark finds out: one quantity, measured several times. */

/** The questions about the suite itself. */
export const figureIds = ['a', 'b', 'c', 'd', 'e'] as const

/** Which question of the benchmark a figure belongs to; `peers` is only asked by name. */
export type FigureId = (typeof figureIds)[number] | 'peers'

export interface Figure {
  readonly id: FigureId
  readonly name: string
  readonly unit: 'requests/s' | 'requests' | 'ratio' | 'ms' | 'MB' | 'bytes' | 'count'
  /** One value for each time that it was measured. */
  readonly values: readonly number[]
  /** What the project wants; printed beside the figure and never judged. */
  readonly wanted?: string
}

export interface Summary {
  readonly minimum: number
  readonly median: number
  readonly maximum: number
}

/** Throws where nothing was measured. */
export function summaryOf(values: readonly number[]): Summary {
  if (values.length === 0) throw new Error('there is no summary of nothing')
  const sorted = [...values].sort((a, b) => a - b)
  const middle = (sorted.length - 1) / 2
  const median = ((sorted[Math.floor(middle)] as number) + (sorted[Math.ceil(middle)] as number)) / 2
  return { minimum: sorted[0] as number, median, maximum: sorted.at(-1) as number }
}

/** The values of two figures that were measured side by side, divided pair by pair. */
export function ratios(over: readonly number[], under: readonly number[]): number[] {
  return over.map((value, at) => value / (under[at] as number))
}
