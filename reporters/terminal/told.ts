/** Remembers what was told, so that one cause is not told a hundred times. */
import { gistOf } from '../gist.ts'
import type { ReportedCheck } from '../results.ts'

/** How a finding is told: in full, without its exchange, or by reference to the check at which the same was told. */
export type Telling = { readonly how: 'full' | 'brief' } | { readonly how: 'same'; readonly first: string }

/** Findings with the same message, or with the same answer to the same expectation, that are told in full. */
const mostFullAlike = 3
/** Beyond so many exchanges a report is no longer read: results.json holds the others. */
const mostFull = 30

export class Told {
  readonly #firstBy = new Map<string, string>()
  readonly #alike = new Map<string, number>()
  #full = 0

  /** To be asked once for each finding, in the order of the report. */
  tell({ id, outcome, failure }: ReportedCheck): Telling {
    if (failure === undefined) return { how: 'full' }
    const message = `${outcome}: ${gistOf(failure.message)}`
    const came = JSON.stringify([outcome, ...failure.expected, gistOf(failure.actual)])
    const cause = `${message}\n${came}`
    const first = this.#firstBy.get(cause)
    if (first !== undefined) return { how: 'same', first }
    this.#firstBy.set(cause, id)
    const counts = [message, came].map((key) => this.#count(key))
    if (outcome !== 'failed') return { how: 'full' }
    if (this.#full >= mostFull || counts.some((count) => count > mostFullAlike)) return { how: 'brief' }
    this.#full += 1
    return { how: 'full' }
  }

  #count(key: string): number {
    const count = (this.#alike.get(key) ?? 0) + 1
    this.#alike.set(key, count)
    return count
  }
}
