/**
 * Retries a refused request at once if something else than the request may be the reason. `explanations.ts` handles
 * refusals that remain.
 */
import { acceptanceIfRead, isMalformed } from '../../clauses/acceptance.ts'
import type { OpenPointId } from '../../specs/open-points.ts'
import { operationOf } from '../../specs/operations.ts'
import type { Call, Identity, RequestFields } from '../context/calls.ts'
import { attemptsWithoutSuccess } from '../effort.ts'
import { Unproven } from '../findings.ts'
import type { RunExchange } from '../log/run-log.ts'
import { saysBusy } from '../patience/patience.ts'
import type { Session } from '../session.ts'

/** A request of a check that is retried until its answer counts. */
export interface RetriedCall {
  readonly session: Session
  readonly call: Call
  /** Who sent it last. */
  identity: Identity
  /** The caller with its current credential. */
  readonly identityOf: () => Identity | Promise<Identity>
  /** Sends it once by that identity, with another request if given. */
  readonly send: (identity: Identity, request?: RequestFields) => Promise<RunExchange>
  /** Records what the target does at an open point. */
  readonly observe: (point: OpenPointId, observed: string) => void
}

/** Whether the request depends on no moment and no method, and may be retried. */
const mayBeRetried = ({ call: { how = {} } }: RetriedCall): boolean =>
  how.gate === undefined && how.method === undefined && how.once !== true

/** Whether the request may be sent again when the target is free. Syncs have their own turns. */
export const mayWait = (asking: RetriedCall): boolean =>
  mayBeRetried(asking) && asking.call.operation !== 'sync-workspace'

const isRefused = (answer: RunExchange): boolean => acceptanceIfRead(answer)?.accepted === false

/** Whether the credential of the caller expired before the request arrived. */
const hasOutlived = ({ session, identity }: RetriedCall, answer: RunExchange): boolean =>
  session.identities.outlived(answer, identity)

/**
 * The answer that counts: the first one, or the answer to the last retry. Calls `keep` with the last answer before it
 * rejects, because the refusal says nothing about the target.
 */
export async function untilItCounts(
  asking: RetriedCall,
  first: RunExchange,
  keep: (answer: RunExchange) => void,
): Promise<RunExchange> {
  const { session, call } = asking
  const { operation, request = {} } = call
  let answer = first
  try {
    if (mayWait(asking) && saysBusy(answer))
      answer = await session.patience.busy.again(() => asking.send(asking.identity), answer)
    for (let time = 0; isRefused(answer) && hasOutlived(asking, answer); time += 1) {
      // A request that must start together with others cannot be retried alone.
      if (time === attemptsWithoutSuccess || call.how?.gate !== undefined)
        throw new Unproven(`the credential of ${asking.identity.actor} ended on its way`, [answer])
      asking.identity = await asking.identityOf()
      answer = await asking.send(asking.identity)
    }
    if (isRefused(answer)) answer = await asAdministrator(asking, answer)
    // A malformed success is no refusal of a value.
    const mayRefuseValues = isRefused(answer) && call.how?.once !== true && !isMalformed(answer)
    if (mayRefuseValues && mayBeAboutValues(asking))
      await session.patience.openValues.refused(operation, request, (changed) =>
        asking.send(asking.identity, changed),
      )
  } catch (error) {
    keep(answer)
    throw error
  }
  if (acceptanceIfRead(answer)?.accepted && mayBeAboutValues(asking))
    session.patience.openValues.accepted(operation, request)
  return answer
}

/** If the owner of a task may not update its runs, retries as an administrator who may. The first answer otherwise. */
async function asAdministrator(asking: RetriedCall, answer: RunExchange): Promise<RunExchange> {
  const { session, call, identity, send, observe } = asking
  const isByOwner = call.operation === 'update-task-run' && identity.actor === 'taskOwner'
  if (!isByOwner || !mayBeRetried(asking)) return answer
  const { runUpdater } = session.patience
  const found = await runUpdater.find(session.ledger.acceptances, async (name) =>
    send({ ...(await session.identities.of(name)), actor: identity.actor }),
  )
  if (found !== undefined) {
    observe('run-capability', `the owner of a task is refused, ${runUpdater.instead} is not`)
    return found
  }
  if (runUpdater.instead === undefined) return answer
  // A parallel request found an administrator meanwhile.
  const now = await session.identities.of('taskOwner')
  return now.credential === identity.credential ? answer : send(now)
}

/** Whether the permitted caller sends it. In a deleted collaboration the values do not matter. */
function mayBeAboutValues({ session, call, identity }: RetriedCall): boolean {
  const { operation, at, how = {} } = call
  const byWhoMay = identity.actor === operationOf(operation).calledBy
  return byWhoMay && how.method === undefined && !session.watch.hasDeleted(at)
}
