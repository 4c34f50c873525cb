/** Performs a call of an operation: recorded in the ledger, sent, and appended to the log. And the calls that clean up. */
import type { OperationId } from '../specs/operations.ts'
import { type Call, type Identity, outgoing } from './context/calls.ts'
import { type Effect, type RunExchange, suiteItself } from './log/run-log.ts'
import type { Session } from './session.ts'

/**
 * Performs the call: the ledger refuses what the run may not change, the channel sends it, the log keeps the exchange.
 * Rejects as `Channel.send` and `Ledger.record` do.
 */
export async function perform<Id extends OperationId>(
  session: Session,
  identity: Identity,
  call: Call<Id>,
): Promise<RunExchange> {
  const { channel, configuration, ledger, log, patience } = session
  const { operation, request = {}, how = {}, by = suiteItself } = call
  const at = call.at as Effect['at']
  const sync =
    operation === 'sync-workspace' && typeof at.workspaceId === 'string'
      ? patience.syncTimes.limitOf(at.workspaceId)
      : undefined
  const plain = outgoing(configuration, identity, call)
  const sent = sync === undefined ? plain : { ...plain, sync }
  const effect = { operation, actor: identity.actor, at, request }
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
