/** The one way from a call of an operation to its answer: noted, sent, looked at. */

import type { Configuration } from '../deployment/configuration/configuration.ts'
import type { OperationId } from '../specs/operations.ts'
import type { Channel } from './channel.ts'
import { type At, type How, type Identity, outgoing, type RequestFields } from './context/calls.ts'
import type { Ledger } from './ledger.ts'
import { type Effect, type RunExchange, suiteItself } from './log/exchange.ts'
import type { RunLog } from './log/run-log.ts'
import type { Patience } from './patience/patience.ts'

/** Whom a call goes through: the session of a run. */
export interface Performer {
  readonly configuration: Configuration
  readonly channel: Pick<Channel, 'client' | 'send'>
  readonly ledger: Ledger
  readonly log: RunLog
  readonly patience: Pick<Patience, 'syncTimes'>
}

/** What somebody asks for. */
export interface Call<Id extends OperationId = OperationId> {
  readonly operation: Id
  readonly at: At<Id>
  readonly request?: RequestFields
  readonly how?: How
  /** The check that sends it; absent: the suite, for itself. */
  readonly by?: string
}

/**
 * Performs the call: refuses what the run may not change, writes it into the journal, sends it, and appends the exchange to
 * the log. Rejects as `Channel.send` and `Ledger.enter` do.
 */
export async function perform<Id extends OperationId>(
  session: Performer,
  identity: Identity,
  { operation, at, request = {}, how = {}, by = suiteItself }: Call<Id>,
): Promise<RunExchange> {
  const { channel, configuration, ledger, log } = session
  const { workspaceId } = at as Effect['at']
  const sync =
    operation === 'sync-workspace' && typeof workspaceId === 'string'
      ? session.patience.syncTimes.limitOf(workspaceId)
      : undefined
  const call = outgoing(configuration, identity, operation, at, request, how)
  const sent = sync === undefined ? call : { ...call, sync }
  const effect = { operation, actor: identity.actor, at: at as Effect['at'], request }
  const number = await ledger.enter(effect)
  const exchange = await log.exchange(effect, { sent, by }, () =>
    channel.send(() => (how.on ?? channel.client).send(sent)),
  )
  ledger.answered(number, exchange)
  return exchange
}
