/** What a call returns: an answer of the run, with who asked for what, for which check, and what the run saw in it. */
import type { Judgement } from '../../clauses/clause.ts'
import { type Begun, type Exchange, exchangeOf, lighten, type Part, unread } from '../../clauses/exchange.ts'
import { answersWithSuccess } from '../../clauses/portal-like.ts'
import type { SituationId } from '../../clauses/situations.ts'
import type { Configuration } from '../../deployment/configuration/configuration.ts'
import { Answer } from '../../deployment/http/exchange.ts'
import type { OutgoingRequest } from '../../deployment/http/outgoing-request.ts'
import type { OperationId } from '../../specs/operations.ts'
import type { RequirementId } from '../../specs/requirements.ts'
import { parametersIn } from '../operation-path.ts'

/** Who sends what no check sends. */
export const suiteItself = 'the suite itself'

/** One performance of an operation. */
export interface Effect {
  readonly operation: OperationId
  readonly actor?: Part | undefined
  /** What the path names, as fixtures name it. */
  readonly at: Readonly<Record<string, string | undefined>>
  readonly request: Readonly<Record<string, unknown>>
}

/** That, as it is about to be sent. */
export interface Asked extends Effect {
  readonly sent: OutgoingRequest
  /** The check that sends it, or what else does. */
  readonly by: string
  readonly begun: Begun
  /** Of a sync by who may ask for one: noted by the times of syncs. */
  syncs?: SyncsBeside
}

/** What may have been running when a sync was asked for. */
export interface SyncsBeside {
  /** No other sync of its workspace. */
  readonly lone: boolean
  /** Any other sync, before it or until its answer came. */
  others: boolean
  /** Its workspace had not been synced before, and no other sync of it was asked for until the answer came. */
  first: boolean
}

/** What the answer shows of one requirement; of a profile's only where that was asked. */
interface Shown {
  readonly requirement: RequirementId
  readonly judgement: NonNullable<Judgement>
}

export class RunExchange extends Answer {
  readonly asked: Asked
  /** Whether this is an answer of success, well-formed or not: the request was taken. */
  readonly took: boolean
  /** What judges found in it. */
  readonly shown: Shown[] = []
  /** What checks found kept that no judge looks at. */
  readonly held: RequirementId[] = []
  /** What happened before it to the same thing, and beside it; once the watch has seen it. */
  situations: readonly SituationId[] = []
  #judged: Exchange

  constructor(asked: Asked, answer: Answer, { target, portals }: Pick<Configuration, 'target' | 'portals'>) {
    super(answer)
    this.asked = asked
    this.took = answersWithSuccess(this, asked.operation)
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

  /** The exchange as judges read it. */
  get judged(): Exchange {
    return this.#judged
  }

  /** Of a large answer folds keep the beginning; `judged` then reads the whole again for each that asks. */
  override folded(): void {
    const kept = this.#judged
    this.#judged = unread(kept)
    lighten(kept)
    super.folded()
  }
}

/** The exchange of the run that an answer belongs to; undefined for a page. */
export const asExchange = (answer: Answer | undefined): RunExchange | undefined =>
  answer instanceof RunExchange ? answer : undefined

/** Who asked for what to get that answer; undefined for a page. */
export const effectOf = (answer: Answer | undefined): Effect | undefined => asExchange(answer)?.asked

/** Whether it is an answer of success to an operation, well-formed or not. */
export const took = (answer: Answer): boolean => asExchange(answer)?.took === true

/** The performance as facts know it, which begins now. */
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
    // What becomes of another encoding is one requirement's affair.
    exact: style === undefined,
  }
}
