/**
 * What is alike in a report, by one rule. Findings are alike where the same requirement came out the same way, in the
 * same words but for ids, numbers and times; reasons are alike where the outcome and the words are, whatever they
 * belong to.
 */
import type { ReportedCheck, RequirementResult } from './results.ts'

const shortestId = 8
const shortestNumber = 4

/** The text with a mark in place of ids, incident numbers, sizes and times; HTTP statuses and small counts stay. */
export function gistOf(text: string): string {
  return text
    .replace(/[\w-]+/g, (word) => (isIncidental(word) ? '#' : word))
    .replace(/\b\d{1,3}(?= (?:bytes|ms)\b)/g, '#')
}

const isIncidental = (word: string): boolean =>
  (word.length >= shortestId && /\d/.test(word)) || (word.length >= shortestNumber && /^\d+$/.test(word))

/** The items by key, in the order in which the keys come first. */
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

/** Equal for findings that are alike. */
export function findingKey(
  { id }: Pick<RequirementResult, 'id'>,
  { outcome, reason, failure }: Pick<ReportedCheck, 'outcome' | 'reason' | 'failure'>,
): string {
  const text = failure === undefined ? (reason ?? '') : `${failure.message}\n${failure.actual}`
  return `${id}\n${outcome}\n${gistOf(text)}`
}

/** Equal for reasons that are alike. */
export function reasonKey({ outcome, reason = '' }: Pick<ReportedCheck, 'outcome' | 'reason'>): string {
  return `${outcome}\n${gistOf(reason)}`
}

/** How much of a finding is told: everything; what came and how to repeat it; one line. */
export interface Telling {
  readonly how: 'full' | 'brief' | 'listed'
  /** The check at which one that is alike was told first; absent where it is this one. */
  readonly first?: string
}

/** How many findings a report tells in full and shortly before it only lists them. */
export interface Room {
  /** Of those that are alike. */
  readonly fullAlike: number
  readonly briefAlike: number
  /** In full, of those with the same message, or with the same answer to the same expectation. */
  readonly fullAkin: number
  readonly full: number
  readonly brief: number
}

/** Decides how each finding is told, so that no cause is told a hundred times. To be asked in the order of the report. */
export class Tellings {
  readonly #room: Room
  readonly #alike = new Map<string, { readonly first: string; count: number }>()
  readonly #akin = new Map<string, number>()
  #full = 0
  #brief = 0

  constructor(room: Room) {
    this.#room = room
  }

  tell(requirement: RequirementResult, check: ReportedCheck): Telling {
    const key = findingKey(requirement, check)
    const seen = this.#alike.get(key) ?? { first: check.id, count: 0 }
    this.#alike.set(key, seen)
    seen.count += 1
    const how = this.#howMuch(check, seen.count)
    return seen.count === 1 ? { how } : { how, first: seen.first }
  }

  #howMuch({ outcome, failure }: ReportedCheck, count: number): Telling['how'] {
    const { fullAlike, briefAlike, fullAkin, full, brief } = this.#room
    if (count > fullAlike + briefAlike) return 'listed'
    const akin = Number.isFinite(fullAkin) ? this.#akinTo(outcome, failure) : 0
    if (count <= fullAlike && akin <= fullAkin && this.#full < full) {
      this.#full += 1
      return 'full'
    }
    if (this.#brief >= brief) return 'listed'
    this.#brief += 1
    return 'brief'
  }

  #akinTo(outcome: ReportedCheck['outcome'], failure: ReportedCheck['failure']): number {
    const message = `${outcome}: ${gistOf(failure?.message ?? '')}`
    const came = JSON.stringify([outcome, ...(failure?.expected ?? []), gistOf(failure?.actual ?? '')])
    return Math.max(...[message, came].map((each) => this.#count(each)))
  }

  #count(key: string): number {
    const count = (this.#akin.get(key) ?? 0) + 1
    this.#akin.set(key, count)
    return count
  }
}
