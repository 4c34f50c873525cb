/** What to add to a configuration so that more of it can be judged, most useful first. Pure. */
import type { RequirementId } from '../specs/requirements.ts'

/** A check that is not tested, or one that is; `add` as in `Without`. */
export interface Lacking {
  readonly requirement: RequirementId
  /** Absent or empty: the check is judged, or nothing that can be added would change that. */
  readonly add?: readonly string[] | undefined
}

/** Things that are of use together. The counts rest on all steps before it. */
export interface Step {
  readonly add: readonly string[]
  /** How many more checks can be made. */
  readonly checks: number
  /** Requirements that more checks can then be made of. */
  readonly requirements: readonly RequirementId[]
}

/** Steps after which nothing is lacking; each is the one that opens the most checks for a thing to add. */
export function whatToAdd(all: readonly Lacking[]): Step[] {
  let open = all.filter(({ add = [] }) => add.length > 0) as Required<Lacking>[]
  const added = new Set<string>()
  const steps: Step[] = []
  while (open.length > 0) {
    const missing = open.map(({ add }) => (add as readonly string[]).filter((key) => !added.has(key)))
    const best = different(missing)
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
  /** Places of the checks that lack nothing but these. */
  readonly opened: readonly number[]
}

/** Each set once, in the order in which it came first. */
function different(sets: readonly (readonly string[])[]): (readonly string[])[] {
  const known = new Map<string, readonly string[]>()
  for (const keys of sets) {
    const name = [...keys].sort().join(' ')
    if (!known.has(name)) known.set(name, keys)
  }
  return [...known.values()]
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
