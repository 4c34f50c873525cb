/** What of a comparison a reader is shown, and in which order: the same in every rendering. Pure. */
import { type Outcome, worst } from '../../specs/outcomes.ts'
import type { Subject } from '../../specs/requirement.ts'
import { byKey } from '../alike.ts'
import {
  type Change,
  type Compared,
  type ComparedOpenPoint,
  type ComparedRequirement,
  type Comparison,
  changes,
  type Side,
} from './comparison.ts'

/** Requirements of one class that went the same way for the same reason: one cause is told once. */
export interface Group {
  readonly outcomes: readonly (Outcome | null)[]
  /** Why the later outcome; where that needs no reason, why the earlier. */
  readonly reason: string
  readonly members: readonly ComparedRequirement[]
}

export interface Section {
  readonly change: Change
  readonly count: number
  readonly groups: readonly Group[]
}

/** Of two sides: the changes, the worst first; what stayed the same is only counted. */
export function sectionsOf({ requirements }: Comparison): Section[] {
  return changes
    .filter((change) => change !== 'same')
    .map((change) => {
      const such = requirements.filter((requirement) => requirement.changes[0] === change)
      return { change, count: such.length, groups: groupsOf(such) }
    })
    .filter(({ count }) => count > 0)
}

function groupsOf(requirements: readonly ComparedRequirement[]): Group[] {
  const alike = byKey(requirements, (each) => JSON.stringify([each.outcomes, reasonOf(each)]))
  return [...alike.values()].map((members) => {
    const [first] = members as [ComparedRequirement]
    return { outcomes: first.outcomes, reason: reasonOf(first), members }
  })
}

/** Why the latest outcome is what it is; of what is fixed or gone, why it was what it was. */
export function reasonOf({ reasons }: Compared): string {
  return reasons.at(-1) || reasons[0] || ''
}

/** Checks that changed beneath a requirement that did not; those that no longer pass first. */
export function changedBeneath({ requirements, lost }: Comparison): { check: Compared; lost: boolean }[] {
  const ids = new Set(lost)
  const all = requirements
    .flatMap(({ checks }) => checks)
    .map((check) => ({ check, lost: ids.has(check.id) }))
  return [...all.filter((each) => each.lost), ...all.filter((each) => !each.lost)]
}

/** The requirements by what they speak of, for a matrix. */
export function byOperation({ requirements }: Comparison): Map<Subject, ComparedRequirement[]> {
  return byKey(requirements, ({ operation }) => operation)
}

/** All sides have the same outcome. */
export function isAlike({ outcomes }: Compared): boolean {
  return new Set(outcomes).size === 1
}

/** Operations for which the sides answer an open point with the same differences. */
export interface OpenPointGroup extends Omit<ComparedOpenPoint, 'operation'> {
  readonly operations: readonly string[]
}

/** The open points that differ, then those that not every side observed. */
export function differingPoints({ openPoints }: Comparison): OpenPointGroup[] {
  const differing = (['different', 'partly'] as const).flatMap((kind) =>
    openPoints.filter(({ difference }) => difference === kind),
  )
  const alike = byKey(differing, ({ id, observed }) => JSON.stringify([id, observed]))
  return [...alike.values()].map((points) => {
    const [{ operation: _, ...first }] = points as [ComparedOpenPoint]
    return { ...first, operations: points.map(({ operation }) => operation) }
  })
}

/** What a side is called where its verdict stands beside it. */
export const bareLabel = ({ label, judged }: Pick<Side, 'label' | 'judged'>): string =>
  judged === false ? label.replace(/, not judged$/, '') : label

/** The sides of an outcome. */
export interface Share {
  readonly outcome: Outcome | null
  readonly labels: readonly string[]
}

/** Who has which outcome, the most frequent last: the few are what a reader looks for. */
export function sharesOf({ outcomes }: Compared, { sides }: Comparison): Share[] {
  const having = byKey(
    sides.flatMap(({ label, judged }, at) =>
      judged === false ? [] : [{ label, outcome: outcomes[at] ?? null }],
    ),
    ({ outcome }) => outcome,
  )
  return [...having]
    .map(([outcome, several]) => ({ outcome, labels: several.map(({ label }) => label) }))
    .sort((one, other) => one.labels.length - other.labels.length)
}

/** The requirements that do not have the same outcome wherever there are results, those that fail on most sides first. */
export function differing({ requirements, sides }: Comparison): ComparedRequirement[] {
  const unlike = ({ outcomes }: Compared): boolean =>
    new Set(outcomes.filter((_, at) => sides[at]?.judged !== false)).size > 1
  const failing = ({ outcomes }: Compared): number => outcomes.filter((each) => each === 'failed').length
  return requirements
    .filter(unlike)
    .map((each) => ({ each, count: failing(each) }))
    .sort((one, other) => other.count - one.count)
    .map(({ each }) => each)
}

/** A side at an operation: its worst outcome, and how many requirements have it. */
export interface Heat {
  readonly outcome: Outcome | null
  readonly count: number
  readonly of: number
}

/** For each side, what it comes to at each operation. */
export function heatOf(comparison: Comparison): {
  readonly subjects: readonly Subject[]
  readonly rows: readonly (readonly Heat[])[]
} {
  const operations = [...byOperation(comparison)]
  const rows = comparison.sides.map((_, at) =>
    operations.map(([, requirements]): Heat => {
      const known = requirements.flatMap(({ outcomes }) => outcomes[at] ?? [])
      if (known.length === 0) return { outcome: null, count: 0, of: 0 }
      const outcome = worst(known)
      return { outcome, count: known.filter((each) => each === outcome).length, of: known.length }
    }),
  )
  return { subjects: operations.map(([subject]) => subject), rows }
}

/** The sides by verdict, the worst first; one that was not judged apart. */
export function byVerdict({ sides }: Comparison): Map<string, readonly Side[]> {
  const known = byKey(sides, ({ verdict, judged }): string => (judged === false ? 'not judged' : verdict))
  return new Map(
    ['not judged', 'non-conformant', 'incomplete', 'conformant'].flatMap((verdict) => {
      const several = known.get(verdict)
      return several === undefined ? [] : [[verdict, several] as const]
    }),
  )
}
