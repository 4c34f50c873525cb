/**
 * When a refused request is retried at once, because something else may be the reason. The run tries the list in order
 * and starts again after each new refusal. `explanations.ts` handles refusals that remain.
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

interface Retry {
  readonly name: string
  /** Whether this may be the reason of the refusal. `time`: how often this retry was used already. */
  readonly may: (asking: RetriedCall, answer: RunExchange, time: number) => boolean
  /** Retries and returns the answer. Rejects if the refusal says nothing about the target. */
  readonly again: (asking: RetriedCall, answer: RunExchange, time: number) => Promise<RunExchange>
  /** Learns from an accepted request. */
  readonly accepted?: (asking: RetriedCall) => void
}

/** Whether the request depends on no moment and no method, and may be retried. */
const mayBeRetried = ({ call: { how = {} } }: RetriedCall): boolean =>
  how.gate === undefined && how.method === undefined && how.once !== true

/** Whether the request may be sent again when the target is free. Syncs have their own turns. */
export const mayWait = (asking: RetriedCall): boolean =>
  mayBeRetried(asking) && asking.call.operation !== 'sync-workspace'

/** In order. */
export const retries: readonly Retry[] = [
  {
    name: 'the target is busy',
    may: (asking, answer, time) => time === 0 && mayWait(asking) && saysBusy(answer),
    again: ({ session, identity, send }, answer) => session.patience.busy.again(() => send(identity), answer),
  },
  {
    name: 'the credential of the caller expired before the request arrived',
    may: ({ session, identity }, answer) => session.identities.outlived(answer, identity),
    again: async (asking, answer, time) => {
      // A request that must start together with others cannot be retried alone.
      if (time === attemptsWithoutSuccess || asking.call.how?.gate !== undefined)
        throw new Unproven(`the credential of ${asking.identity.actor} ended on its way`, [answer])
      asking.identity = await asking.identityOf()
      return asking.send(asking.identity)
    },
  },
  {
    name: 'the owner of a task may not update its runs, and an administrator may',
    may: (asking, _, time) =>
      time === 0 &&
      asking.call.operation === 'update-task-run' &&
      asking.identity.actor === 'taskOwner' &&
      mayBeRetried(asking),
    again: asAdministrator,
  },
  {
    name: 'a value is open',
    // A malformed success is no refusal of a value.
    may: (asking, answer, time) =>
      time === 0 && asking.call.how?.once !== true && mayBeAboutValues(asking) && !isMalformed(answer),
    again: async ({ session, call: { operation, request = {} }, identity, send }, answer) => {
      await session.patience.openValues.refused(operation, request, (changed) => send(identity, changed))
      return answer
    },
    accepted: (asking) => {
      const { operation, request = {} } = asking.call
      if (mayBeAboutValues(asking)) asking.session.patience.openValues.accepted(operation, request)
    },
  },
]

/**
 * The answer that counts: the first one, or the answer to the last retry. Calls `keep` with the last answer before it
 * rejects.
 */
export async function untilItCounts(
  asking: RetriedCall,
  first: RunExchange,
  keep: (answer: RunExchange) => void,
): Promise<RunExchange> {
  const times = new Map<Retry, number>()
  let answer = first
  try {
    for (;;) {
      if (acceptanceIfRead(answer)?.accepted !== false) break
      const next = retries.find((each) => each.may(asking, answer, times.get(each) ?? 0))
      if (next === undefined) break
      const time = times.get(next) ?? 0
      times.set(next, time + 1)
      answer = await next.again(asking, answer, time)
    }
  } catch (error) {
    keep(answer)
    throw error
  }
  if (acceptanceIfRead(answer)?.accepted) for (const { accepted } of retries) accepted?.(asking)
  return answer
}

/** Retries as an administrator who may update runs. The first answer if there is none. */
async function asAdministrator(
  { session, identity, send, observe }: RetriedCall,
  answer: RunExchange,
): Promise<RunExchange> {
  const { runUpdater } = session.patience
  const as = async (name: Parameters<typeof session.identities.of>[0]): Promise<RunExchange> =>
    send({ ...(await session.identities.of(name)), actor: identity.actor })
  const found = await runUpdater.find(session.ledger.acceptances, as)
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
