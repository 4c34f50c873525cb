/** §4.6, as far as recorded traffic shows it. */
import type { OperationId } from '../specs/operations.ts'
import type { RequirementId } from '../specs/requirements.ts'
import { acceptedWhere, came, type Judge, type Look, overTime } from './clause.ts'
import { credentialOf } from './credential.ts'
import { type Exchange, isRefused } from './exchange.ts'

type Ids = Extract<RequirementId, `delete-collaboration/${string}`>

/** Longer than any deployment takes until a deletion shows everywhere on the host, in milliseconds. */
const settledMs = 60_000

export const deleteCollaborationJudges: Readonly<Partial<Record<Ids, Judge>>> = {
  'delete-collaboration/deletes': acceptedWhere(() => true),
  'delete-collaboration/gone-after-delete': overTime(() =>
    afterDelete(['add-workspace', 'update-participant'], 'the deleted collaboration is still there'),
  ),
  'delete-collaboration/delete-twice': overTime(() =>
    afterDelete(['delete-collaboration'], 'a collaboration was deleted twice'),
  ),
}

/** What is asked of a collaboration long after its deletion is refused. */
function afterDelete(operations: readonly OperationId[], message: string): Look {
  const deleted = new Map<string, Exchange>()
  const worked = new Set<string>()
  return (exchange) => {
    const { operation, recorded, baseUrl, path } = exchange
    const collaboration = JSON.stringify([baseUrl, path.portalID, path.collaborationID])
    const before = deleted.get(collaboration)
    const caller = JSON.stringify([collaboration, operation, credentialOf(exchange)])
    if (exchange.accepted !== undefined && before === undefined) {
      worked.add(caller)
      if (operation === 'delete-collaboration') deleted.set(collaboration, exchange)
      return undefined
    }
    if (before === undefined || !operations.includes(operation) || !isLater(recorded.startedAt, before))
      return undefined
    // Refused for what is gone, and not for who asks: the same caller was accepted before.
    if (isRefused(exchange)) return worked.has(caller) && credentialOf(exchange) !== '' ? 'kept' : undefined
    if (exchange.accepted === undefined) return undefined
    return {
      message,
      expected: 'refused, since the collaboration was deleted more than a minute before',
      actual: came(exchange),
      before: [before],
    }
  }
}

const isLater = (startedAt: number | undefined, { answer, recorded }: Exchange): boolean =>
  startedAt !== undefined &&
  recorded.startedAt !== undefined &&
  answer !== undefined &&
  startedAt > answer.answeredAt + settledMs
