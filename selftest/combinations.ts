/** Combinations of permitted variants that can hold of one portal. */
import { randomFrom, shuffled } from './random.ts'

/** Variants of one kind settle the same open point: a portal can do only one of them. */
const exclusive: readonly RegExp[] = [
  /^refusals-(as|with-their)-/,
  /^refusals-.*(success|body|details)/,
  /^(bearer-header|query-credential|cookie-credential)$|-credential$/,
  /-ids$|^ids-/,
  /^clock-/,
  /^(texts-|markup-)/,
  /^second-sync-|^busy-/,
  /^throttled-/,
  /-limits$/,
  /^created-\d/,
  /content-type|-type$/,
  /^chunked-|bursty|slow/,
  // Together they last longer than the most that a fixture promises.
  /^(second-sync-after-cool-down|syncs-of-varying-length)$/,
  // The ids of the one have what the other refuses in a list of them.
  /^(odd-ids|spaces-in-items-refused)$/,
  // Each leaves so much open that nothing of another one would be seen.
  /^(wrong-credentials-banned|credential-ends|one-second-outage)$/,
]

/** Whether both can hold of one portal. */
export function compatible(one: string, other: string): boolean {
  return one !== other && !exclusive.some((kind) => kind.test(one) && kind.test(other))
}

/** So many combinations, drawn by the seed: each variant stands in one of them before any stands in a second one. */
export function combinations(ids: readonly string[], seed: number, count: number, size = 3): string[][] {
  const random = randomFrom(seed)
  let waiting: string[] = []
  const draw = (): string[] => {
    const drawn: string[] = []
    while (drawn.length < size) {
      const fits = (id: string): boolean => drawn.every((other) => compatible(id, other))
      if (!waiting.some(fits)) waiting = [...waiting, ...shuffled(ids, random)]
      const next = waiting.find(fits)
      if (next === undefined) break
      waiting = waiting.toSpliced(waiting.indexOf(next), 1)
      drawn.push(next)
    }
    return drawn
  }
  return Array.from({ length: count }, draw)
}
