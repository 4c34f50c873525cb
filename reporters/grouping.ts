/** Texts that differ only in ids, numbers and times, and groups of items by key. */
import type { ReportedCheck } from './results.ts'

const shortestId = 8
const shortestNumber = 4

/** The text with a placeholder for ids, incident numbers, sizes and times. HTTP statuses and small counts stay. */
export function gistOf(text: string): string {
  return text
    .replace(/[\w-]+/g, (word) => (isIncidental(word) ? '#' : word))
    .replace(/\b\d{1,3}(?= (?:bytes|ms)\b)/g, '#')
}

const isIncidental = (word: string): boolean =>
  (word.length >= shortestId && /\d/.test(word)) || (word.length >= shortestNumber && /^\d+$/.test(word))

/** The items by key, in the order of the first occurrence of each key. */
export function byKey<Item, Key>(items: readonly Item[], keyOf: (item: Item) => Key): Map<Key, Item[]> {
  const groups = new Map<Key, Item[]>()
  for (const item of items) {
    const key = keyOf(item)
    const group = groups.get(key)
    if (group === undefined) groups.set(key, [item])
    else group.push(item)
  }
  return groups
}

/** Equal for similar reasons. */
export function reasonKey({ outcome, reason = '' }: Pick<ReportedCheck, 'outcome' | 'reason'>): string {
  return `${outcome}\n${gistOf(reason)}`
}
