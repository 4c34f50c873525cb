/** How the target refuses callers who are signed in and lack a right. */
import { refusalLine } from '../../clauses/acceptance.ts'
import { alsoMay } from '../../clauses/callers.ts'
import { isStranger, type Part } from '../../clauses/exchange.ts'
import { Recent } from '../../clauses/recent.ts'
import type { Answer } from '../../deployment/http/exchange.ts'
import { type OperationId, operationOf } from '../../specs/operations.ts'
import type { RunExchange } from './exchange.ts'
import type { Fold } from './run-log.ts'

/** Whether the actor may call the operation on some things (§5). */
export const mayCallSome = (operation: OperationId, actor: Part | undefined): boolean =>
  [operationOf(operation).calledBy, ...(alsoMay[operation] ?? [])].some((name) => name === actor)

export class LackOfRights implements Fold {
  readonly #toPermitted = new Recent<true>()
  readonly #toStrangers = new Recent<true>()
  readonly #toOthers = new Recent<true>()

  came(exchange: RunExchange): void {
    const { operation, actor } = exchange.asked
    if (exchange.succeeded || actor === undefined) return
    const line = refusalLine(exchange)
    if (line !== undefined) this.#of(operation, actor).set(line, true)
  }

  #of(operation: OperationId, actor: Part): Recent<true> {
    if (isStranger(actor)) return this.#toStrangers
    return mayCallSome(operation, actor) ? this.#toPermitted : this.#toOthers
  }

  /**
   * Whether a refusal says that the caller lacks a right: users without it get the same words, strangers get others, and
   * so do permitted callers whose requests are wrong.
   */
  isSaidIn(answer: Answer): boolean {
    const line = refusalLine(answer)
    if (line === undefined || !this.#toOthers.has(line)) return false
    const distinguishes = [...this.#toPermitted.keys()].some((other) => other !== line)
    return distinguishes && this.#toStrangers.size > 0 && !this.#toStrangers.has(line)
  }
}
