/**
 * The log of a run: every exchange of it, once, in the order of their answers. What is known of the run is a fold over it.
 * The log keeps no exchange itself, and a large answer is cut once it is folded: a run may be long.
 */
import type { Configuration } from '../../deployment/configuration/configuration.ts'
import type { Answer } from '../../deployment/http/exchange.ts'
import { type Asked, begunNow, type Effect, RunExchange } from './exchange.ts'

/** Something that is known of a run; it keeps what it needs. */
export interface Fold {
  /** A request is about to be sent. Each ends in `came` or `broke`. */
  begins?(asked: Asked): void
  came(exchange: RunExchange): void
  /** No complete answer came: whether the request had an effect is not known. */
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

  /** Sends a request for that by the given means, and appends the exchange. What the means reject with is passed on. */
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
