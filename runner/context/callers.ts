/** Sends the calls of a check: in turn, in the current situation, and retried until the answer counts. */
import { wrongCallersOf } from '../../clauses/callers.ts'
import { isStranger } from '../../clauses/exchange.ts'
import type { ActorName } from '../../deployment/configuration/actors.ts'
import type { Answer } from '../../deployment/http/exchange.ts'
import { type OperationId, operationOf } from '../../specs/operations.ts'
import type { CheckDefinition } from '../check.ts'
import { Unproven } from '../findings.ts'
import type { RunExchange } from '../log/run-log.ts'
import { type Call, perform } from '../perform.ts'
import type { Loan } from '../pool/loan.ts'
import { mayWait, type RetriedCall, untilItCounts } from '../refusals/retries.ts'
import { noteDoubt, noteMalformed } from '../refusals/unexplained.ts'
import { subSeed } from '../seeds.ts'
import type { Session } from '../session.ts'
import type { At, Caller, How, Identity } from './calls.ts'
import { type AttemptRecord, keepAnswer, observation } from './record.ts'
import {
  anonymous,
  type Refused,
  type Situation,
  type SituationOfAttempt,
  sendCompany,
  sentInSituation,
} from './situations.ts'

/** One in this many requests after an equal refused request is also sent beside another refused request. */
const oneInBeside = 3

/** The thing that an operation edits. Two edits of one thing must not overlap. Undefined if it edits none. */
function editedThing(operation: OperationId, at: object): string | undefined {
  const { collaborationId, federationId } = at as { collaborationId?: string; federationId?: string }
  if (operation === 'add-workspace' || operation === 'update-participant') return collaborationId
  return operation === 'update-federation' ? federationId : undefined
}

/** The situation of a request. Always plain if the check itself controls when or how it is sent. */
function situationFor({ gate, on, method, urgent }: How, now: Situation): Situation {
  const plainly = gate === undefined && on === undefined && method === undefined && urgent === undefined
  return plainly ? now : 'plain'
}

/** The identity of a caller at the moment of a call. */
type IdentityOf = () => Identity | Promise<Identity>

/** The callers that the operation must refuse, if configured. The first has no credential. */
export function strangersTo({ operation }: CheckDefinition, session: Session): readonly IdentityOf[] {
  const wrong = operation === undefined ? [] : wrongCallersOf(operation)
  const refused = wrong.filter(({ dependsOnOwner }) => !dependsOnOwner).map(({ refused }) => refused)
  const { actors } = session.configuration
  const names = [...new Set(refused)].filter(
    (name): name is ActorName => !isStranger(name) && actors[name] !== undefined,
  )
  return [() => anonymous, ...names.map((name) => () => session.identities.of(name))]
}

interface CallsOfAttempt {
  readonly record: AttemptRecord
  readonly strangers: readonly IdentityOf[]
  readonly situation: SituationOfAttempt
  readonly loan: Pick<Loan, 'keepsOthersWaiting'>
}

/** The calls of one attempt. All requests are counted in its record. */
export class CheckCalls {
  readonly #definition: CheckDefinition
  readonly #session: Session
  readonly #record: AttemptRecord
  readonly #strangers: readonly IdentityOf[]
  readonly #situation: SituationOfAttempt
  readonly #loan: CallsOfAttempt['loan']
  #refusedSoFar = 0
  /** The index of the next refused request to send before, and beside, another. */
  readonly #turn: { before: number; beside: number }

  /** `strangers`: see `strangersTo`. */
  constructor(
    definition: CheckDefinition,
    session: Session,
    { record, strangers, situation, loan }: CallsOfAttempt,
  ) {
    this.#definition = definition
    this.#session = session
    this.#record = record
    this.#strangers = strangers
    this.#situation = situation
    this.#loan = loan
    // Each check starts at another place of the list, for every seed, so that no kind depends on checks with many
    // requests.
    const begin = subSeed(0, `${definition.id}/refused`)
    this.#turn = { before: begin, beside: begin }
  }

