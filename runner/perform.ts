/** The one way from a call of an operation to its answer: noted, sent, looked at. */

import type { Configuration } from '../deployment/configuration/configuration.ts'
import type { Client } from '../deployment/http/client.ts'
import type { Answer } from '../deployment/http/exchange.ts'
import type { OperationId } from '../specs/operations.ts'
import type { Effect } from './acceptances.ts'
import { type At, type How, type Identity, outgoing, type RequestFields } from './context/calls.ts'
import type { ExchangeTally } from './exchange-summary.ts'
import type { Ledger } from './ledger.ts'
import type { SyncTimes } from './patience/sync-times.ts'
import type { RunWatch } from './run-watch.ts'

/** Whom a call goes through: the session of a run. */
export interface Performer {
  readonly configuration: Configuration
  readonly client: Client
  readonly ledger: Ledger
  readonly watch: RunWatch
  readonly tally: ExchangeTally
  readonly syncTimes: SyncTimes
  send(means: () => Promise<Answer>): Promise<Answer>
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

const suiteItself = 'the suite itself'

/**
 * Performs the call: refuses what the run may not change, writes it into the journal, sends it, and has its answer
 * looked at. Rejects as `Performer.send` and `Ledger.perform` do.
 */
export async function perform<Id extends OperationId>(
  session: Performer,
  identity: Identity,
  { operation, at, request = {}, how = {}, by = suiteItself }: Call<Id>,
): Promise<Answer> {
  const { workspaceId } = at as Effect['at']
  const sync =
    operation === 'sync-workspace' && typeof workspaceId === 'string'
      ? session.syncTimes.limitOf(workspaceId)
      : undefined
  const call = outgoing(session.configuration, identity, operation, at, request, how)
  const sent = sync === undefined ? call : { ...call, sync }
  const effect = { operation, actor: identity.actor, at: at as Effect['at'], request }
  const send = () => session.send(() => (how.on ?? session.client).send(sent))
  const counted = { operation, actor: identity.actor, check: by, request: sent }
  return session.tally.watch(counted, () =>
    session.ledger.perform(effect, () => session.watch.over({ ...effect, sent, by }, send)),
  )
}
