/** The figures as a table for people, and as a JSON document for comparing. */
import { availableParallelism, cpus, totalmem } from 'node:os'
import { type Figure, summaryOf } from './figure.ts'

/** One line for each figure; what is wanted stands beside it. */
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

/** All values, their summaries and the machine, which they say as much about as about the suite. */
export function documentOf(figures: readonly Figure[], times: number): object {
  return {
    measuredAt: new Date().toISOString(),
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
