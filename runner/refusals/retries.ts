/**
 * Why a refused request is retried at once: something else than the request may be the reason. The run tries these retries in
 * the order of the list, and begins again with each new refusal. `explanations.ts` says what a refusal that stays may prove.
 */
import { acceptanceIfRead } from '../../clauses/acceptance.ts'
import type { OpenPointId } from '../../specs/open-points.ts'
import { operationOf } from '../../specs/operations.ts'
import type { Identity, RequestFields } from '../context/calls.ts'
import { vainOften } from '../effort.ts'
import { Unproven } from '../findings.ts'
import type { RunExchange } from '../log/exchange.ts'
import { saysBusy } from '../patience/busy.ts'
import type { Call } from '../perform.ts'
import type { Session } from '../session.ts'

/** A request of a check that is retried until its answer counts. */
export interface Asking {
  readonly session: Session
  readonly call: Call
  /** Who sent it last. */
  identity: Identity
  /** Who sends it, with the credential of that moment. */
  readonly identityOf: () => Identity | Promise<Identity>
  /** Sends it once, as it is or with another request, by that identity. */
  readonly send: (identity: Identity, request?: RequestFields) => Promise<RunExchange>
  /** Notes what the target does with an open point. */
  readonly observe: (point: OpenPointId, observed: string) => void
}

interface Retry {
  readonly name: string
  /** Whether this may be the reason of the refusal. `time`: how often this was retried already. */
  readonly may: (asking: Asking, answer: RunExchange, time: number) => boolean
  /** The answer to the retry. Rejects where the refusal says nothing of the target. */
  readonly again: (asking: Asking, answer: RunExchange, time: number) => Promise<RunExchange>
  /** Learns from an accepted request. */
  readonly accepted?: (asking: Asking) => void
}

/** Whether nothing depends on the moment at which it is sent, and on its method. */
const isPlain = ({ call: { how = {} } }: Asking): boolean =>
  how.gate === undefined && how.method === undefined

/** Whether it may go again when the target is free: syncs have turns of their own. */
export const isAtLeisure = (asking: Asking): boolean =>
  isPlain(asking) && asking.call.operation !== 'sync-workspace'

/** In order. */
export const retries: readonly Retry[] = [
  {
    name: 'the target is busy',
    may: (asking, answer, time) => time === 0 && isAtLeisure(asking) && saysBusy(answer),
    again: ({ session, call, identity, send }, answer) =>
      session.patience.busy.again(call.operation, () => send(identity), answer),
  },
  {
    name: 'the credential of the caller ended on its way',
    may: ({ session, identity }, answer) => session.identities.outlived(answer, identity),
    again: async (asking, answer, time) => {
      // One of several that were to go together cannot go again alone.
      if (time === vainOften || asking.call.how?.gate !== undefined)
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
      isPlain(asking),
    again: byUpdater,
  },
  {
    name: 'a value is open',
    may: (asking, _, time) => time === 0 && mayBeForItsValues(asking),
    again: async ({ session, call: { operation, request = {} }, identity, send }, answer) => {
      await session.patience.openValues.refused(operation, request, (changed) => send(identity, changed))
      return answer
    },
    accepted: (asking) => {
      const { operation, request = {} } = asking.call
      if (mayBeForItsValues(asking)) asking.session.patience.openValues.accepted(operation, request)
    },
  },
]

/** The answer that counts: the first one, or that to the last retry. Calls `keep` with the last answer before it rejects. */
export async function untilItCounts(
  asking: Asking,
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

/** The answer to an administrator who may update the runs of tasks; that to their owner where there is none. */
async function byUpdater(
  { session, identity, send, observe }: Asking,
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
  // Somebody was found while the owner asked.
  const now = await session.identities.of('taskOwner')
  return now.credential === identity.credential ? answer : send(now)
}

/** Whether the permitted caller asks; what is refused in a collaboration that is gone is no matter of values. */
function mayBeForItsValues({ session, call, identity }: Asking): boolean {
  const { operation, at, how = {} } = call
  const byWhoMay = identity.actor === operationOf(operation).calledBy
  return byWhoMay && how.method === undefined && !session.watch.isGone(at)
}
