/** The words that all reports use: outcomes, verdicts, parts of the contract, counts and durations. */
import { operationIds, operations } from '../specs/operations.ts'
import { type Outcome, outcomes, type Verdict } from '../specs/outcomes.ts'
import type { Subject } from '../specs/requirements.ts'

/** A sign and a word, so that neither colour nor font is needed to tell outcomes apart. */
export const outcomeWords: Readonly<Record<Outcome, { readonly sign: string; readonly word: string }>> = {
  passed: { sign: '✓', word: 'passed' },
  failed: { sign: '✗', word: 'failed' },
  warned: { sign: '!', word: 'warned' },
  inconclusive: { sign: '?', word: 'inconclusive' },
  'not-tested': { sign: '–', word: 'not tested' },
  'not-applicable': { sign: '·', word: 'not applicable' },
  waived: { sign: '~', word: 'waived' },
}

/** `✓ passed`. */
export function signed(outcome: Outcome): string {
  const { sign, word } = outcomeWords[outcome]
  return `${sign} ${word}`
}

/** A verdict looks like the outcome that makes it. */
export const verdictLooks = {
  conformant: 'passed',
  'non-conformant': 'failed',
  incomplete: 'inconclusive',
} as const satisfies Record<Verdict, Outcome>

/** `1 failed, 18 passed`; with signs, `✗ 1 failed, ✓ 18 passed`. */
export function countsInWords(counts: Readonly<Record<Outcome, number>>, signs = false): string {
  return outcomes
    .filter((outcome) => counts[outcome] > 0)
    .map((outcome) => {
      const { sign, word } = outcomeWords[outcome]
      return `${signs ? `${sign} ` : ''}${counts[outcome]} ${word}`
    })
    .join(', ')
}

const otherSubjects: Partial<Record<Subject, string>> = {
  protocol: 'Common rules of all operations (§4)',
  lifecycle: 'Interplay of the operations',
  profile: 'Rules of the profile',
}

/** The title of an operation with its section, or of what is common to all. */
export function titleOf(subject: Subject): string {
  const operation = operations.find(({ id }) => id === subject)
  return operation === undefined
    ? (otherSubjects[subject] ?? subject)
    : `${operation.title} (§${operation.section})`
}

/** The title of an operation; what is none stays as it is. */
export function operationTitle(id: string): string {
  return operations.find((operation) => operation.id === id)?.title ?? id
}

/** Operations: `all operations`, or their ids with commas. */
export function placesOf(subjects: readonly string[]): string {
  const where = [...new Set(subjects)]
  return operationIds.every((id) => where.includes(id)) ? 'all operations' : where.join(', ')
}

/** The text with a capital letter at its beginning. */
export function capitalised(text: string): string {
  return text.charAt(0).toUpperCase() + text.slice(1)
}

/** `1 check`, `2 checks`. */
export function countOf(count: number, one: string, several = `${one}s`): string {
  return `${count} ${count === 1 ? one : several}`
}

/** The first names with commas between them, and how many more there are. */
export function names(ids: readonly string[], write: (id: string) => string = (id) => id, most = 12): string {
  const left = ids.length - most
  const shown = ids.slice(0, most).map(write).join(', ')
  return left > 0 ? `${shown} and ${left} more` : shown
}

/** A duration as people read it: `12 ms`, `5.1 s`, `2 min 5 s`. */
export function durationOf(ms: number): string {
  if (ms < 1000) return `${Math.round(ms)} ms`
  if (ms < 100_000) return `${(ms / 1000).toFixed(1)} s`
  const seconds = Math.round(ms / 1000)
  return `${Math.floor(seconds / 60)} min ${seconds % 60} s`
}
