/** What became of an outcome: the classes of a comparison. Pure. */
import type { Outcome } from '../../specs/outcomes.ts'
import type { Change } from './comparison.ts'

const notKept = (outcome: Outcome | null): boolean => outcome === 'failed' || outcome === 'warned'

/** The class of a change; null stands for an id that one side does not know. */
export function changeOf(before: Outcome | null, after: Outcome | null): Change {
  if (before === null) return after === null ? 'same' : 'new'
  if (after === null) return 'gone'
  if (before === after) return before === 'failed' ? 'still-failing' : 'same'
  if (before === 'passed') return notKept(after) ? 'broken' : after === 'waived' ? 'changed' : 'lost'
  return after === 'passed' && (notKept(before) || before === 'waived') ? 'fixed' : 'changed'
}

/**
 * Whether something that passed no longer does: broken, not judged any more, or gone. A failure that is waived is none:
 * its owner has answered for it, and it does not gate elsewhere either.
 */
export function isLost(before: Outcome | null, after: Outcome | null): boolean {
  return before === 'passed' && after !== 'passed' && after !== 'waived'
}
