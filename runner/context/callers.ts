/** How the calls of a check go: in whose turn, in which situation, and until their answers count. */
import { wrongCallersOf } from '../../clauses/callers.ts'
import { isStranger } from '../../clauses/exchange.ts'
import type { ActorName } from '../../deployment/configuration/actors.ts'
import type { Answer } from '../../deployment/http/exchange.ts'
import { type OperationId, operationOf } from '../../specs/operations.ts'
import type { CheckDefinition } from '../check.ts'
import { Unproven } from '../findings.ts'
import type { RunExchange } from '../log/exchange.ts'
import { type Call, perform } from '../perform.ts'
import { type Asking, isAtLeisure, untilItCounts } from '../refusals/retries.ts'
import { subSeed } from '../seeds.ts'
import type { Session } from '../session.ts'
import type { At, Caller, How, Identity } from './calls.ts'
import { type AttemptRecord, keepAnswer, observation } from './record.ts'
import { nobody, refusedWith } from './refusals.ts'
import { type Refused, type Situation, type SituationOfAttempt, sentInSituation } from './situations.ts'

/** Of so many requests that come right after a refused one for the same one comes beside another, too. */
const oneBeside = 3

/** What edits of it may not meet; undefined where an operation edits nothing that others edit at the same moment. */
function thingOf(operation: OperationId, at: object): string | undefined {
  const { collaborationId, federationId } = at as { collaborationId?: string; federationId?: string }
  if (operation === 'add-workspace' || operation === 'update-participant') return collaborationId
  return operation === 'update-federation' ? federationId : undefined
}

/** In which situation such a request goes: in none where it is told when to go, or on what. */
function situationFor({ gate, on, method, urgent }: How, now: Situation): Situation {
  const plainly = gate === undefined && on === undefined && method === undefined && urgent === undefined
  return plainly ? now : 'plain'
}

/** Who calls, as he is at that moment. */
type IdentityOf = () => Identity | Promise<Identity>

/** Those whom the operation of a check must refuse, as far as they are configured; the first has no credential. */
export function strangersTo({ operation }: CheckDefinition, session: Session): readonly IdentityOf[] {
  const wrong = operation === undefined ? [] : wrongCallersOf(operation)
  const refused = wrong.filter(({ dependsOnOwner }) => !dependsOnOwner).map(({ refused }) => refused)
  const { actors } = session.configuration
  const names = [...new Set(refused)].filter(
    (name): name is ActorName => !isStranger(name) && actors[name] !== undefined,
  )
  return [() => nobody, ...names.map((name) => () => session.identities.of(name))]
}

interface CallsOfAttempt {
  readonly record: AttemptRecord
  readonly strangers: readonly IdentityOf[]
  readonly situation: SituationOfAttempt
}

/** The calls of one attempt of a check, in whose record all that they send is counted. */
export class CheckCalls {
  readonly #definition: CheckDefinition
  readonly #session: Session
  readonly #record: AttemptRecord
  readonly #strangers: readonly IdentityOf[]
  readonly #situation: SituationOfAttempt
  #refusedSoFar = 0
  /** Which refused request goes next before another, and beside another. */
  readonly #turn: { before: number; beside: number }

  /** `strangers`: see `strangersTo`. */
  constructor(
    definition: CheckDefinition,
    session: Session,
    { record, strangers, situation }: CallsOfAttempt,
  ) {
    this.#definition = definition
    this.#session = session
    this.#record = record
    this.#strangers = strangers
    this.#situation = situation
    // Each check begins elsewhere in the list, so that no kind is left to checks of many requests; with every seed there.
    const begin = subSeed(0, `${definition.id}/refused`)
    this.#turn = { before: begin, beside: begin }
  }

  /** A caller of that identity. It throws `Unproven` where the time of the check is over, or its credential ended. */
  by(identityOf: IdentityOf): Caller {
    return async (operation, at, request = {}, how = {}) => {
      const { id, operations } = this.#definition
      if (!operations.includes(operation)) throw new Error(`${id} performs ${operation} undeclared`)
      if (this.#record.ended) throw new Unproven('the time of the check is over')
      const known = identityOf()
      const identity = known instanceof Promise ? await known : known
      const call: Call = { operation, at: at as Call['at'], request, how, by: id }
      const answer = await this.#inItsTurn(call, identity, () =>
        this.#inItsSituation(call, identity, () => this.#sent(call, identity, identityOf)),
      )
      return keepAnswer(this.#record, answer)
    }
  }

  #performed<Id extends OperationId>(identity: Identity, call: Call<Id>): Promise<RunExchange> {
    this.#record.requests += 1
    return perform(this.#session, identity, call)
  }

  /** Syncs wait for each other, and edits of one thing; what is released at a gate goes at once. */
  #inItsTurn(call: Call, { actor }: Identity, ask: () => Promise<RunExchange>): Promise<RunExchange> {
    const { operation, at, how = {} } = call
    if (operation === 'sync-workspace' && actor === 'syncInitiator' && how.method !== 'GET')
      return this.#synced(at as At<'sync-workspace'>, how, ask)
    const edits = how.gate === undefined && actor === operationOf(operation).calledBy
    const edited = edits ? thingOf(operation, at) : undefined
    return edited === undefined ? ask() : this.#session.patience.edits.run(edited, ask)
  }

  /** Sends it until its answer counts. */
  async #sent(call: Call, identity: Identity, identityOf: IdentityOf): Promise<RunExchange> {
    const session = this.#session
    const send: Asking['send'] = async (acting, request = call.request) => {
      const answer = await this.#performed(acting, { ...call, request: request ?? {} })
      session.identities.saw(answer, acting)
      session.channel.saw(answer, call.operation, acting)
      return answer
    }
    const observe: Asking['observe'] = (point, observed) =>
      void this.#record.observations.push(observation(this.#definition, point, observed))
    const asking: Asking = { session, call, identity, identityOf, send, observe }
    const first = isAtLeisure(asking)
      ? await session.patience.busy.inTurn(call.operation, () => send(identity))
      : await send(identity)
    return untilItCounts(asking, first, (answer) => void keepAnswer(this.#record, answer))
  }

  /** Sends what is refused before a request or beside it, or asks for the same as somebody who is refused. */
  async #refused(call: Call, what: Refused): Promise<Answer> {
    if (what === 'the same') {
      const stranger = this.#strangers[this.#refusedSoFar++ % this.#strangers.length] as IdentityOf
      return this.#performed(await stranger(), call)
    }
    return refusedWith(what, this.#turn[what]++, {
      session: this.#session,
      call,
      performed: (identity, other) => this.#performed(identity, other),
      by: this.#definition.id,
    })
  }

  /** Sends it in the situation that its check looks at now. */
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

  /** Whether this request, right after a refused one for the same, comes beside another, too. */
  #isDrawn(): boolean {
    const { seed } = this.#session.configuration.run
    return Math.abs(subSeed(seed, `${this.#definition.id}/beside/${this.#refusedSoFar}`)) % oneBeside === 0
  }

  /** Sends a sync once it is its turn. */
  #synced(at: At<'sync-workspace'>, how: How, ask: () => Promise<RunExchange>): Promise<RunExchange> {
    const session = this.#session
    const { workspaceId, collaborationId } = at
    const permitted =
      session.watch.knowledge.placeOf(workspaceId) === collaborationId && !session.watch.isGone(at)
    const patient = permitted && how.once !== true && how.gate === undefined
    return session.patience.syncTurns.of({ workspaceId, permitted, patient }, ask).finally(() => {
      // What is no portal starts nothing.
      if (session.channel.spoken) session.pool.synced(workspaceId)
    })
  }
}
