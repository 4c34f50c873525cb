/** Retries requests that the target refuses because it is busy. What it does beside another request is open. */
import { setTimeout as sleep } from 'node:timers/promises'
import { isAccepted } from '../../clauses/acceptance.ts'
import { type Answer, errorCodeOf } from '../../deployment/http/exchange.ts'
import type { OperationId } from '../../specs/operations.ts'
import { attemptsWithoutSuccess } from '../effort.ts'
import { Lanes } from '../lanes.ts'

/** Statuses and error codes that mean "busy". The client itself waits after 429, 502, 503 and 504. */
const busyCodes: readonly number[] = [409, 423]

/** Pauses between retries in ms: enough for other requests of the run, and for short cool-downs. */
const pausesMs = [30, 100, 250, 500, 1000]

/** Requests of an operation that go one after the other since then, in ms of `performance.now()`. */
interface Turns {
  readonly lanes: Lanes
  readonly since: number
}

/** How a run treats a target that is busy. */
export class Busy {
  /** How often a busy answer was retried. */
  count = 0
  #helped = 0
  #failed = 0
  /** Operations that go one request at a time, because the target is busy with more. */
  readonly #inTurns = new Map<OperationId, Turns>()
  /** All operations go one request at a time, because the target is busy with any other. */
  #allInTurns = false
  readonly #all = new Lanes(1)

  /** Sends a request of that operation. If the target was busy with several, they go one after the other. */
  inTurn<T>(operation: OperationId, ask: () => Promise<T>): Promise<T> {
    const lanes = this.#lanesOf(operation)
    return lanes === undefined ? ask() : lanes.run(ask)
  }

  /** Retries a request that was refused as busy, without other requests beside it. Returns the last answer. */
  again<A extends Answer>(operation: OperationId, ask: () => Promise<A>, first: A): Promise<A> {
    const turns = this.#inTurns.get(operation)
    if (turns !== undefined && first.sentAt >= turns.since) this.#allInTurns = true
    const lanes = this.#lanesOf(operation) ?? this.#all
    return lanes.run(() => this.#untilFree(operation, ask, first))
  }

  async #untilFree<A extends Answer>(operation: OperationId, ask: () => Promise<A>, first: A): Promise<A> {
    // Retries did not help before, so "busy" is not the reason.
    if (this.#failed >= attemptsWithoutSuccess && this.#helped <= this.#failed) return first
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
    this.#failed += 1
    return answer
  }

  #lanesOf(operation: OperationId): Lanes | undefined {
    return this.#allInTurns ? this.#all : this.#inTurns.get(operation)?.lanes
  }
}

/** Whether the target refuses because it is busy. */
export function saysBusy(answer: Answer): boolean {
  if (isAccepted(answer)) return false
  return [answer.status, errorCodeOf(answer)].some((code) => busyCodes.includes(code))
}
