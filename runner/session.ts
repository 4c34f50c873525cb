/** What all checks of a run share: the target, its fixtures, and the bounds of the run. */
import { setTimeout as sleep } from 'node:timers/promises'
import { isStranger } from '../clauses/exchange.ts'
import { speaksLikeAPortal } from '../clauses/portal-like.ts'
import type { ActorName, PortalName } from '../deployment/configuration/actors.ts'
import {
  type Actor,
  type Configuration,
  listedFixtures,
  longestOf,
} from '../deployment/configuration/configuration.ts'
import { CredentialKeeper } from '../deployment/credentials/credential-keeper.ts'
import { CredentialError } from '../deployment/credentials/log-in.ts'
import { refererOf } from '../deployment/credentials/ready-actors.ts'
import { SignIns } from '../deployment/credentials/sign-ins.ts'
import { FixtureClient } from '../deployment/fixtures/fixture-client.ts'
import { Client } from '../deployment/http/client.ts'
import { type Answer, BodyLimitError, TransportError } from '../deployment/http/exchange.ts'
import { EffectWriter, foldedAt } from '../deployment/journal/journal-file.ts'
import { createRedactor, type Redactor } from '../deployment/redaction/redaction.ts'
import { withoutUndefined } from '../schemas/without-undefined.ts'
import type { OperationId } from '../specs/operations.ts'
import type { CheckId } from './check-result.ts'
import { CircuitBreaker } from './circuit-breaker.ts'
import type { Identity } from './context/calls.ts'
import { ExchangeTally } from './exchange-summary.ts'
import { NotTested, Unproven } from './findings.ts'
import { OneByOne } from './lanes.ts'
import { Ledger } from './ledger.ts'
import { RunLog } from './log/run-log.ts'
import { Busy } from './patience/busy.ts'
import { OpenValues } from './patience/open-values.ts'
import { RunUpdater } from './patience/run-updater.ts'
import { longestSyncOf } from './patience/sync-modes.ts'
import { SyncTimes } from './patience/sync-times.ts'
import { SyncTurns } from './patience/sync-turns.ts'
import { limitsOf } from './pool/policies.ts'
import { Pool } from './pool/pool.ts'
import { Asked } from './refusals/asked.ts'
import { remembered } from './remembered.ts'
import type { RunInput } from './run-input.ts'
import type { RunFacts } from './run-time.ts'
import { RunWatch } from './run-watch.ts'

/** The longest that making one fixture may take, in ms: a collaboration takes nine requests, one after the other. */
const makingMs = 120_000
/** So many steps it takes until a guest takes part. */
const trustSteps = 4

export class Session {
  readonly input: RunInput
  readonly configuration: Configuration
  readonly client: Client
  /** All fixtures of the run. */
  readonly pool: Pool
  /** Knows every credential so far. */
  redactor: Redactor
  /** When the run began, in ms of `performance.now()`: one origin for the times of all checks. */
  readonly began: number
  /** Answers to each check since this was last emptied. */
  readonly answered = new Map<CheckId, number>()
  /** What was handed out, and what is done with it. */
  readonly ledger: Ledger
  /** Every exchange: the watch, the tally and what was accepted are folds over it. */
  readonly log: RunLog
  /** Looks at every exchange. */
  readonly watch: RunWatch
  /** Checks that were tried again for a connection that broke. */
  triedAgain = 0
  /** What was asked on the side, to explain refusals. */
  readonly asked = new Asked()
  /** Edits of one thing, by its id. */
  readonly edits = new OneByOne()
  readonly busy = new Busy()
  /** What was found out of values that the contract leaves open. */
  readonly openValues: OpenValues
  readonly runUpdater: RunUpdater
  /** What was sent and how it was answered, in counts. */
  readonly tally: ExchangeTally
  readonly syncTimes: SyncTimes
  readonly syncTurns: SyncTurns
  readonly #signIns: SignIns
  readonly #credentials: CredentialKeeper
  readonly #breaker = new CircuitBreaker()
  readonly #stop: AbortSignal
  readonly #renewed: string[] = []
  readonly #ended = new Map<ActorName, Promise<string>>()
  #spoken = false
  #answers = 0
  #answeringMs = 0

