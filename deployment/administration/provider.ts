/** A provider that makes fixtures and actors by administrative operations of the deployment. */

import type { Configuration } from '../configuration/configuration.ts'
import type { SignIns } from '../credentials/sign-ins.ts'
import {
  FixtureFailure,
  type FixtureKind,
  type FixtureOptions,
  type FixtureProvider,
  type FixtureReply,
  providerBy,
} from '../fixtures/fixture-kinds.ts'
import { Things } from '../journal/journal.ts'
import { ifRefused } from './administrator.ts'
import { announcementOf, type Needs } from './announcement.ts'
import { FixtureMaking, type OnMade } from './fixture-making.ts'
import { Maker } from './maker.ts'
import { keptLines, type OnRemoved, removeMade } from './removal.ts'

export interface Beginning {
  readonly needs: Needs
  /** Notes each thing before it is made. Absent: only this process remembers the things. */
  readonly things?: Things
  readonly signal: AbortSignal
  readonly onProgress?: OnMade
}

/** How many leftovers the end of a run reports. */
const mostReported = 20

export class AdministrationFixtures {
  readonly provider: FixtureProvider
  readonly #signIns: SignIns
  #things: Things
  #configuration: Configuration
  #making: FixtureMaking | undefined

  /** `things`: what an earlier process made, for this one to remove. */
  constructor(configuration: Configuration, signIns: SignIns, things = new Things()) {
    this.#configuration = configuration
    this.#signIns = signIns
    this.#things = things
    this.provider = providerBy((kind, options) => this.#offer(kind, options))
  }

  /** Makes users and the stock. The configuration that comes back has the users' credentials. */
  async begin({ needs, things, signal, onProgress }: Beginning): Promise<Configuration> {
    const { administration } = this.#configuration
    if (administration === undefined || !administration.permitted || administration.lacks.group !== undefined)
      return this.#configuration
    if (things !== undefined) this.#things = things
    const maker = new Maker(this.#configuration, administration, {
      signIns: this.#signIns,
      signal,
      announced: announcementOf(needs, this.#configuration),
      things: this.#things,
    })
    this.#making = new FixtureMaking(maker)
    this.#configuration = await this.#making.begin(needs, onProgress)
    return this.#configuration
  }

  /** Removes all that was made. Throws a FixtureFailure with the leftovers. */
  async remove(signal: AbortSignal, onProgress?: OnRemoved): Promise<void> {
    await this.#making?.end()
    this.#making = undefined
    const kept = await removeMade(this.#configuration, this.#things, {
      signIns: this.#signIns,
      signal,
      onProgress,
    })
    if (kept.length === 0) return
    const all = keptLines(kept, this.#configuration)
    const lines = all.slice(0, mostReported)
    if (all.length > mostReported) lines.push(`and ${all.length - mostReported} more, which cleanup lists`)
    throw new FixtureFailure(`${kept.length} things could not be removed:\n  ${lines.join('\n  ')}`)
  }

  /** Call it before the next round of a long run: each round may make what was announced. */
  nextRound(): void {
    this.#making?.nextRound()
  }

  /** Stops requests under way and removes nothing. */
  async close(): Promise<void> {
    await this.#making?.end()
  }

  async #offer<Kind extends FixtureKind>(
    kind: Kind,
    options: FixtureOptions[Kind],
  ): Promise<FixtureReply<Kind>> {
    const { administration } = this.#configuration
    if (administration?.permitted !== true) return { notOffered: 'effects does not allow administration' }
    const lacking = administration.lacks[kind]
    if (lacking !== undefined) return { notOffered: lacking }
    if (this.#making === undefined) return { notOffered: 'nothing was made' }
    const handed = this.#making.hand(kind, options) as Promise<FixtureReply<Kind>>
    return ifRefused(handed, ({ message }) => ({ notOffered: message }))
  }
}
