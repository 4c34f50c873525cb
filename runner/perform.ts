/** Performs a call of an operation: recorded in the ledger, sent, and appended to the log. And the calls that clean up. */

import type { Configuration } from '../deployment/configuration/configuration.ts'
import type { OperationId } from '../specs/operations.ts'
import type { Channel } from './channel.ts'
import { type At, type How, type Identity, outgoing, type RequestFields } from './context/calls.ts'
import type { Ledger } from './ledger.ts'
import { type Effect, type RunExchange, type RunLog, suiteItself } from './log/run-log.ts'
import type { Patience } from './patience/patience.ts'
import type { Session } from './session.ts'

/** The parts of a session that a call needs. */
export interface Performer {
  readonly configuration: Configuration
  readonly channel: Pick<Channel, 'client' | 'send'>
  readonly ledger: Ledger
  readonly log: RunLog
  readonly patience: Pick<Patience, 'syncTimes'>
}

/** A call of an operation. */
export interface Call<Id extends OperationId = OperationId> {
  readonly operation: Id
  readonly at: At<Id>
  readonly request?: RequestFields
  readonly how?: How
  /** Other requests wait for its answer, so it goes first. */
  readonly waitedFor?: boolean
  /** The check that sends it. Absent: the suite itself. */
  readonly by?: string
}

/**
 * Performs the call: the ledger refuses what the run may not change, the channel sends it, the log keeps the exchange.
 * Rejects as `Channel.send` and `Ledger.enter` do.
 */
export async function perform<Id extends OperationId>(
  session: Performer,
  identity: Identity,
  { operation, at, request = {}, how = {}, waitedFor = false, by = suiteItself }: Call<Id>,
): Promise<RunExchange> {
  const { channel, configuration, ledger, log } = session
  const { workspaceId } = at as Effect['at']
  const sync =
    operation === 'sync-workspace' && typeof workspaceId === 'string'
      ? session.patience.syncTimes.limitOf(workspaceId)
      : undefined
  const call = outgoing(configuration, identity, operation, at, request, how)
  const sent = sync === undefined && !waitedFor ? call : { ...call, ...(sync && { sync }), waitedFor }
  const effect = { operation, actor: identity.actor, at: at as Effect['at'], request }
  ledger.record(effect)
  const exchange = await log.exchange(effect, { sent, by }, () =>
    channel.send(() => (how.on ?? channel.client).send(sent)),
  )
  ledger.answered(exchange)
  return exchange
}

/** Deletes what `effects` allows. The fixture provider cleans up the rest. */
export async function sweep(session: Session): Promise<void> {
  const { configuration, ledger } = session
  if (
    session.channel.gone ||
    configuration.actors.hostAdministrator === undefined ||
    !configuration.effects.includes('delete-collaboration')
  )
    return
  const remove = async (collaborationId: string) => {
    const identity = await session.identities.of('hostAdministrator')
    await perform(session, identity, { operation: 'delete-collaboration', at: { collaborationId } })
  }
  // No check depends on this. The provider cleans up what remains.
  await Promise.allSettled([...ledger.left].map(remove))
}