  /** Once the signal is aborted nothing is sent any more. */
  constructor(input: RunInput, signal?: AbortSignal) {
    this.input = input
    this.#signIns = input.signIns ?? new SignIns()
    this.#stop = AbortSignal.any([this.#breaker.signal, ...(signal === undefined ? [] : [signal])])
    this.configuration = input.configuration
    const { run } = input.configuration
    this.syncTimes = new SyncTimes(
      run.settleMs,
      input.configuration.contract,
      longestSyncOf(input.configuration),
    )
    this.syncTurns = new SyncTurns(this.syncTimes)
    this.client = new Client(input.configuration, { signal: this.#stop })
    const { http, administration } = input.configuration
    // What the run makes itself takes as long as the deployment does.
    const timeoutMs = administration && makingMs + trustSteps * longestOf(input.configuration, 'trust')
    this.pool = new Pool({
      provider: new FixtureClient(
        input.fixturesUrl,
        withoutUndefined({ runId: input.runId, http, timeoutMs, signal }),
      ),
      limits: limitsOf(input.configuration),
      runId: input.runId,
      onFixture: (kind, fixture, from) => {
        this.ledger.handedOut(kind, fixture)
        this.watch.knowledge.handedOut(kind, fixture, from)
        this.syncTimes.handedOut(kind, fixture)
      },
      longestSyncOf: (id) => this.syncTimes.longestOf(id),
    })
    this.redactor = createRedactor(input.configuration)
    this.#credentials = new CredentialKeeper(input.configuration, this.#signIns, (credential) =>
      this.#hide(credential),
    )
    const { journal } = input
    const hide = (text: string): string => this.redactor.text(text)
    this.ledger = new Ledger(
      journal === undefined ? undefined : new EffectWriter(journal, hide, foldAtOf(input.configuration)),
      input.mostWorkspaces,
    )
    this.began = input.began === undefined ? performance.now() : input.began - performance.timeOrigin
    this.watch = new RunWatch({
      configuration: input.configuration,
      replayCommand: input.replayCommand,
      redactor: () => this.redactor,
      began: this.began,
    })
    this.tally = new ExchangeTally(this.began)
    const folds = [this.watch, this.ledger.acceptances, this.syncTimes, this.tally]
    this.log = new RunLog(input.configuration, folds)
    this.openValues = new OpenValues(input.configuration.contract)
    this.runUpdater = new RunUpdater(input.configuration)
  }

  /** Whether any answer so far was one of a portal. */
  get spoken(): boolean {
    return this.#spoken
  }

  /** Whether the budget of requests is used up; generated checks then end early. */
  get exhausted(): boolean {
    const { maxRequests } = this.configuration.run
    return maxRequests !== undefined && this.client.requests >= maxRequests
  }

  /** Who an actor is on the wire now. Rejects with `Unproven` where its credential ended and no other can be had. */
  identityOf(name: ActorName): Identity | Promise<Identity> {
    const bearer = (name === 'taskOwner' ? this.runUpdater.instead : undefined) ?? name
    const actor = this.configuration.actors[bearer] as Actor
    const referer = refererOf(actor)
    const { portal } = actor
    const identity = (credential: string): Identity => ({
      actor: name,
      credential,
      portal,
      ...(referer === undefined ? {} : { referer }),
    })
    const credential = this.#credentials.of(bearer)
    if (typeof credential === 'string') return identity(credential)
    return credential.then(identity, (error) => {
      throw error instanceof CredentialError
        ? new Unproven(`the credential of ${name} ended and could not be renewed: ${error.message}`)
        : error
    })
  }

  /** Somebody with a credential of that actor that has ended. Rejects with `NotTested` where none is to be had. */
  async endedIdentityOf(name: ActorName): Promise<Identity> {
    const { portal, expired } = this.configuration.actors[name] as Actor
    if (expired === undefined) throw new Error(`no credential of ${name} that has ended is configured`)
    const referer = refererOf({ portal, ...expired })
    const credential = await remembered(this.#ended, name, () => this.#endedCredential(name, expired, portal))
    return withoutUndefined({ actor: 'impostor' as const, credential, portal, referer })
  }

  async #endedCredential(
    name: ActorName,
    { credential, source }: NonNullable<Actor['expired']>,
    portal: PortalName,
  ): Promise<string> {
    if (source === undefined) return credential
    try {
      const obtained = await this.#signIns.obtain(source, portal, this.configuration)
      this.#hide(obtained.credential)
      return obtained.credential
    } catch (error) {
      if (!(error instanceof CredentialError)) throw error
      throw new NotTested(`no credential that has ended could be had: ${error.message}`, [
        `actors.${name}.expired`,
      ])
    }
  }

  #hide(credential: string): void {
    this.#renewed.push(credential)
    this.redactor = createRedactor(this.configuration, this.#renewed)
  }

  /** Whether that answer says nothing but that the credential of its request has ended. */
  outlived(answer: Answer, { actor, credential }: Identity): boolean {
    if (isStranger(actor) || credential === undefined) return false
    return this.#credentials.outlived(actor, credential, answer)
  }

  /** An answer to a request of that operation by that identity: it may show that a credential has ended. */
  saw(answer: Answer, operation: OperationId, { actor, credential }: Identity): void {
    if (actor === 'impostor') this.#breaker.wrongCredential()
    if (isStranger(actor) || credential === undefined) return
    this.#credentials.saw(actor, credential, answer)
    this.#breaker.saw(answer, `${actor} ${operation}`)
  }

  /** Why a refusal proves nothing: the credential of its actor has ended. */
  credentialEnded(answer: Answer): Unproven | undefined {
    const why = this.#credentials.endedBefore(answer)
    return why === undefined
      ? undefined
      : new Unproven(`the credential of ${answer.request.actor} ended during the run: ${why}`, [answer])
  }

  /** What the run is seen to need, for its limits of time. */
  get facts(): RunFacts {
    return {
      requests: this.input.requests ?? 0,
      latencyMs: this.#answers === 0 ? 0 : this.#answeringMs / this.#answers,
      perSecond: this.client.putOff.perSecond,
      longestMs: Math.max(this.pool.longestMs, this.syncTimes.longestWait),
      providerMs: this.pool.waitedMs,
    }
  }

  /** Whether the run was ended or the target counts as gone: nothing more is sent, and what waits is not sent either. */
  get gone(): boolean {
    return this.#stop.aborted
  }

  /** Sends by the given means unless the target counts as gone. */
  async send(means: () => Promise<Answer>): Promise<Answer> {
    for (let left = this.#breaker.restMs; left > 0 && !this.gone; left = this.#breaker.restMs)
      await sleep(left)
    if (this.gone) throw this.#nothingMore()
    const began = performance.now()
    try {
      const answer = await means()
      this.#spoken ||= speaksLikeAPortal(answer)
      this.#breaker.held()
      this.#answers += 1
      this.#answeringMs += answer.answeredAt - answer.sentAt
      return answer
    } catch (error) {
      if (!(error instanceof TransportError || error instanceof BodyLimitError)) throw error
      const stopped = error instanceof TransportError && error.fault === 'interrupted'
      if (stopped) throw this.gone ? this.#nothingMore() : error
      const fault = error instanceof TransportError ? error.fault : undefined
      // One operation that is put off for ever is no target that has gone, and what was never sent shows nothing.
      const putOff = fault === 'throttled' || fault === 'unavailable'
      if (fault !== 'not-sent') this.#breaker.broke(error.message, { began, putOff })
      throw error
    }
  }

  #nothingMore(): Unproven {
    return new Unproven(this.#breaker.signal.aborted ? this.#breaker.reason : 'the run was ended')
  }

  /** Closes all connections, and the journal. Rejects with a JournalFailure where what was left of it cannot be written. */
  async close(): Promise<void> {
    await Promise.all([this.client.close(), this.pool.close()])
    this.ledger.close()
  }
}

/** Where things are made by administration another process writes too; what was used of lists, later runs must know. */
function foldAtOf(configuration: Configuration): number {
  const { administration } = configuration
  return administration === undefined && listedFixtures(configuration) === undefined
    ? foldedAt
    : Number.POSITIVE_INFINITY
}
