/** Which operations a release and edition have (§9). */

import type { Configuration } from '../deployment/configuration/configuration.ts'
import type { Operation } from '../specs/operation.ts'
import type { OperationId } from '../specs/operations.ts'

/** Why the operation does not exist in that release and edition (§9); absent: it does. */
export function missingInRelease(
  { introduced, title }: Operation,
  id: OperationId,
  { version, edition, offers }: Configuration['target'],
): string | undefined {
  if (introduced === undefined || offers.includes(id)) return undefined
  if (edition !== undefined && introduced.editions !== undefined && !introduced.editions.includes(edition)) {
    return `the contract shows no version of "${title}" for the ${edition} edition; list it under target.offers if this deployment has it`
  }
  if (version === undefined || compareReleases(version, introduced.release) >= 0) return undefined
  return `"${title}" appeared in release ${introduced.release}, the target is ${version}`
}

/** Negative where release a is before b: numbers between the dots are compared. */
export function compareReleases(a: string, b: string): number {
  const [left, right] = [a, b].map((release) =>
    release.split('.').map((part) => Number.parseInt(part, 10) || 0),
  )
  for (let at = 0; at < Math.max(left!.length, right!.length); at += 1) {
    const difference = (left![at] ?? 0) - (right![at] ?? 0)
    if (difference !== 0) return difference
  }
  return 0
}
