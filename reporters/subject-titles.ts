/** What reports call the parts of the contract. */
import { operations } from '../specs/operations.ts'
import type { Subject } from '../specs/requirement.ts'

const others: Partial<Record<Subject, string>> = {
  protocol: 'Common rules of all operations (§4)',
  lifecycle: 'Interplay of the operations',
  profile: 'Rules of the profile',
}

/** The title of an operation with its section, or of what is common to all. */
export function titleOf(subject: Subject): string {
  const operation = operations.find(({ id }) => id === subject)
  return operation === undefined ? (others[subject] ?? subject) : `${operation.title} (§${operation.section})`
}
