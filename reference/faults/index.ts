/** Every fault that the embedded portal can be given. */
import { answerFaults, answerProducts } from './answers.ts'
import { callerProducts } from './callers.ts'
import { deletionFaults, deletionProducts, deletionStories } from './deletions.ts'
import type { Fault, Product } from './fault.ts'
import { formFaults, formProducts } from './forms.ts'
import { idProducts } from './ids.ts'
import { itemProducts } from './items.ts'
import { limitFaults, limitProducts } from './limits.ts'
import { readBackProducts } from './read-back.ts'
import { reassignmentFaults, reassignmentStories } from './reassignments.ts'
import { refusalProducts } from './refusals.ts'
import { rightProducts } from './rights.ts'
import { strangerFaults, strangerProducts, strangerStories } from './strangers.ts'
import { syncProducts, syncStories } from './syncs.ts'
import { textProducts } from './texts.ts'
import { updateStories } from './updates.ts'
import { workspaceFaults, workspaceProducts, workspaceStories } from './workspaces.ts'

const judged: readonly Product[] = [
  ...formProducts,
  ...limitProducts,
  ...textProducts,
  ...workspaceProducts,
  ...refusalProducts,
  ...answerProducts,
  ...idProducts,
  ...callerProducts,
  ...rightProducts,
  ...strangerProducts,
  ...itemProducts,
  ...syncProducts,
  ...deletionProducts,
]

/** Rules, each with the places where it applies; those that only reading shows stand last. */
export const products: readonly Product[] = [...judged, ...readBackProducts]

/** All but those that only reading back shows. */
export const faults: readonly Fault[] = [
  ...judged.flatMap((each) => each.faults),
  ...formFaults,
  ...limitFaults,
  ...workspaceFaults,
  ...workspaceStories,
  ...answerFaults,
  ...strangerFaults,
  ...strangerStories,
  ...reassignmentFaults,
  ...reassignmentStories,
  ...syncStories,
  ...deletionFaults,
  ...deletionStories,
  ...updateStories,
]
