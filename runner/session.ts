/** What all checks of a run share: the target, its fixtures, and what is known about the run. */
import { type Configuration, listedFixtures, longestOf } from '../deployment/configuration/configuration.ts'
import { SignIns } from '../deployment/credentials/sign-ins.ts'
import { FixtureClient } from '../deployment/fixtures/fixture-client.ts'
import type { FixtureKind } from '../deployment/fixtures/fixture-kinds.ts'
import { withoutUndefined } from '../schemas/values.ts'
import type { OperationId } from '../specs/operations.ts'
import type { ReadName } from '../specs/profile.ts'
import { Channel } from './channel.ts'
import { Identities } from './identities.ts'
import { Ledger } from './ledger.ts'
import { ExchangeTally } from './log/counts.ts'
import { RunLog } from './log/run-log.ts'
import { Patience } from './patience/patience.ts'
import { limitsOf, Pool } from './pool/pool.ts'
import type { RunInput } from './run-input.ts'
import type { RunFacts } from './run-time.ts'
import { RunWatch } from './run-watch.ts'

/** The time limit for making one fixture in ms: a collaboration takes nine consecutive requests. */
const makingMs = 120_000
/** The number of steps until a guest takes part. */
const trustSteps = 4

export class Session {
  readonly input: RunInput
  readonly configuration: Configuration
  readonly channel: Channel
  readonly identities: Identities
  /** All fixtures of the run. */
  readonly pool: Pool
  /** What was handed out, and what is done with it. */
  readonly ledger: Ledger
  /** Every exchange, shown to all that learn from answers. */
  readonly log: RunLog
  /** Shows every exchange to the judges. */
  readonly watch: RunWatch
  /** Counts requests and answers. */
  readonly tally: ExchangeTally
  readonly patience: Patience
  /** What was tried in order to explain refusals. */
  readonly sideQuestions = new SideQuestions()

  /** Sends nothing after the signal is aborted. */
  constructor(input: RunInput, signal?: AbortSignal) {
    const { configuration, journal, began } = input
    this.input = input
    this.configuration = configuration
    this.channel = new Channel(configuration, signal)
    this.patience = new Patience(configuration)
    this.identities = new Identities(
      configuration,
      input.signIns ?? new SignIns(),
      (name) => (name === 'taskOwner' ? this.patience.runUpdater.instead : undefined) ?? name,
    )
    this.pool = this.#poolOf(input, signal)
    journal?.hideAlso((text) => this.identities.redactor.text(text))
    this.ledger = new Ledger(journal, input.mostWorkspaces, listedFixtures(configuration) !== undefined)
    this.tally = new ExchangeTally(began === undefined ? performance.now() : began - performance.timeOrigin)
    this.watch = new RunWatch({
      configuration,
      repeatCommand: input.repeatCommand,
      redactor: () => this.identities.redactor,
      began: this.tally.began,
    })
    const { syncTimes } = this.patience
    const { acceptances } = this.ledger
    const { watch, tally, identities, channel } = this
    const folds = [watch, acceptances, syncTimes, tally, identities, channel]
    this.log = new RunLog(configuration, folds)
  }

  /** What the run is seen to need, for its time limits. */
  get facts(): RunFacts {
    const { input, channel, pool, patience } = this
    return {
      requests: input.requests ?? 0,
      latencyMs: channel.latencyMs,
      perSecond: channel.client.putOff.perSecond,
      longestMs: Math.max(pool.longestMs, patience.syncTimes.longestWait),
      providerMs: pool.waitedMs,
    }
  }

  #poolOf({ configuration, provider, runId }: RunInput, signal: AbortSignal | undefined): Pool {
    const { actors, http, administration } = configuration
    // What the run makes itself takes as long as the deployment needs.
    const timeoutMs = administration && makingMs + trustSteps * longestOf(configuration, 'trust')
    return new Pool({
      provider: new FixtureClient(provider, withoutUndefined({ runId, actors, http, timeoutMs, signal })),
      limits: limitsOf(configuration),
      runId,
      onFixture: (kind, fixture, from) => {
        this.ledger.handedOut(kind, fixture)
        this.watch.knowledge.handedOut(kind, fixture, from)
        this.patience.syncTimes.handedOut(kind, fixture)
      },
      longestSyncOf: (id) => this.patience.syncTimes.longestOf(id),
    })
  }

  /** Closes all connections. */
  async close(): Promise<void> {
    await Promise.all([this.channel.close(), this.pool.close()])
  }
}

/** What the run already tried in order to explain refusals, so that each question is asked once. */
class SideQuestions {
  /** Whether the target answers like a portal. */
  portalAnswers: Promise<void> | undefined
  /** Signs of life under way, by actor. */
  readonly signsOfLife = new Map<string | undefined, Promise<void>>()
  /** Whether valid requests on two fresh fixtures of a kind are refused. */
  readonly freshFixtures = new Map<FixtureKind, Promise<boolean>>()
  /** Why an operation is flaky. */
  readonly flaky = new Map<OperationId, Promise<string | undefined>>()
  /** Whether a collaboration is gone. */
  readonly gone = new Map<string, Promise<boolean>>()
  /** Why a collaboration takes no more workspaces. */
  readonly full = new Map<string, Promise<string | undefined>>()
  /** Operations that refused valid requests for no known reason. */
  readonly doubts = new Set<OperationId>()
  /** Operations that gave a permitted caller an answer in no form of the contract. */
  readonly malformed = new Set<OperationId>()
  /** Pages that the target showed to a check. */
  readonly pagesShown = new Set<ReadName>()
  /** How many plain requests the suite has sent for itself. */
  plainRequests = 0
}
