/** Whom a judgement blames, compared with what a fault breaks. Pure. */
import type { Fault } from '../reference/faults/fault.ts'
import { isGating } from '../specs/outcomes.ts'
import { type RequirementId, requirementOf } from '../specs/requirements.ts'

interface Blame {
  /** Requirements that must have failed and did not. */
  readonly missed: readonly RequirementId[]
  /** Requirements that failed although the fault does not break them. */
  readonly wrong: readonly RequirementId[]
}

/** A random sequence of steps meets a fault by luck: the model may blame any of them, and need not. */
export const byLuck: readonly RequirementId[] = ['lifecycle/consistent']

/** What a fault breaks in one run or another. */
export const blamable = ({ breaks, mayBreak = [] }: Pick<Fault, 'breaks' | 'mayBreak'>): RequirementId[] => [
  ...breaks,
  ...mayBreak,
  ...byLuck,
]

/** Compares what failed, or was warned of, with what the fault breaks. Advice is nobody's blame. */
export function blameOf(fault: Pick<Fault, 'breaks' | 'mayBreak'>, failed: readonly RequirementId[]): Blame {
  const expected = blamable(fault)
  return {
    missed: fault.breaks.filter((id) => !failed.includes(id)),
    wrong: failed.filter((id) => !expected.includes(id) && isGating(requirementOf(id).level)),
  }
}
