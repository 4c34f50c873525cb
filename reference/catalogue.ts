/** Faults and variants by id. */
import { distance } from 'fastest-levenshtein'

interface Entry {
  readonly id: string
}

/** The entries of those ids. An id that nobody has is an error that names the nearest ones. */
export function select<T extends Entry>(
  kind: 'fault' | 'variant',
  entries: readonly T[],
  ids: readonly string[],
): T[] {
  return ids.map((id) => {
    const entry = entries.find((each) => each.id === id)
    if (entry !== undefined) return entry
    const nearest = entries
      .map((each) => each.id)
      .sort((one, other) => distance(one, id) - distance(other, id))
      .slice(0, 3)
    throw new Error(`There is no ${kind} "${id}". The nearest: ${nearest.join(', ')}.`)
  })
}
