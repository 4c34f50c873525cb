/** A result of the benchmark: one quantity, measured several times. */
import { execFileSync } from 'node:child_process'
import { availableParallelism, cpus, totalmem } from 'node:os'
import { onTerminal } from '../reporters/terminal/paint.ts'
import { pageFor } from '../reporters/terminal/sheet.ts'

/** The question of the benchmark that the figure answers. */
export const figureIds = ['a', 'b', 'c', 'd', 'e', 'f'] as const

export type FigureId = (typeof figureIds)[number]

interface Quantity {
  readonly name: string
  readonly unit: 'requests/s' | 'requests' | 'ratio' | 'ms' | 'MB' | 'bytes'
  /** The goal. Printed beside the figure and never judged. */
  readonly wanted?: string
}

export interface Figure extends Quantity {
  readonly id: FigureId
  /** One value for each measurement. */
  readonly values: readonly number[]
}

/** The figures that follow from rounds of measurements, each with its value in one round. */
export const figuresOf = <Round>(
  id: FigureId,
  rounds: readonly Round[],
  quantities: readonly (Quantity & { readonly of: (round: Round) => number })[],
): Figure[] => quantities.map(({ of, ...quantity }) => ({ id, ...quantity, values: rounds.map(of) }))

interface Summary {
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
  const heads = ['figure', 'minimum', 'median', 'maximum', 'unit', 'wanted']
  const rows = figures.map(({ id, name, unit, values, wanted = '' }) => {
    const { minimum, median, maximum } = summaryOf(values)
    return [`(${id}) ${name}`, ...[minimum, median, maximum].map(shown), unit, wanted]
  })
  const page = { ...pageFor(process.stdout, process.env), width: 160 }
  return onTerminal([{ kind: 'table', label: 'Figures', heads, rows }], page)
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

const shown = (value: number): string => value.toFixed(value >= 100 ? 0 : 2)
