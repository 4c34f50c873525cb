/** What of a comparison a reader is shown, and in which order: the same in every rendering. Pure. */
import type { Outcome } from '../../specs/outcomes.ts'
import type { Subject } from '../../specs/requirement.ts'
import { byKey } from '../alike.ts'
import {
  type Change,
  type Compared,
  type ComparedOpenPoint,
  type ComparedRequirement,
  type Comparison,
  changes,
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
