/** Where the same was observed. */
import { operationIds } from '../specs/operations.ts'
import type { Observation } from '../suites/check-result.ts'

/** The operations of observations that are alike: `all operations`, or their ids with commas. */
export function placesOf(alike: readonly Observation[]): string {
  const where = [...new Set(alike.map(({ operation }) => operation))]
  return operationIds.every((id) => where.includes(id)) ? 'all operations' : where.join(', ')
}
