/** The values of generated cases, made up in portions: all of a long run at once would fill the memory. */
import fc from 'fast-check'

/** So many are made up at a time. */
const portion = 64

export interface Sample<T> {
  readonly seed: number
  /** Values that come before all that are made up. */
  readonly examples: T[]
}

/** The same values that one sample of all would be, in their order; each is asked for once, and not before it is needed. */
export function* generatedValues<T>(
  arbitrary: fc.Arbitrary<T>,
  { seed, examples }: Sample<T>,
  count: number,
): Generator<T, void> {
  for (let from = 0; from < count; from += portion) {
    const numRuns = Math.min(portion, count - from)
    // A path of one number is the place at which a sample begins.
    yield* fc.sample(arbitrary, { seed, examples, numRuns, path: String(from) })
  }
}
