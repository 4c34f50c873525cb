/** What all checks of a worker share: the target, its fixtures, and the bounds of the run. */

import type { Actor, ActorName, Configuration } from '../target/configuration/configuration.ts'
import { CredentialKeeper } from '../target/credentials/credential-keeper.ts'
import { CredentialError } from '../target/credentials/obtained.ts'
import { refererOf } from '../target/credentials/ready-actors.ts'
import { FixtureClient } from '../target/fixtures/fixture-client.ts'
import type { FixtureAnswers, FixtureKind, FixtureOptions } from '../target/fixtures/fixture-kinds.ts'
import { BodyLimitError } from '../target/http/answer.ts'
import { Client } from '../target/http/client.ts'
import { type Answer, TransportError } from '../target/http/exchange.ts'
import { JournalWriter } from '../target/journal/journal-writer.ts'
import { createRedactor, type Redactor } from '../target/redaction/redaction.ts'
import type { CheckId } from './check-result.ts'
import { CircuitBreaker } from './circuit-breaker.ts'
import { CollaborationUse } from './collaboration-use.ts'
import type { ActingIdentity } from './context/calls.ts'
import { ExchangeTally } from './exchange-summary.ts'
import { Unproven } from './findings.ts'
import { speaksLikeAPortal } from './judging/portal-like.ts'
import { Ledger } from './ledger.ts'
import { addPlainWorkspace } from './plain-workspace.ts'
import { syncsHoldUp } from './sync-isolation.ts'
import { SyncTimes } from './sync-times.ts'
import { SyncTurns } from './sync-turns.ts'
import type { WorkerInput } from './worker-input.ts'

export class Session {
  readonly input: WorkerInput
  readonly configuration: Configuration
  readonly client: Client
  readonly fixtures: FixtureClient
  /** Knows every credential so far. */
  redactor: Redactor
  /** When the run began, in ms of `performance.now()`: one origin for the times of all checks. */
  readonly began: number
  /** Answers to each check since this was last emptied. */
  readonly answered = new Map<CheckId, number>()
  /** What was handed out, and what is done with it. */
  readonly ledger: Ledger
  /** What was sent and how it was answered, in counts. */
  readonly tally: ExchangeTally
  readonly collaborations = new CollaborationUse((...place) => addPlainWorkspace(this, ...place))
  readonly syncTimes: SyncTimes
  readonly syncTurns: SyncTurns
  readonly #credentials: CredentialKeeper
  readonly #breaker = new CircuitBreaker()
  #spoken = false
  #reusableGroup: string | undefined

  constructor(input: WorkerInput) {
    this.input = input
    this.configuration = input.configuration
    this.syncTimes = new SyncTimes(input.configuration.run.settleMs)
    this.syncTurns = new SyncTurns({
      holdUp: () => syncsHoldUp(this),
      over: () => this.syncTimes.over(),
      patienceMs: input.configuration.http.timeoutMs,
    })
    this.client = new Client(input.configuration, { signal: this.#breaker.signal })
    this.fixtures = new FixtureClient(input.fixturesUrl, {
      runId: input.runId,
      http: input.configuration.http,
    })
    this.redactor = createRedactor(input.configuration)
    const renewed: string[] = []
    this.#credentials = new CredentialKeeper(input.configuration, (credential) => {
      renewed.push(credential)
      this.redactor = createRedactor(input.configuration, renewed)
    })
    const { journal } = input
    const hide = (text: string): string => this.redactor.text(text)
    this.ledger = new Ledger(journal === undefined ? undefined : new JournalWriter(journal, hide))
    this.began = input.began === undefined ? performance.now() : input.began - performance.timeOrigin
    this.tally = new ExchangeTally(this.began)
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

  /** A fixture of the provider, fresh unless the provider says otherwise. */
  async obtain<Kind extends FixtureKind>(
    kind: Kind,
    options: FixtureOptions[Kind],
  ): Promise<FixtureAnswers[Kind]> {
    const fixture = await this.fixtures.obtain(kind, options)
    this.ledger.handedOut(kind, fixture)
    this.syncTimes.handedOut(kind, fixture)
    return fixture
  }

  /** Who an actor is on the wire now. Rejects with `Unproven` where its credential ended and no other can be had. */
  identityOf(name: ActorName): ActingIdentity | Promise<ActingIdentity> {
    const actor = this.configuration.actors[name] as Actor
    const referer = refererOf(actor)
    const { portal } = actor
    const identity = (credential: string): ActingIdentity => ({
      actor: name,
      credential,
      portal,
      ...(referer === undefined ? {} : { referer }),
    })
    const credential = this.#credentials.of(name)
    if (typeof credential === 'string') return identity(credential)
    return credential.then(identity, (error) => {
      throw error instanceof CredentialError
        ? new Unproven(`the credential of ${name} ended and could not be renewed: ${error.message}`)
        : error
    })
  }

  /** Any group: one and the same for all requests where the provider lets it be used again. */
  async anyGroup(): Promise<string> {
    if (this.#reusableGroup !== undefined) return this.#reusableGroup
    const { groupId, reusable } = await this.obtain('group', {})
    if (reusable !== false) this.#reusableGroup = groupId
    return groupId
  }

  /** Whether the target counts as gone: then nothing more is sent, and what waits for its turn is not sent either. */
  get gone(): boolean {
    return this.#breaker.signal.aborted
  }

  /** Sends by the given means unless the target counts as gone. */
  async send(means: () => Promise<Answer>): Promise<Answer> {
    if (this.gone) throw this.#nothingMore()
    try {
      const answer = await means()
      this.#spoken ||= speaksLikeAPortal(answer)
      this.#breaker.held()
      return answer
    } catch (error) {
      if (!(error instanceof TransportError || error instanceof BodyLimitError)) throw error
      const stopped = error instanceof TransportError && error.fault === 'interrupted'
      if (stopped) throw this.gone ? this.#nothingMore() : error
      this.#breaker.broke(error.message)
      throw error
    }
  }

  #nothingMore(): Unproven {
    return new Unproven(this.#breaker.reason)
  }

  /** Closes all connections. */
  async close(): Promise<void> {
    await this.client.close()
  }
}
