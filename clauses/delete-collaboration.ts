/** Judges of "delete collaboration" (§4.6): who may delete, and that the collaboration is gone afterwards. */
import type { OperationId } from '../specs/operations.ts'
import {
  acceptedAfter,
  atMostOneWins,
  each,
  type Judge,
  type JudgesOf,
  type Look,
  mustBeRefused,
  withMemory,
} from './clause.ts'
import { type Exchange, isRefused, isStranger } from './exchange.ts'
import { collaborationKey, type Facts } from './facts.ts'

export const deleteCollaborationJudges: JudgesOf<'delete-collaboration'> = {
  'delete-collaboration/gone-after-delete': afterDelete(
    ['add-workspace', 'update-participant'],
    'the deleted collaboration is still there',
    ({ settleMs }) => settleMs,
  ),
  'delete-collaboration/sharing-stops': afterDelete(
    ['sync-workspace'],
    'a workspace of a deleted collaboration was synced after the guest had refreshed',
    ({ settleMs, guestRefreshMs }) => guestRefreshMs && guestRefreshMs + settleMs,
  ),
  'delete-collaboration/delete-twice': afterDelete(
    ['delete-collaboration'],
    'a collaboration was deleted twice',
    ({ settleMs }) => settleMs,
  ),
  'delete-collaboration/concurrent-once': atMostOneWins(
    (exchange) => [collaborationKey(exchange)],
    'simultaneous deletes of one collaboration were accepted',
  ),
  'delete-collaboration/refused-delete-has-no-effect': acceptedAfter({
    happened: (exchange) => (isDelete(exchange) && isRefused(exchange) ? [collaborationKey(exchange)] : []),
    used: (exchange) => (isDelete(exchange) ? [] : [collaborationKey(exchange)]),
  }),
  'delete-collaboration/others-unaffected': withMemory(othersLiveAfterDelete),
}

const isDelete = ({ operation }: Exchange): boolean => operation === 'delete-collaboration'

/** Something is accepted in a collaboration after another one was deleted. */
function othersLiveAfterDelete(): Look {
  const deleted = new Map<string, string>()
  return (exchange) => {
    const { accepted, baseUrl } = exchange
    if (accepted === undefined) return undefined
    if (isDelete(exchange)) {
      deleted.set(baseUrl, collaborationKey(exchange))
      return undefined
    }
    const gone = deleted.get(baseUrl)
    return gone !== undefined && gone !== collaborationKey(exchange) ? 'kept' : undefined
  }
}

/** Requests in a deleted collaboration are refused once the deletion has had time to take effect. */
function afterDelete(
  operations: readonly OperationId[],
  message: string,
  within: (run: Facts['run']) => number | undefined,
): Judge {
  return each((exchange, facts) => {
    if (!operations.includes(exchange.operation)) return undefined
    const deletion = facts.deletionOf(exchange)
    const waited = within(facts.run)
    const { askedAt } = exchange
    if (deletion?.answeredAt === undefined || askedAt === undefined || waited === undefined) return undefined
    if (askedAt <= deletion.answeredAt + waited) return undefined
    // An accepted stranger breaks another requirement.
    if (exchange.accepted !== undefined && isStranger(exchange.caller)) return undefined
    // If the same caller was accepted there before, a refusal is about the collaboration and not about the caller.
    return mustBeRefused(exchange, () => facts.workedBeforeFor(exchange), {
      message,
      expected: `refused, since the collaboration was deleted more than ${Math.round(waited / 100) / 10} s before`,
      before: [deletion],
    })
  })
}
