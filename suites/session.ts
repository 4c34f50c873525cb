/** What all checks of a worker share: the target, its fixtures, and the bounds of the run. */

import { BodyLimitError } from '../target/answer.ts'
import { Client } from '../target/client.ts'
import type { Configuration } from '../target/configuration.ts'
import { type Answer, TransportError } from '../target/exchange.ts'
import { FixtureClient } from '../target/fixture-client.ts'
import type { FixtureAnswers, FixtureKind, FixtureOptions } from '../target/fixture-kinds.ts'
import { createRedactor, type Redactor } from '../target/redaction.ts'
import { Unproven } from './findings.ts'
import { speaksLikeAPortal } from './judging/portal-like.ts'
import type { WorkerInput } from './worker-input.ts'

/** After so many exchanges in a row that broke, the target counts as gone and nothing more is sent. */
const brokenInARow = 20

export class Session {
  readonly input: WorkerInput
  readonly configuration: Configuration
  readonly client: Client
  readonly fixtures: FixtureClient
  readonly redactor: Redactor
  /** Collaborations that were handed out and not deleted since: removed at the end. */
  readonly collaborations = new Set<string>()
  readonly #gone = new AbortController()
  #broken = 0
  #spoken = false
  #lastFault = ''
  #reusableGroup: string | undefined

  constructor(input: WorkerInput) {
    this.input = input
    this.configuration = input.configuration
    this.client = new Client(input.configuration, { signal: this.#gone.signal })
    this.fixtures = new FixtureClient(input.fixturesUrl)
    this.redactor = createRedactor(input.configuration)
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
    if ('collaborationId' in fixture) this.collaborations.add(fixture.collaborationId)
    return fixture
  }

  /** Any group: one and the same for all requests where the provider lets it be used again. */
  async anyGroup(): Promise<string> {
    if (this.#reusableGroup !== undefined) return this.#reusableGroup
    const { groupId, reusable } = await this.fixtures.obtain('group', {})
    if (reusable !== false) this.#reusableGroup = groupId
    return groupId
  }

  /** Whether the target counts as gone: then nothing more is sent, and what waits for its turn is not sent either. */
  get gone(): boolean {
    return this.#gone.signal.aborted
  }

  /** Sends by the given means unless the target counts as gone. */
  async send(means: () => Promise<Answer>): Promise<Answer> {
    if (this.gone) throw this.#nothingMore()
    try {
      const answer = await means()
      this.#spoken ||= speaksLikeAPortal(answer)
      this.#broken = 0
      return answer
    } catch (error) {
      if (!(error instanceof TransportError || error instanceof BodyLimitError)) throw error
      const stopped = error instanceof TransportError && error.fault === 'interrupted'
      if (stopped) throw this.gone ? this.#nothingMore() : error
      this.#broken += 1
      this.#lastFault = error.message
      if (this.#broken >= brokenInARow) this.#gone.abort()
      throw error
    }
  }

  #nothingMore(): Unproven {
    return new Unproven(
      `nothing more is sent after ${brokenInARow} broken exchanges in a row; the last: ${this.#lastFault}`,
    )
  }

  /** Closes all connections. */
  async close(): Promise<void> {
    await this.client.close()
  }
}
