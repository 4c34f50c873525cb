/** Texts that differ only in ids, numbers and times. */
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

/** Equal for similar reasons. */
export function reasonKey({ outcome, reason = '' }: Pick<ReportedCheck, 'outcome' | 'reason'>): string {
  return `${outcome}\n${gistOf(reason)}`
}
