/** What a run learned about how its target wants to be called, and which requests must not overlap. */
import { setTimeout as sleep } from 'node:timers/promises'
import { isAccepted } from '../../clauses/acceptance.ts'
import type { ActorName } from '../../deployment/configuration/actors.ts'
import type { Configuration } from '../../deployment/configuration/configuration.ts'
import { type Answer, errorCodeOf } from '../../deployment/http/exchange.ts'
import { attemptsWithoutSuccess } from '../effort.ts'
import { Lanes, OneByOne } from '../lanes.ts'
import type { Acceptances } from '../log/acceptances.ts'
import { OpenValues } from './open-values.ts'
import { SyncTimes } from './sync-times.ts'
import { SyncTurns } from './sync-turns.ts'

/** Statuses and error codes that mean "busy". The client itself waits after 429, 502, 503 and 504. */
const busyCodes: readonly number[] = [409, 423]

/** Pauses between retries in ms: enough for other requests of the run, and for short cool-downs. */
const pausesMs = [30, 100, 250, 500, 1000]

/** How a run treats a target that is busy. */
export class Busy {
  /** How often a busy answer was retried. */
  count = 0
  #helped = 0
  #failed = 0
  readonly #lane = new Lanes(1)

  /** Sends a request. If the target was busy with several, they go one after the other. */
  inTurn<T>(ask: () => Promise<T>): Promise<T> {
    return this.#helped === 0 ? ask() : this.#lane.run(ask)
  }

  /** Retries a request that was refused as busy. Returns the last answer. */
  again<A extends Answer>(ask: () => Promise<A>, first: A): Promise<A> {
    return this.#lane.run(() => this.#untilFree(ask, first))
  }

  async #untilFree<A extends Answer>(ask: () => Promise<A>, first: A): Promise<A> {
    // Retries did not help before, so "busy" is not the reason.
    if (this.#failed >= attemptsWithoutSuccess && this.#helped <= this.#failed) return first
    let answer = first
    for (const pauseMs of pausesMs) {
      await sleep(pauseMs)
      this.count += 1
      answer = await ask()
      if (saysBusy(answer)) continue
      if (isAccepted(answer)) this.#helped += 1
      return answer
    }
    this.#failed += 1
    return answer
  }
}

/** Whether the target refuses because it is busy. */
export function saysBusy(answer: Answer): boolean {
  if (isAccepted(answer)) return false
  return [answer.status, errorCodeOf(answer)].some((code) => busyCodes.includes(code))
}

const administrators: readonly ActorName[] = ['hostAdministrator', 'organizationAdministrator']

export class RunUpdater {
  /** The actor whose credential the owner uses. Undefined: its own. */
  instead: ActorName | undefined
  readonly #candidates: readonly ActorName[]
  #attempts = 0
  /** One request at a time tries this out. */
  readonly #turns = new Lanes(1)

  constructor({ actors }: Pick<Configuration, 'actors'>) {
    this.#candidates = administrators.filter((name) => actors[name] !== undefined)
  }

  /**
   * Tries the refused update as each administrator and returns the first accepted answer. Undefined if there is none,
   * or if the owner or an administrator was accepted before.
   */
  find<A extends Answer>(
    acceptances: Pick<Acceptances, 'of'>,
    ask: (name: ActorName) => Promise<A>,
  ): Promise<A | undefined> {
    const isKnown = () => acceptances.of('taskOwner').includes('update-task-run')
    return this.#turns.run(async () => {
      // An update that is never allowed is refused to all, so a few tries suffice.
      if (isKnown() || this.#attempts >= attemptsWithoutSuccess) return undefined
      this.#attempts += 1
      for (const name of this.#candidates) {
        const answer = await ask(name)
        if (!isAccepted(answer)) continue
        this.instead ??= name
        return answer
      }
      return undefined
    })
  }
}

export class Patience {
  /** Edits of one thing, by its id. */
  readonly edits = new OneByOne()
  readonly busy = new Busy()
  /** What was learned about values that the contract leaves open. */
  readonly openValues: OpenValues
  readonly runUpdater: RunUpdater
  readonly syncTimes: SyncTimes
  readonly syncTurns: SyncTurns
  /** Requests that a sync may hold up: half of the places, so that other checks go on. */
  readonly heldUp: Lanes

  constructor(configuration: Configuration) {
    const { http, run, contract } = configuration
    this.openValues = new OpenValues(contract)
    this.runUpdater = new RunUpdater(configuration)
    this.syncTimes = new SyncTimes(run.settleMs, contract)
    this.syncTurns = new SyncTurns(this.syncTimes)
    this.heldUp = new Lanes(Math.floor(http.concurrency / 2))
  }
}
