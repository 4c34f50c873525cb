/**
 * Seeds: one for the run and one derived for each check, so that a check alone sends the same requests as in company.
 */

/** A 31-bit seed for a part of the run (FNV-1a over the run's seed and the part's name). */
export function subSeed(seed: number, part: string): number {
  let hash = 0x811c9dc5
  for (const character of `${seed}/${part}`) {
    hash ^= character.codePointAt(0) as number
    hash = Math.imul(hash, 0x01000193)
  }
  return (hash ^ (hash >>> 15)) & 0x7fffffff
}

/** A generator of 32-bit numbers (mulberry32). */
export function numbersFrom(seed: number): () => number {
  let state = seed >>> 0
  return () => {
    state = (state + 0x6d2b79f5) >>> 0
    let mixed = Math.imul(state ^ (state >>> 15), state | 1)
    mixed ^= mixed + Math.imul(mixed ^ (mixed >>> 7), mixed | 61)
    return (mixed ^ (mixed >>> 14)) >>> 0
  }
}
