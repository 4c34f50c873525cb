/** What to add to a configuration so that more checks can run, most useful first. Pure. */
import type { RequirementId } from '../specs/requirements.ts'

/** A check and what it lacks, as in `Without`. */
export interface Lacking {
  readonly requirement: RequirementId
  /** Absent or empty: the check runs, or nothing to add would help. */
  readonly add?: readonly string[] | undefined
}

/** Things to add together. The counts assume all earlier steps. */
export interface Step {
  readonly add: readonly string[]
  /** How many more checks can run. */
  readonly checks: number
  /** The requirements of these checks. */
  readonly requirements: readonly RequirementId[]
}

/** Steps until nothing is missing. Each step enables the most checks for each thing to add. */
export function whatToAdd(all: readonly Lacking[]): Step[] {
  let open = all.filter(({ add = [] }) => add.length > 0) as Required<Lacking>[]
  const added = new Set<string>()
  const steps: Step[] = []
  while (open.length > 0) {
    const missing = open.map(({ add }) => (add as readonly string[]).filter((key) => !added.has(key)))
    const best = missing
      .map((keys) => ({ keys, opened: openedBy(keys, missing) }))
      .reduce((one, other) => (isBetter(other, one) ? other : one))
    const now = open.filter((_, at) => best.opened.includes(at))
    steps.push({
      add: best.keys,
      checks: now.length,
      requirements: [...new Set(now.map(({ requirement }) => requirement))],
    })
    for (const key of best.keys) added.add(key)
    open = open.filter((_, at) => !best.opened.includes(at))
  }
  return steps
}

interface Candidate {
  readonly keys: readonly string[]
  /** Indexes of the checks that need nothing else. */
  readonly opened: readonly number[]
}

function openedBy(keys: readonly string[], missing: readonly (readonly string[])[]): number[] {
  const offered = new Set(keys)
  return missing.flatMap((needed, at) => (needed.every((key) => offered.has(key)) ? [at] : []))
}

function isBetter(one: Candidate, other: Candidate): boolean {
  const [left, right] = [one, other].map(({ keys, opened }) => opened.length / keys.length) as [
    number,
    number,
  ]
  return left > right || (left === right && one.keys.length < other.keys.length)
}
