/** The id of a run: it stands in results and journal, and marks what the run makes. */
import { randomBytes } from 'node:crypto'

export function newRunId(): string {
  return `pc-${randomBytes(4).toString('hex')}`
}
