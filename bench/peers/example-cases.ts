/** For tools that send each example of the document once. */
import { operationIds } from '../../specs/operations.ts'
import type { Case } from './cases.ts'

/** How many cases of each operation make about that many requests; reassign items has one only. */
export function copiesFor(requests: number): number {
  return Math.max(1, Math.round((requests - 1) / (operationIds.length - 1)))
}

/** The operation that has that path, for complaints that say the same of every portal. */
export function operationAt(path: string, cases: readonly Pick<Case, 'path' | 'operation'>[]): string {
  return cases.find((each) => path.endsWith(each.path))?.operation ?? 'elsewhere'
}
