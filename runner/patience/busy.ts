/** Refusals by a target that says it is busy: what it does beside something else is open, so it is asked again soon. */
import { setTimeout as sleep } from 'node:timers/promises'
import { isAccepted } from '../../clauses/acceptance.ts'
import { type Answer, errorCodeOf } from '../../deployment/http/exchange.ts'
import type { OperationId } from '../../specs/operations.ts'
import { Lanes } from '../lanes.ts'

/** Statuses and error codes of who can do later what he cannot do now; the client waits for 429, 502, 503 and 504 itself. */
const busyCodes: readonly number[] = [409, 423]

/** Between one time and the next, in milliseconds: other requests of the run are over by then, and short cool-downs. */
const pausesMs = [30, 100, 250, 500, 1000]

/** Asked again in vain so often, and not more often with success: it is not for being busy that it refuses. */
const vainOften = 3

/** Requests that a target is too busy for, in a run. */
export class Busy {
  /** So often the target said that it is busy, and was asked again. */
  count = 0
  #helped = 0
  #vain = 0
  /** Operations of which requests go one after the other, since the target is busy with each. */
  readonly #inTurns = new Map<OperationId, Lanes>()
  /** Of all operations, since it is busy with one while it is asked for another. */
  #allInTurns = false
  readonly #all = new Lanes(1)

  /** The answer; where the target says that it is busy, that of the last time that it was asked. */
  async of<A extends Answer>(operation: OperationId, ask: () => Promise<A>): Promise<A> {
    const known = this.#allInTurns ? this.#all : this.#inTurns.get(operation)
    if (known !== undefined)
      return known.run(async () => {
        const answer = await ask()
        if (!saysBusy(answer)) return answer
        if (this.#inTurns.has(operation)) this.#allInTurns = true
        return this.#again(operation, ask, answer)
      })
    const answer = await ask()
    // Those who were refused together would only keep each other off again.
    return saysBusy(answer) ? this.#all.run(() => this.#again(operation, ask, answer)) : answer
  }

  async #again<A extends Answer>(operation: OperationId, ask: () => Promise<A>, first: A): Promise<A> {
    if (!this.#mayHelp) return first
    let answer = first
    for (const pauseMs of pausesMs) {
      await sleep(pauseMs)
      this.count += 1
      answer = await ask()
      if (saysBusy(answer)) continue
      if (!isAccepted(answer)) return answer
      this.#helped += 1
      if (!this.#inTurns.has(operation)) this.#inTurns.set(operation, new Lanes(1))
      return answer
    }
    this.#vain += 1
    return answer
  }

  get #mayHelp(): boolean {
    return this.#vain < vainOften || this.#helped > this.#vain
  }
}

/** Whether it is refused by a target that says it can do it later. */
export function saysBusy(answer: Answer): boolean {
  if (isAccepted(answer)) return false
  return [answer.status, errorCodeOf(answer)].some((code) => busyCodes.includes(code))
}
