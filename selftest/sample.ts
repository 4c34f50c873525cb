/** A part of the faults: the stories, and some of the places of each rule. */
import type { Fault } from '../reference/faults/fault.ts'

/** Which of so many parts; together they have every place. */
export interface Sample {
  readonly part: number
  readonly of: number
}

/** Every place of every rule. */
export const everything: Sample = { part: 1, of: 1 }

/**
 * Faults that are stories of their own are in each part. Of a rule that holds at many places a part has each n-th one. A
 * requirement that no fault of the part breaks gets the first one that does: each part proves all of them.
 */
export function sampled(faults: readonly Fault[], { part, of }: Sample): readonly Fault[] {
  const places = new Map<string, number>()
  const isDrawn = ({ rule }: Fault): boolean => {
    if (rule === undefined) return true
    const place = places.get(rule) ?? 0
    places.set(rule, place + 1)
    return place % of === part - 1
  }
  const drawn = new Set(faults.filter(isDrawn))
  const broken = new Set([...drawn].flatMap(({ breaks }) => breaks))
  for (const fault of faults) {
    if (fault.breaks.every((id) => broken.has(id))) continue
    drawn.add(fault)
    for (const id of fault.breaks) broken.add(id)
  }
  return faults.filter((fault) => drawn.has(fault))
}