  /** A caller with that identity. It throws `Unproven` if the check's time is over or its credential has ended. */
  by(identityOf: IdentityOf): Caller {
    return async (operation, at, request = {}, how = {}) => {
      const { id, operations } = this.#definition
      if (!operations.includes(operation)) throw new Error(`${id} performs ${operation} undeclared`)
      if (this.#record.ended) throw new Unproven('the time of the check is over')
      const known = identityOf()
      const identity = known instanceof Promise ? await known : known
      const edits = how.gate === undefined && identity.actor === operationOf(operation).calledBy
      const edited = edits ? editedThing(operation, at) : undefined
      const waitedFor = edited !== undefined || this.#loan.keepsOthersWaiting
      const call: Call = { operation, at: at as Call['at'], request, how, waitedFor, by: id }
      const answer = await this.#inItsTurn(call, identity, edited, () =>
        this.#inItsSituation(call, identity, () => this.#sent(call, identity, identityOf)),
      )
      return keepAnswer(this.#record, answer)
    }
  }

  #performed<Id extends OperationId>(identity: Identity, call: Call<Id>): Promise<RunExchange> {
    this.#record.requests += 1
    return perform(this.#session, identity, call)
  }

  /** Syncs wait for each other, as do edits of the same thing. Requests at a gate go at once. */
  #inItsTurn(
    { operation, at, how = {} }: Call,
    { actor }: Identity,
    edited: string | undefined,
    ask: () => Promise<RunExchange>,
  ): Promise<RunExchange> {
    if (operation === 'sync-workspace' && actor === 'syncInitiator' && how.method !== 'GET')
      return this.#synced(at as At<'sync-workspace'>, how, ask)
    return edited === undefined ? ask() : this.#session.patience.edits.run(edited, ask)
  }

  /** Sends the request until its answer counts. */
  async #sent(call: Call, identity: Identity, identityOf: IdentityOf): Promise<RunExchange> {
    const session = this.#session
    const send: RetriedCall['send'] = async (acting, request = call.request) => {
      const answer = await this.#performed(acting, { ...call, request: request ?? {} })
      noteMalformed(session, answer)
      return answer
    }
    const observe: RetriedCall['observe'] = (point, observed) =>
      void this.#record.observations.push(observation(this.#definition, point, observed))
    const asking: RetriedCall = { session, call, identity, identityOf, send, observe }
    const first = mayWait(asking)
      ? await session.patience.busy.inTurn(call.operation, () => send(identity))
      : await send(identity)
    return untilItCounts(asking, first, (answer) => void keepAnswer(this.#record, answer))
  }

  /** Sends a request that must be refused: before or beside the call, or the same call by a wrong caller. */
  async #refused(call: Call, what: Refused): Promise<Answer> {
    if (what === 'the same') {
      const stranger = this.#strangers[this.#refusedSoFar++ % this.#strangers.length] as IdentityOf
      return this.#performed(await stranger(), call)
    }
    return sendCompany(what, this.#turn[what]++, {
      session: this.#session,
      call,
      // Waiting for the call includes waiting for its companion.
      performed: (identity, other) =>
        this.#performed(identity, { ...other, waitedFor: call.waitedFor ?? false }),
      by: this.#definition.id,
    })
  }

  /** Sends the call in the current situation. */
  #inItsSituation(call: Call, identity: Identity, send: () => Promise<RunExchange>): Promise<RunExchange> {
    const situation = situationFor(call.how ?? {}, this.#situation.now)
    const refuse = (what: Refused) =>
      this.#refused({ ...call, at: { ...call.at, portal: call.at.portal ?? identity.portal } }, what)
    const beside = situation === 'after-the-same' && this.#isDrawn()
    return sentInSituation(
      situation,
      beside ? () => sentInSituation('in-company', send, refuse) : send,
      refuse,
    )
  }

  /** Whether this request after an equal refused request is also sent beside another refused request. */
  #isDrawn(): boolean {
    const { seed } = this.#session.configuration.run
    return Math.abs(subSeed(seed, `${this.#definition.id}/beside/${this.#refusedSoFar}`)) % oneInBeside === 0
  }

  /** Sends a sync in its turn. */
  #synced(at: At<'sync-workspace'>, how: How, ask: () => Promise<RunExchange>): Promise<RunExchange> {
    const session = this.#session
    const { workspaceId, collaborationId } = at
    const permitted =
      session.watch.knowledge.placeOf(workspaceId) === collaborationId && !session.watch.hasDeleted(at)
    const patient = permitted && how.once !== true && how.gate === undefined
    const noted = async (): Promise<RunExchange> => {
      const answer = await ask()
      // A sync is retried only if the target says that it is busy. Plain syncs at the end of the run show other
      // flakiness.
      if (permitted) noteDoubt(session, [answer])
      return answer
    }
    return session.patience.syncTurns.of({ workspaceId, permitted, patient }, noted).finally(() => {
      // Only a portal starts syncs.
      if (session.channel.spoken) session.pool.synced(workspaceId)
    })
  }
}
