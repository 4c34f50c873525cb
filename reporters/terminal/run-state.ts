/** How far a run is: what its progress view shows. Times are in milliseconds of any one clock. */

import type { CheckResult } from '../../runner/check-result.ts'
import type { PlannedCheck } from '../../runner/plan.ts'
import type { Pulse } from '../../runner/pulse.ts'
import type { Outcome } from '../../specs/outcomes.ts'
import type { Subject } from '../../specs/requirement.ts'
import { requirementOf } from '../../specs/requirements.ts'

export interface SubjectState {
  readonly subject: Subject
  readonly total: number
  done: number
  failed: number
  /** How many came to each outcome, failures among them. */
  readonly outcomes: Partial<Record<Outcome, number>>
}

/** The rate of requests is that of so many milliseconds. */
const rateWindowMs = 3000
/** Before so much is done, in time and as a share of all checks, the time left is anybody's guess. */
const leastElapsedMs = 1500
const leastShare = 0.1

export class RunState {
  readonly subjects: readonly SubjectState[]
  readonly total: number
  done = 0
  failed = 0
  requests = 0
  readonly #pending: Map<string, SubjectState>
  #pulse: Pulse | undefined
  #samples: { readonly at: number; readonly requests: number }[] = []
  #began: number | undefined

  /** `planned`: every check of the suite; those that will not be judged do not count. */
  constructor(planned: readonly PlannedCheck[]) {
    const judged = planned.filter(({ without }) => without === undefined)
    const subjects = new Map<Subject, SubjectState>()
    const subjectOf = ({ requirement }: PlannedCheck): Subject => requirementOf(requirement).operation
    for (const subject of judged.map(subjectOf)) {
      const total = (subjects.get(subject)?.total ?? 0) + 1
      subjects.set(subject, { subject, total, done: 0, failed: 0, outcomes: {} })
    }
    this.subjects = [...subjects.values()]
    this.total = judged.length
    this.#pending = new Map(judged.map((plan) => [plan.id, subjects.get(subjectOf(plan)) as SubjectState]))
  }

  /** Whether anything was heard of the checks yet. */
  get underWay(): boolean {
    return this.#began !== undefined
  }

  /** The subject of the check that is over; undefined where it was over before or does not count. */
  checkDone({ id, outcome, requests }: CheckResult, now: number): SubjectState | undefined {
    const state = this.#pending.get(id)
    if (state === undefined) return undefined
    this.#pending.delete(id)
    this.#began ??= now
    // Pulses count the requests of checks that are not over, too.
    if (this.#pulse === undefined) this.requests += requests
    this.done += 1
    state.done += 1
    state.outcomes[outcome] = (state.outcomes[outcome] ?? 0) + 1
    if (outcome !== 'failed') return state
    this.failed += 1
    state.failed += 1
    return state
  }

  heard(pulse: Pulse, now: number): void {
    this.#began ??= now
    this.#pulse = pulse
    this.requests = pulse.requests
    this.#samples.push({ at: now, requests: pulse.requests })
    this.#samples = this.#samples.filter(({ at }) => now - at <= rateWindowMs)
  }

  /** Checks that are under way: the names of some, and how many more. */
  current(): { readonly names: readonly string[]; readonly others: number } {
    const { current = [], others = 0 } = this.#pulse ?? {}
    return { names: current.filter((id) => this.#pending.has(id)), others }
  }

  /** Requests a second, lately; undefined while that is not known. */
  get rate(): number | undefined {
    const [first, last] = [this.#samples[0], this.#samples.at(-1)]
    if (first === undefined || last === undefined || last.at === first.at) return undefined
    return ((last.requests - first.requests) * 1000) / (last.at - first.at)
  }

  /** An estimate from the checks that are over; undefined while that says too little. */
  timeLeft(now: number): number | undefined {
    if (this.#began === undefined || this.done < this.total * leastShare) return undefined
    const elapsed = now - this.#began
    return elapsed < leastElapsedMs ? undefined : (elapsed * (this.total - this.done)) / this.done
  }
}
