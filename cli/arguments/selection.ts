/** Refuses --operation and --requirement that select nothing, with the nearest names. */
import { distance } from 'fastest-levenshtein'
import type { CheckDefinition } from '../../runner/check.ts'
import { isSelected } from '../../runner/plan.ts'
import type { Selection } from '../../runner/run-input.ts'
import { usageError } from '../command-error.ts'

/** Throws a usage error if a part of the selection, or the whole, selects no check. */
export function refuseEmptySelection(selection: Selection, checks: readonly CheckDefinition[]): void {
  const operations = [...new Set(checks.map(({ operation }) => operation ?? 'lifecycle'))]
  for (const id of selection.operations) {
    if (operations.some((operation) => operation === id)) continue
    throw usageError(
      `--operation ${id}: there is no such operation${nearest(id, operations)}. Known are ${operations.join(', ')}`,
    )
  }
  const ids = new Set(checks.flatMap(({ id, requirement }) => [idsBelow(requirement), requirement, id]))
  for (const glob of selection.requirements) {
    if (checks.some((check) => isSelected(check, { operations: [], requirements: [glob] }))) continue
    throw usageError(
      `--requirement ${glob}: matches nothing${nearest(glob, [...ids])}. All ids: portal-conformance requirements`,
    )
  }
  if (checks.some((check) => isSelected(check, selection))) return
  throw usageError('nothing is selected: no check matches both --operation and --requirement')
}

/** A glob for the requirements that share the first word of this one, such as add-workspace/*. */
const idsBelow = (requirement: string): string => requirement.replace(/\/.*/, '/*')

/** The known words that resemble the given one most, as the end of a message. */
export function nearest(given: string, known: readonly string[]): string {
  const suggestions = [...known]
    .sort((one, other) => distance(one, given) - distance(other, given))
    .slice(0, 3)
  return `; near are ${suggestions.join(', ')}`
}
