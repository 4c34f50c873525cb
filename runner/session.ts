/** What all checks of a run share: the target, its fixtures, and what is known of the run. */
import { type Configuration, listedFixtures, longestOf } from '../deployment/configuration/configuration.ts'
import { SignIns } from '../deployment/credentials/sign-ins.ts'
import { FixtureClient } from '../deployment/fixtures/fixture-client.ts'
import { EffectWriter, foldedAt } from '../deployment/journal/journal-file.ts'
import { withoutUndefined } from '../schemas/without-undefined.ts'
import { Channel } from './channel.ts'
import { ExchangeTally } from './exchange-summary.ts'
import { Identities } from './identities.ts'
import { Ledger } from './ledger.ts'
import { RunLog } from './log/run-log.ts'
import { Patience } from './patience/patience.ts'
import { limitsOf } from './pool/policies.ts'
import { Pool } from './pool/pool.ts'
import { SideQuestions } from './refusals/side-questions.ts'
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
  readonly channel: Channel
  readonly identities: Identities
  /** All fixtures of the run. */
  readonly pool: Pool
  /** What was handed out, and what is done with it. */
  readonly ledger: Ledger
  /** Every exchange: the watch, the tally and what was accepted are folds over it. */
  readonly log: RunLog
  /** Looks at every exchange. */
  readonly watch: RunWatch
  /** What was sent and how it was answered, in counts. */
  readonly tally: ExchangeTally
  readonly patience: Patience
  /** What was asked on the side, to explain refusals. */
  readonly asked = new SideQuestions()

  /** Once the signal is aborted nothing is sent any more. */
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
    const hide = (text: string): string => this.identities.redactor.text(text)
    this.ledger = new Ledger(
      journal === undefined ? undefined : new EffectWriter(journal, hide, foldAtOf(configuration)),
      input.mostWorkspaces,
    )
    this.tally = new ExchangeTally(began === undefined ? performance.now() : began - performance.timeOrigin)
    this.watch = new RunWatch({
      configuration,
      replayCommand: input.replayCommand,
      redactor: () => this.identities.redactor,
      began: this.tally.began,
    })
    const { syncTimes } = this.patience
    this.log = new RunLog(configuration, [this.watch, this.ledger.acceptances, syncTimes, this.tally])
  }

  /** What the run is seen to need, for its limits of time. */
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

  #poolOf({ configuration, fixturesUrl, runId }: RunInput, signal: AbortSignal | undefined): Pool {
    const { http, administration } = configuration
    // What the run makes itself takes as long as the deployment does.
    const timeoutMs = administration && makingMs + trustSteps * longestOf(configuration, 'trust')
    return new Pool({
      provider: new FixtureClient(fixturesUrl, withoutUndefined({ runId, http, timeoutMs, signal })),
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

  /** Closes all connections, and the journal. Rejects with a JournalFailure where what was left of it cannot be written. */
  async close(): Promise<void> {
    await Promise.all([this.channel.close(), this.pool.close()])
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
