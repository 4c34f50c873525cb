/** Whether a fault was found, and blamed on the right requirements. Pure. */

import type { Fault } from '../../reference/faults/fault.ts'
import type { RequirementId } from '../../specs/requirements.ts'

export interface Blame {
  /** Requirements that must have failed and did not. */
  readonly missed: readonly RequirementId[]
  /** Requirements that failed although the fault does not break them. */
  readonly wrong: readonly RequirementId[]
}

/** A random sequence of steps meets a fault by luck: the model may blame any of them, and need not. */
const byLuck: readonly RequirementId[] = ['lifecycle/consistent']

/** Compares what failed with what the fault breaks. */
export function blameOf(
  { breaks, mayBreak = [] }: Pick<Fault, 'breaks' | 'mayBreak'>,
  failed: readonly RequirementId[],
): Blame {
  return {
    missed: breaks.filter((id) => !failed.includes(id)),
    wrong: failed.filter((id) => ![...breaks, ...mayBreak, ...byLuck].includes(id)),
  }
}
