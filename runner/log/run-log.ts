/**
 * The log of a run: every exchange once, in the order of the answers. Folds keep what is known about the run. The log
 * itself keeps no exchange, and a large answer is cut after the folds, because a run may be long.
 */
import type { Configuration } from '../../deployment/configuration/configuration.ts'
import type { Answer } from '../../deployment/http/exchange.ts'
import { type Asked, begunNow, type Effect, RunExchange } from './exchange.ts'

/** Follows the exchanges of a run and keeps what it needs. */
export interface Fold {
  /** A request is about to be sent. `came` or `broke` follows. */
  begins?(asked: Asked): void
  came(exchange: RunExchange): void
  /** No complete answer came, so it is unknown whether the request took effect. */
  broke?(asked: Asked, error: unknown): void
}

export class RunLog {
  readonly #configuration: Pick<Configuration, 'target' | 'portals'>
  readonly #folds: readonly Fold[]

  /** Each exchange is shown to the folds in this order. */
  constructor(configuration: Pick<Configuration, 'target' | 'portals'>, folds: readonly Fold[]) {
    this.#configuration = configuration
    this.#folds = folds
  }

  /** Sends a request and shows the exchange to the folds. Rejects as `send` does. */
  async exchange(
    effect: Effect,
    { sent, by }: Pick<Asked, 'sent' | 'by'>,
    send: () => Promise<Answer>,
  ): Promise<RunExchange> {
    const asked: Asked = { ...effect, sent, by, begun: begunNow(effect, sent) }
    for (const fold of this.#folds) fold.begins?.(asked)
    let answer: Answer
    try {
      answer = await send()
    } catch (error) {
      for (const fold of this.#folds) fold.broke?.(asked, error)
      throw error
    }
    const exchange = new RunExchange(asked, answer, this.#configuration)
    for (const fold of this.#folds) fold.came(exchange)
    exchange.folded()
    return exchange
  }
}
