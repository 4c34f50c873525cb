/** Durations as configurations write them: a number and a unit, such as 250ms, 10s, 2m, 1h, 1d. */

const units = [
  ['d', 86_400_000],
  ['h', 3_600_000],
  ['m', 60_000],
  ['s', 1000],
  ['ms', 1],
] as const

/** The duration in milliseconds, rounded to whole ones; undefined where the text is not a duration. */
export function parseDuration(text: string): number | undefined {
  const match = /^(\d{1,12}(?:\.\d{1,6})?)(ms|s|m|h|d)$/.exec(text)
  if (!match) return undefined
  const factor = units.find(([unit]) => unit === match[2])![1]
  return Math.round(Number(match[1]) * factor)
}

/** The shortest exact notation in one unit: 10000 is 10s, 1500 is 1.5s. */
export function formatDuration(milliseconds: number): string {
  const whole = Math.round(milliseconds)
  const [unit, factor] = units.find(([, size]) => whole >= size && whole % size === 0) ?? ['ms', 1]
  return unit === 'ms' && whole >= 1000 ? `${whole / 1000}s` : `${whole / factor}${unit}`
}
