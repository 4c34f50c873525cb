/** The exchanges of a run, and its log: every exchange once, in the order of the answers, shown to folds. */
import { answersWithSuccess } from '../../clauses/acceptance.ts'
import type { Judgement } from '../../clauses/clause.ts'
import {
  type Begun,
  type Exchange,
  exchangeOf,
  type Part,
  shorten,
  unparsed,
} from '../../clauses/exchange.ts'
import type { SituationId } from '../../clauses/situations.ts'
import type { Configuration } from '../../deployment/configuration/configuration.ts'
import { Answer } from '../../deployment/http/exchange.ts'
import type { OutgoingRequest } from '../../deployment/http/outgoing-request.ts'
import type { OperationId } from '../../specs/operations.ts'
import { parametersIn } from '../../specs/paths.ts'
import type { RequirementId } from '../../specs/requirements.ts'

/** Names the sender of requests that belong to no check. */
export const suiteItself = 'the suite itself'

/** A call of an operation. */
export interface Effect {
  readonly operation: OperationId
  readonly actor?: Part | undefined
  /** The ids in the path, named as in fixtures. */
  readonly at: Readonly<Record<string, string | undefined>>
  readonly request: Readonly<Record<string, unknown>>
}

/** A call that is about to be sent. */
export interface Asked extends Effect {
  readonly sent: OutgoingRequest
  /** The check that sends it, or `suiteItself`. */
  readonly by: string
  readonly begun: Begun
  /** Set for syncs of a permitted caller. */
  syncs?: SyncsBeside
}

/** Which other syncs may have been running. */
export interface SyncsBeside {
  /** No other sync of its workspace was running. */
  readonly lone: boolean
  /** Any other sync was running before the answer came. */
  others: boolean
}

/** What the answer shows of one requirement. */
interface Shown {
  readonly requirement: RequirementId
  readonly judgement: NonNullable<Judgement>
}

export class RunExchange extends Answer {
  readonly asked: Asked
  /** Whether the answer is a success, well-formed or not, so that the call was performed. */
  readonly succeeded: boolean
  /** What judges found. */
  readonly shown: Shown[] = []
  /** Requirements that checks found kept and no judge looks at. */
  readonly held: RequirementId[] = []
  /** What happened to the same thing before, and beside it. Set by the watch. */
  situations: readonly SituationId[] = []
  #judged: Exchange

  constructor(asked: Asked, answer: Answer, { target, portals }: Pick<Configuration, 'target' | 'portals'>) {
    super(answer)
    this.asked = asked
    this.succeeded = answersWithSuccess(this, asked.operation)
    const { operation, at, sent } = asked
    this.#judged = exchangeOf(
      {
        operation,
        baseUrl: target.baseUrl,
        path: parametersIn(operation, { ...at, portalId: portals[sent.portal]?.id }),
      },
      {
        place: asked.by,
        request: this.request,
        form: formOf(sent),
        startedAt: performance.timeOrigin + this.sentAt,
        answer: this,
        bytes: true,
      },
      {
        portal: sent.portal,
        begun: asked.begun,
        ...(asked.actor === undefined ? {} : { caller: asked.actor }),
      },
      performance.timeOrigin,
    )
  }

  /** The exchange in the form for judges. */
  get judged(): Exchange {
    return this.#judged
  }

  /** Folds keep only the beginning of a large answer. `judged` then parses the whole body for each reader. */
  override folded(): void {
    const kept = this.#judged
    this.#judged = unparsed(kept)
    shorten(kept)
    super.folded()
  }
}

/** The exchange of an answer. Undefined for a page. */
export const asExchange = (answer: Answer | undefined): RunExchange | undefined =>
  answer instanceof RunExchange ? answer : undefined

/** The call of an answer. Undefined for a page. */
export const effectOf = (answer: Answer | undefined): Effect | undefined => asExchange(answer)?.asked

/** Whether the answer to an operation is a success, well-formed or not. */
export const succeeded = (answer: Answer): boolean => asExchange(answer)?.succeeded === true

/** The call in the form for facts, with its start time. */
export const begunNow = ({ operation, at }: Effect, { fields }: OutgoingRequest): Begun => ({
  operation,
  items: fields.find(([name]) => name === 'items')?.[1].split(',') ?? [],
  workspaceId: at.workspaceId,
  at: performance.timeOrigin + performance.now(),
})

const none: ReadonlySet<string> = new Set()

function formOf({
  method = 'POST',
  fields,
  contentType,
  style,
}: OutgoingRequest): Exchange['recorded']['form'] {
  const post = method === 'POST'
  return {
    fields,
    inQuery: post ? none : new Set(fields.map(([name]) => name)),
    kind: post ? 'form' : 'none',
    type: contentType ?? 'application/x-www-form-urlencoded',
    // Other encodings are one requirement's subject.
    exact: style === undefined,
  }
}

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
