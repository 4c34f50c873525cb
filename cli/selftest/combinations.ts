/** Random combinations of permitted variants that do not contradict each other. Pure. */

/** Variants of one kind settle the same open point: a portal can do only one of them. */
const exclusive: readonly RegExp[] = [
  /^refusals-(as|with-their)-/,
  /^refusals-.*(success|body|details)/,
  /^(bearer-header|query-credential|cookie-credential)$|-credential$/,
  /-ids$/,
  /^clock-/,
  /^(texts-|markup-)/,
  /^second-sync-/,
  /^throttled-/,
  /-limits$/,
  /^created-\d/,
  /content-type|-type$/,
  /^chunked-|bursty|slow/,
]

/** Whether both can hold of one portal. */
export function compatible(one: string, other: string): boolean {
  return one !== other && !exclusive.some((kind) => kind.test(one) && kind.test(other))
}

/**
 * Every variant in exactly one combination of about `size` at most, dealt by the seed, and one more combination that holds
 * as many as can go together.
 */
export function combinations(ids: readonly string[], seed: number, size = 5): string[][] {
  const shuffled = shuffle(ids, seed)
  const dealt: string[][] = []
  for (const id of shuffled) {
    const place = dealt.find(
      (others) => others.length < size && others.every((other) => compatible(id, other)),
    )
    if (place === undefined) dealt.push([id])
    else place.push(id)
  }
  // One that would be alone joins another combination, which is then larger.
  for (const [id] of dealt.filter(({ length }) => length === 1) as [string][])
    dealt.find((others) => others.length > 1 && others.every((other) => compatible(id, other)))?.push(id)
  const most: string[] = []
  for (const id of shuffled) if (most.every((other) => compatible(id, other))) most.push(id)
  return [...dealt, most].filter((combination) => combination.length > 1)
}

/** The same order for the same seed (Fisher-Yates on a linear congruential generator). */
function shuffle(ids: readonly string[], seed: number): string[] {
  const shuffled = [...ids]
  let state = seed >>> 0
  for (let last = shuffled.length - 1; last > 0; last--) {
    state = (Math.imul(state, 1_664_525) + 1_013_904_223) >>> 0
    const at = Math.floor((state / 2 ** 32) * (last + 1))
    ;[shuffled[last], shuffled[at]] = [shuffled[at] as string, shuffled[last] as string]
  }
  return shuffled
}
