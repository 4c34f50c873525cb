/** Sends the calls of a check: in turn, in the current situation, and retried until the answer counts. Reads pages. */
import { setTimeout as sleep } from 'node:timers/promises'
import { wrongCallersOf } from '../../clauses/callers.ts'
import { isStranger } from '../../clauses/exchange.ts'
import type { ActorName } from '../../deployment/configuration/actors.ts'
import { type Answer, errorCodeOf } from '../../deployment/http/exchange.ts'
import { outOfStep } from '../../deployment/http/pace.ts'
import { type OperationId, operationOf } from '../../specs/operations.ts'
import type { ReadName } from '../../specs/profile.ts'
import { waits } from '../check.ts'
import { NotTested, Unproven } from '../findings.ts'
import type { RunExchange } from '../log/run-log.ts'
import { saysBusy } from '../patience/patience.ts'
import { perform } from '../perform.ts'
import { noteDoubt, noteMalformed } from '../refusals/refusal.ts'
import { mayWait, type RetriedCall, untilItCounts } from '../refusals/retries.ts'
import { type At, type Call, type Caller, type How, type Identity, reading } from './calls.ts'
import { keepAnswer, keepObservation, type OngoingAttempt } from './record.ts'
import { anonymous, type Situation, sentInSituation } from './situations.ts'

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

function strangersTo({ definition: { operation }, session }: OngoingAttempt): readonly IdentityOf[] {
  const wrong = operation === undefined ? [] : wrongCallersOf(operation)
  const refused = wrong.filter(({ dependsOnOwner }) => !dependsOnOwner).map(({ refused }) => refused)
  const { actors } = session.configuration
  const names = [...new Set(refused)].filter(
    (name): name is ActorName => !isStranger(name) && actors[name] !== undefined,
  )
  return [() => anonymous, ...names.map((name) => () => session.identities.of(name))]
}

/** How often and after how many ms a page is requested again. */
const readAgain = { times: 10, ms: 500 }

/** The calls of one attempt. All requests are counted in its record. */
export class CheckCalls {
  /** The callers that the operation must refuse, if configured. The first has no credential. */
  readonly strangers: readonly IdentityOf[]
  readonly #attempt: OngoingAttempt
  #refusedSoFar = 0

  constructor(attempt: OngoingAttempt) {
    this.#attempt = attempt
    this.strangers = strangersTo(attempt)
  }

  /** A caller with that identity. It throws `Unproven` if the check's time is over or its credential has ended. */
  by(identityOf: IdentityOf): Caller {
    return async (operation, at, request = {}, how = {}) => {
      const { definition, record, loan } = this.#attempt
      const { id, operations } = definition
      if (!operations.includes(operation)) throw new Error(`${id} performs ${operation} undeclared`)
      if (record.ended) throw new Unproven('the time of the check is over')
      const identity = await identityOf()
      const edits = how.gate === undefined && identity.actor === operationOf(operation).calledBy
      const edited = edits ? editedThing(operation, at) : undefined
      const waitedFor = edited !== undefined || loan.keepsOthersWaiting || waits(definition)
      const call: Call = { operation, at: at as Call['at'], request, how, waitedFor, by: id }
      const answer = await this.#inItsTurn(call, identity, edited, () =>
        this.#inItsSituation(call, identity, () => this.#sent(call, identity, identityOf)),
      )
      return keepAnswer(record, answer)
    }
  }

  /** Reads a page that the profile names, until the target shows it or the retries are used up. */
  async read(page: ReadName, at: Readonly<Record<string, string>>, by: ActorName): Promise<Answer> {
    const { definition, session, record } = this.#attempt
    const { configuration, channel } = session
    const path = configuration.profile?.reads?.[page]
    if (path === undefined) throw new Error(`${definition.id} reads ${page} undeclared`)
    for (let left = readAgain.times; ; left -= 1) {
      const identity = await session.identities.of(by)
      const answer = await this.#counted(() =>
        channel.send(() =>
          // Urgent, because others may undo the effect while a read waits.
          channel.client.read({ ...reading(configuration, identity, path, at), urgent: true }),
        ),
      )
      session.identities.sawPage(answer, identity)
      const mayShow = mayShowLater(answer) || session.identities.outlived(answer, identity)
      if (left === 0 || !mayShow) return keepAnswer(record, answer)
      await sleep(readAgain.ms * outOfStep())
    }
  }

  #performed<Id extends OperationId>(identity: Identity, call: Call<Id>): Promise<RunExchange> {
    return this.#counted(() => perform(this.#attempt.session, identity, call))
  }

  /** Counts a request of the attempt, unless it was never sent. */
  async #counted<Got>(send: () => Promise<Got>): Promise<Got> {
    const { record } = this.#attempt
    try {
      const answer = await send()
      record.requests += 1
      return answer
    } catch (error) {
      if (!(error instanceof NotTested) && !(error instanceof Unproven)) record.requests += 1
      throw error
    }
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
    return edited === undefined ? ask() : this.#attempt.session.patience.edits.run(edited, ask)
  }

  /** Sends the request until its answer counts. */
  async #sent(call: Call, identity: Identity, identityOf: IdentityOf): Promise<RunExchange> {
    const { session, record } = this.#attempt
    const send: RetriedCall['send'] = async (acting, request = call.request) => {
      const answer = await this.#performed(acting, { ...call, request: request ?? {} })
      noteMalformed(session, answer)
      return answer
    }
    const observe: RetriedCall['observe'] = (point, observed) =>
      keepObservation(this.#attempt, point, observed)
    const asking: RetriedCall = { session, call, identity, identityOf, send, observe }
    const first = mayWait(asking)
      ? await session.patience.busy.inTurn(() => send(identity))
      : await send(identity)
    return untilItCounts(asking, first, (answer) => void keepAnswer(record, answer))
  }

  /** Sends the call in the current situation. */
  #inItsSituation(call: Call, identity: Identity, send: () => Promise<RunExchange>): Promise<RunExchange> {
    const there = { ...call, at: { ...call.at, portal: call.at.portal ?? identity.portal } }
    return sentInSituation(situationFor(call.how ?? {}, this.#attempt.situation.now), send, async (what) => {
      if (what === 'empty') return this.#performed(anonymous, { ...there, request: {}, how: {} })
      const stranger = this.strangers[this.#refusedSoFar++ % this.strangers.length] as IdentityOf
      return this.#performed(await stranger(), there)
    })
  }

  /** Sends a sync in its turn. */
  #synced(at: At<'sync-workspace'>, how: How, ask: () => Promise<RunExchange>): Promise<RunExchange> {
    const { session } = this.#attempt
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
    return session.patience.syncTurns.of({ workspaceId, patient }, noted).finally(() => {
      // Only a portal starts syncs.
      if (session.channel.spoken) session.pool.synced(workspaceId)
    })
  }
}

/** Whether reading a page again may succeed: the target was busy, it failed, or a token ended on the way. */
function mayShowLater(answer: Answer): boolean {
  const code = errorCodeOf(answer)
  return saysBusy(answer) || code >= 500 || code === 498
}
