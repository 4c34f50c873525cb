/** Findings that are alike: told in full a few times, then shortly, then listed with a reference. */
import { gistOf } from '../gist.ts'
import type { ReportedCheck, RequirementResult } from '../results.ts'

/** How much of a finding is shown: everything; what came and how to repeat it; one line. */
export type Telling = 'full' | 'brief' | 'listed'

export interface Told {
  readonly telling: Telling
  /** The check at which the same was told first; absent where it is this one. */
  readonly first?: string
}

/** Findings of one cause that are told in full, and then shortly. */
const mostFull = 3
const mostBrief = 17

/** However many causes there are, the page stays small enough to open. */
const mostFullInAll = 150
const mostBriefInAll = 1000

interface Seen {
  readonly first: string
  count: number
}

/** Decides how each finding is told. To be asked once for each, in the order of the page. */
export class Causes {
  readonly #seen = new Map<string, Seen>()
  #full = 0
  #brief = 0

  tell(check: ReportedCheck): Told {
    const cause = causeOf(check)
    const seen = this.#seen.get(cause) ?? { first: check.id, count: 0 }
    this.#seen.set(cause, seen)
    seen.count += 1
    const telling = this.#telling(seen.count)
    return seen.count === 1 ? { telling } : { telling, first: seen.first }
  }

  #telling(count: number): Telling {
    if (count <= mostFull && this.#full < mostFullInAll) {
      this.#full += 1
      return 'full'
    }
    if (count <= mostFull + mostBrief && this.#brief < mostBriefInAll) {
      this.#brief += 1
      return 'brief'
    }
    return 'listed'
  }
}

/** What equal findings have in common: ids and numbers in what came are no difference. */
function causeOf({ outcome, reason, failure }: ReportedCheck): string {
  const text = failure === undefined ? (reason ?? '') : `${failure.message}\n${failure.actual}`
  return `${outcome}\n${gistOf(text)}`
}

/** Whether there is something to tell of a check beyond its outcome. */
export function isFinding({ failure, outcome, evidence }: ReportedCheck): boolean {
  return (
    failure !== undefined || (outcome === 'inconclusive' && evidence !== undefined && evidence.length > 0)
  )
}

export interface CauseSummary {
  readonly check: ReportedCheck
  readonly requirement: RequirementResult
  readonly ids: readonly string[]
  readonly count: number
}

/** Links that a cause has in the summary. */
const mostIds = 8

/** What was found, cause by cause, with the number of checks that show it; failures first. */
export function causesOf(requirements: readonly RequirementResult[]): CauseSummary[] {
  const causes = new Map<
    string,
    { check: ReportedCheck; requirement: RequirementResult; ids: string[]; count: number }
  >()
  for (const requirement of requirements) {
    for (const check of requirement.checks) {
      if (check.failure === undefined) continue
      const key = causeOf(check)
      const cause = causes.get(key)
      if (cause === undefined) causes.set(key, { check, requirement, ids: [check.id], count: 1 })
      else {
        cause.count += 1
        if (cause.ids.length < mostIds) cause.ids.push(check.id)
      }
    }
  }
  const all = [...causes.values()]
  const isFailed = ({ check }: CauseSummary): boolean => check.outcome === 'failed'
  return [...all.filter(isFailed), ...all.filter((cause) => !isFailed(cause))]
}
