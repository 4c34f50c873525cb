/** What every part of the benchmark is given. */
export interface Measuring {
  /** For its files; removed at the end. */
  readonly folder: string
  /** Where the figures will be written; for what is worth keeping beside them. */
  readonly report: string
  /** How often each figure is measured. */
  readonly times: number
  /** Says what is being done. */
  note(text: string): void
}

/** One value after the other: two measurements at once would measure each other. */
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
