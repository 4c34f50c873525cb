/** Refusals by a target that says it is busy: what it does beside something else is open, so it is asked again soon. */
import { setTimeout as sleep } from 'node:timers/promises'
import { isAccepted } from '../../clauses/acceptance.ts'
import { type Answer, errorCodeOf } from '../../deployment/http/exchange.ts'
import type { OperationId } from '../../specs/operations.ts'
import { vainOften } from '../effort.ts'
import { Lanes } from '../lanes.ts'

/** Statuses and error codes of who can do later what he cannot do now; the client waits for 429, 502, 503 and 504 itself. */
const busyCodes: readonly number[] = [409, 423]

/** Between one time and the next, in milliseconds: other requests of the run are over by then, and short cool-downs. */
const pausesMs = [30, 100, 250, 500, 1000]

/** Requests of an operation that go one after the other, since that time in ms of `performance.now()`. */
interface Turns {
  readonly lanes: Lanes
  readonly since: number
}

/** Requests that a target is too busy for, in a run. */
export class Busy {
  /** So often the target said that it is busy, and was asked again. */
  count = 0
  #helped = 0
  #vain = 0
  /** Operations of which requests go one after the other, since the target is busy with each. */
  readonly #inTurns = new Map<OperationId, Turns>()
  /** Of all operations, since it is busy with one while it is asked for another. */
  #allInTurns = false
  readonly #all = new Lanes(1)

  /** Sends a request of that operation; once the target was seen to be busy with them, after the others. */
  inTurn<T>(operation: OperationId, ask: () => Promise<T>): Promise<T> {
    const lanes = this.#lanesOf(operation)
    return lanes === undefined ? ask() : lanes.run(ask)
  }

  /** The last answer to what was refused for being busy; each time nothing else is asked again beside it. */
  again<A extends Answer>(operation: OperationId, ask: () => Promise<A>, first: A): Promise<A> {
    const turns = this.#inTurns.get(operation)
    if (turns !== undefined && first.sentAt >= turns.since) this.#allInTurns = true
    const lanes = this.#lanesOf(operation) ?? this.#all
    return lanes.run(() => this.#untilFree(operation, ask, first))
  }

  async #untilFree<A extends Answer>(operation: OperationId, ask: () => Promise<A>, first: A): Promise<A> {
    // It is not for being busy that it refuses.
    if (this.#vain >= vainOften && this.#helped <= this.#vain) return first
    let answer = first
    for (const pauseMs of pausesMs) {
      await sleep(pauseMs)
      this.count += 1
      answer = await ask()
      if (saysBusy(answer)) continue
      if (!isAccepted(answer)) return answer
      this.#helped += 1
      if (!this.#inTurns.has(operation))
        this.#inTurns.set(operation, { lanes: new Lanes(1), since: performance.now() })
      return answer
    }
    this.#vain += 1
    return answer
  }

  #lanesOf(operation: OperationId): Lanes | undefined {
    return this.#allInTurns ? this.#all : this.#inTurns.get(operation)?.lanes
  }
}

/** Whether it is refused by a target that says it can do it later. */
export function saysBusy(answer: Answer): boolean {
  if (isAccepted(answer)) return false
  return [answer.status, errorCodeOf(answer)].some((code) => busyCodes.includes(code))
}
