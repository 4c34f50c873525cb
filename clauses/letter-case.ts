/** Ids in another letter case than the one they were handed out in. */

/**
 * Makes ids comparable: whether `ab` and `AB` are one id is open, so they count as one unless the provider handed out both.
 * Pure.
 */
export function inAnyCase(handedOut: readonly string[]): (id: string) => string {
  const spellings = new Map<string, Set<string>>()
  for (const id of handedOut) {
    const lower = id.toLowerCase()
    spellings.set(lower, (spellings.get(lower) ?? new Set()).add(id))
  }
  return (id) => {
    const lower = id.toLowerCase()
    return (spellings.get(lower)?.size ?? 0) > 1 ? id : lower
  }
}
