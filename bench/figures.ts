/** A result of the benchmark: one quantity, measured several times. */
import { execFileSync } from 'node:child_process'
import { availableParallelism, cpus, totalmem } from 'node:os'

/** The question of the benchmark that the figure answers. */
export const figureIds = ['a', 'b', 'c', 'd', 'e', 'f'] as const

export type FigureId = (typeof figureIds)[number]

export interface Figure {
  readonly id: FigureId
  readonly name: string
  readonly unit: 'requests/s' | 'requests' | 'ratio' | 'ms' | 'MB' | 'bytes'
  /** One value for each measurement. */
  readonly values: readonly number[]
  /** The goal. Printed beside the figure and never judged. */
  readonly wanted?: string
}

export const figure = (
  id: FigureId,
  name: string,
  unit: Figure['unit'],
  values: readonly number[],
  wanted?: string,
): Figure => ({ id, name, unit, values, ...(wanted === undefined ? {} : { wanted }) })

export interface Summary {
  readonly minimum: number
  readonly median: number
  readonly maximum: number
}

/** Throws if nothing was measured. */
export function summaryOf(values: readonly number[]): Summary {
  if (values.length === 0) throw new Error('there is no summary of nothing')
  const sorted = [...values].sort((a, b) => a - b)
  const middle = (sorted.length - 1) / 2
  const median = ((sorted[Math.floor(middle)] as number) + (sorted[Math.ceil(middle)] as number)) / 2
  return { minimum: sorted[0] as number, median, maximum: sorted.at(-1) as number }
}

/** The ratios of two figures that were measured side by side. */
export function ratios(over: readonly number[], under: readonly number[]): number[] {
  return over.map((value, at) => value / (under[at] as number))
}

/** The input of each part of the benchmark. */
export interface Measuring {
  /** A folder for files. Removed at the end. */
  readonly folder: string
  /** Number of measurements of each figure. */
  readonly times: number
  /** Prints a line of progress. */
  note(text: string): void
}

/** One after the other, because concurrent measurements would disturb each other. */
export async function repeated<T>(
  { times, note }: Measuring,
  what: string,
  measure: () => Promise<T>,
): Promise<T[]> {
  const values: T[] = []
  for (let time = 1; time <= times; time += 1) {
    note(`${what}, ${time} of ${times}`)
    values.push(await measure())
  }
  return values
}

/** One line for each figure, with its goal. */
export function tableOf(figures: readonly Figure[]): string {
  const rows = figures.map(({ id, name, unit, values, wanted = '' }) => {
    const { minimum, median, maximum } = summaryOf(values)
    return [`(${id}) ${name}`, ...[minimum, median, maximum].map(shown), unit, wanted]
  })
  const all = [['', 'minimum', 'median', 'maximum', 'unit', 'wanted'], ...rows]
  const widths = (all[0] as string[]).map((_, column) =>
    Math.max(...all.map((row) => (row[column] as string).length)),
  )
  const line = (row: readonly string[]): string =>
    row
      .map((cell, column) => {
        const width = widths[column] as number
        return column >= 1 && column <= 3 ? cell.padStart(width) : cell.padEnd(width)
      })
      .join('  ')
      .trimEnd()
  return `${all.map(line).join('\n')}\n`
}

/** The measured commit, marked if files differ from it. Undefined outside a repository. */
export function measuredCommit(): string | undefined {
  try {
    return execFileSync('git', ['describe', '--always', '--dirty', '--exclude', '*'], {
      encoding: 'utf8',
      stdio: ['ignore', 'pipe', 'ignore'],
    }).trim()
  } catch {
    return undefined
  }
}

/** All values, their summaries, and the machine, on which they depend. */
export function documentOf(figures: readonly Figure[], times: number, commit: string | undefined): object {
  return {
    measuredAt: new Date().toISOString(),
    commit,
    times,
    machine: {
      node: process.version,
      platform: process.platform,
      processor: cpus()[0]?.model ?? 'unknown',
      processors: availableParallelism(),
      memoryMB: Math.round(totalmem() / 2 ** 20),
    },
    figures: figures.map((figure) => ({ ...figure, ...summaryOf(figure.values) })),
  }
}

function shown(value: number): string {
  return value >= 100 ? value.toFixed(0) : value.toFixed(2)
}
