/** The watch of a run: every exchange of every check is looked at with every clause that it can show. */
import { type ContractRequirementId, judges } from '../clauses/catalogue.ts'
import { type Breach, came, type Judgement } from '../clauses/clause.ts'
import { type Begun, type Exchange, exchangeOf, lighten, type Part, unread } from '../clauses/exchange.ts'
import { Knowledge, type Told } from '../clauses/facts.ts'
import { inKnownWords } from '../clauses/known-shapes.ts'
import { type SituationId, Situations, situations } from '../clauses/situations.ts'
import { type Seeing, Watch } from '../clauses/watch.ts'
import type { Configuration } from '../deployment/configuration/configuration.ts'
import type { Answer } from '../deployment/http/exchange.ts'
import type { OutgoingRequest } from '../deployment/http/outgoing-request.ts'
import { evidenceOf } from '../deployment/redaction/evidence.ts'
import type { Redactor } from '../deployment/redaction/redaction.ts'
import { type OperationId, operationIds, operationOf } from '../specs/operations.ts'
import type { Outcome } from '../specs/outcomes.ts'
import { type RequirementId, requirementOf } from '../specs/requirements.ts'
import type { CheckId, CheckResult, Sightings } from './check-result.ts'
import type { ControlRefused } from './findings.ts'
import { remembered } from './remembered.ts'

/** One call of an operation, as it is about to be sent. */
interface WatchedCall {
  readonly operation: OperationId
  readonly actor?: string | undefined
  /** What the path names, as fixtures name it. */
  readonly at: Readonly<Record<string, string | undefined>>
  readonly sent: OutgoingRequest
  /** The check that sends it, or what else does. */
  readonly by: string
}

/** On how many answers a requirement was looked at, and what they showed. */
interface Looks {
  kept: number
  broken: number
  /** How many of these answers came in those situations; the lists are those that `Situations` gives. */
  readonly met: Map<readonly SituationId[], number>
}

type SituationCounts = Partial<Record<SituationId, number>>

/** The same for results. */
export interface RequirementLooks {
  readonly requirement: RequirementId
  /** Answers that showed it, one way or the other. */
  readonly exchanges: number
  readonly kept: number
  readonly situations: SituationCounts
}

/** What an exchange shows of one requirement; of a profile's only where that was asked. */
type Seen = Omit<Seeing, 'requirement'> & { readonly requirement: RequirementId }

/** What came of the looks at one answer. */
interface Looked {
  readonly exchange: Exchange
  readonly seen: Seen[]
  readonly situations: readonly SituationId[]
  /** What checks found kept that no judge looks at. */
  readonly held: RequirementId[]
}

interface Sighting {
  readonly breach: Breach
  readonly exchange: Exchange
  readonly operation: OperationId
}

interface RefusedControl extends Sighting, Pick<ControlRefused, 'clause'> {
  readonly counterexample: string
}

interface Surroundings {
  readonly configuration: Configuration
  readonly replayCommand: string
  readonly redactor: () => Redactor
  /** When the run began, in ms of `performance.now()`. */
  readonly began: number
}

export class RunWatch {
  readonly knowledge: Knowledge
  /** By requirement; by check where the requirement speaks of all operations. */
  readonly looks = new Map<CheckId, Looks>()
  readonly #watch: Watch
  readonly #surroundings: Surroundings
  readonly #sightings = new Map<CheckId, Sighting>()
  /** Of each operation a valid request that was refused again and again. */
  readonly #controls = new Map<OperationId, RefusedControl>()
  readonly #seen = new WeakMap<Answer, Looked>()
  readonly #situations = new Situations()
  /** When something that must be seen twice was seen first, in ms of Unix time. */
  readonly #once = new Map<CheckId, number>()
  #told = new Set<CheckId>()

  constructor(surroundings: Surroundings) {
    this.#surroundings = surroundings
    this.knowledge = new Knowledge(surroundings.configuration)
    this.#watch = new Watch(this.knowledge)
  }

  /** An id that was made up so that nothing has it, or nothing in that place of a path. */
  madeUp(id: string, name?: string): string {
    this.knowledge.madeUp(id, name)
    return id
  }

  /** Sends it by the given means and looks at its answer. What the means reject with is passed on. */
  async over(call: WatchedCall, send: () => Promise<Answer>): Promise<Answer> {
    const asked: Begun = {
      operation: call.operation,
      items: itemsIn(call.sent),
      workspaceId: call.at.workspaceId,
      at: performance.timeOrigin + performance.now(),
    }
    this.knowledge.begins(asked)
    let answer: Answer
    try {
      answer = await send()
    } catch (error) {
      this.knowledge.broke(asked)
      throw error
    }
    this.#look(this.#exchange(call, answer, asked))
    return answer
  }

  #look(exchange: Exchange): void {
    const { operation } = exchange
    const seen = this.#watch.see(exchange)
    const situations = this.#situations.of(exchange)
    if (exchange.answer !== undefined)
      this.#seen.set(exchange.answer, {
        exchange: unread(exchange),
        seen,
        situations,
        held: [],
      })
    for (const { requirement, judgement } of seen) {
      const id = checkOf(requirement, operation)
      this.#count(id, judgement, situations)
      if (typeof judgement !== 'object' || this.#sightings.has(id)) continue
      if (this.#counts(id, judgement, exchange))
        this.#sightings.set(id, { breach: judgement, exchange, operation })
    }
    lighten(exchange)
  }

  /** What rests on time or on a race counts when it is seen again, once what was seen first has had time to settle. */
  #counts(id: CheckId, { indirect }: Breach, { askedAt = 0, answeredAt = 0 }: Exchange): boolean {
    if (!indirect) return true
    const first = this.#once.get(id)
    if (first === undefined) this.#once.set(id, answeredAt)
    return first !== undefined && askedAt > first + this.knowledge.run.settleMs
  }

  /**
   * What an answer of this run shows of a requirement; undefined where it shows nothing. `before`: answers that led to
   * it; the last that was accepted is its control. `told`: what its sender knows of it.
   */
  judgementOf(
    answer: Answer,
    requirement: RequirementId,
    before: readonly Answer[],
    known: Told = {},
  ): Judgement {
    const looked = this.#seen.get(answer)
    if (looked === undefined) return undefined
    const { exchange, seen } = looked
    const found = seen.find((each) => each.requirement === requirement)?.judgement
    const control = before.map((each) => this.#seen.get(each)?.exchange).findLast((each) => each?.accepted)
    if (typeof found === 'object' || (control === undefined && Object.keys(known).length === 0)) return found
    const look = judges[requirement]?.begin()
    const told = this.knowledge.told({ control, ...known }, () => look?.(exchange, this.knowledge))
    if (told !== undefined && found === undefined) {
      seen.push({ requirement, judgement: told })
      this.#count(checkOf(requirement, exchange.operation), told, looked.situations)
    }
    return told ?? found
  }

  /** A check found what it expected of that answer, for its requirement: a look that no judge may have taken. */
  held(answer: Answer, requirement: RequirementId): void {
    const looked = this.#seen.get(answer)
    if (looked === undefined || looked.seen.some((each) => each.requirement === requirement)) return
    if (looked.held.includes(requirement)) return
    looked.held.push(requirement)
    this.#count(checkOf(requirement, looked.exchange.operation), 'kept', looked.situations)
  }

  /** Nothing is accepted any more in the collaboration of that answer, since another one was deleted. */
  wentWith(answer: Answer, deleted: Answer): void {
    const id = 'delete-collaboration/others-unaffected'
    const [gone, before] = [answer, deleted].map((each) => this.#seen.get(each)?.exchange)
    if (gone === undefined || before === undefined || this.#sightings.has(id)) return
    const breach: Breach = {
      message: 'a collaboration was gone after another one was deleted',
      expected: 'whatever was accepted in it before is accepted still',
      actual: came(gone),
      before: [before],
    }
    this.#count(id, breach, this.#seen.get(answer)?.situations ?? [])
    this.#sightings.set(id, { breach, exchange: gone, operation: gone.operation })
  }

  /**
   * A valid request on which a probe rests was refused so often: that breaks the clause that its check names, or else the
   * first requirement of its operation.
   */
  controlRefused(
    { answer, what, clause }: Pick<ControlRefused, 'answer' | 'what' | 'clause'>,
    { times, tries }: Sightings,
  ): void {
    const exchange = this.#seen.get(answer)?.exchange
    if (exchange === undefined) return
    const { operation, recorded } = exchange
    const known = this.#controls.get(operation)
    if (known !== undefined && (known.clause !== undefined || clause === undefined)) return
    const breach: Breach = {
      message: `a valid request was not accepted: ${what.replace(/,$/, '')}`,
      expected: 'it is accepted, as are plain requests of the same user',
      actual: came(exchange),
    }
    const counterexample = `an answer to ${recorded.place}, which got no further in ${times} of ${tries} tries`
    this.#controls.set(operation, { breach, exchange, operation, counterexample, clause })
  }

  #count(id: CheckId, judgement: NonNullable<Judgement>, situations: readonly SituationId[]): void {
    const looks = remembered(this.looks, id, () => ({ kept: 0, broken: 0, met: new Map() }))
    looks[typeof judgement === 'object' ? 'broken' : 'kept'] += 1
    looks.met.set(situations, (looks.met.get(situations) ?? 0) + 1)
  }

  /** On how many answers each requirement was looked at, and what they showed. */
  summary(): RequirementLooks[] {
    const sums = new Map<
      RequirementId,
      { -readonly [Key in keyof RequirementLooks]: RequirementLooks[Key] }
    >()
    for (const [id, { kept, broken, met }] of this.looks) {
      const requirement = id.split(':')[0] as RequirementId
      const sum = remembered(sums, requirement, () => ({
        requirement,
        exchanges: 0,
        kept: 0,
        situations: {},
      }))
      sum.exchanges += kept + broken
      sum.kept += kept
      sum.situations = addedUp([sum.situations, ...[...met].map(([list, count]) => each(list, count))])
    }
    return [...sums.values()]
  }

  /** Results for what was seen since this was last asked; `again`: for all of it, with the counts of now. */
  results({ again = false }: { again?: boolean } = {}): CheckResult[] {
    const found = [...this.#sightings].filter(([id]) => again || !this.#told.has(id))
    this.#told = new Set(this.#sightings.keys())
    const controls = again ? [...this.#controls.values()] : []
    return [
      ...found.map(([id, sighting]) => {
        const { kept, broken } = this.looks.get(id) as Looks
        const how = `${broken} of ${kept + broken} answers that were looked at show it`
        const counterexample = `an answer to ${sighting.exchange.recorded.place}; ${how}`
        const title = 'Looked at on every answer of the run.'
        return this.#resultOf(`${id}${watchedEnding}` as CheckId, { ...sighting, counterexample, title })
      }),
      ...controls.map((sighting) => {
        const title = 'Looked at on valid requests that other checks rest on.'
        const requirement = sighting.clause ?? operationOf(sighting.operation).requirements[0].id
        return this.#resultOf(`${requirement}${controlEnding}`, { ...sighting, title })
      }),
    ]
  }

  #resultOf(
    id: CheckId,
    {
      breach,
      exchange,
      counterexample,
      title,
    }: Sighting & { readonly counterexample: string; readonly title: string },
  ): CheckResult {
    const { redactor, replayCommand, began, configuration } = this.#surroundings
    const { text } = redactor()
    const requirement = id.split(':')[0] as ContractRequirementId
    const { answer, operation } = exchange
    const { shapes } = configuration.profile ?? {}
    const known = inKnownWords(breach, { requirement, answer, operation, shapes })
    const sender = exchange.recorded.place
    const warned = requirementOf(requirement).level === 'advice'
    const message = text(known.message)
    return {
      id,
      requirement,
      title: `${requirementOf(requirement).text} ${title}`,
      outcome: warned ? 'warned' : 'failed',
      ...(warned ? { reason: message } : {}),
      durationMs: 0,
      requests: 0,
      failure: {
        message,
        expected: [text(breach.expected)],
        actual: text(known.actual),
        counterexample,
        ...(breach.marks === undefined ? {} : { marks: breach.marks }),
        replay: text(`${replayCommand} --requirement ${sender}`),
      },
      evidence: [...(breach.before ?? []), exchange].flatMap(({ recorded: { answer } }) =>
        answer === undefined ? [] : [evidenceOf(answer, redactor(), began)],
      ),
    }
  }

  #exchange({ operation, actor, at, sent, by }: WatchedCall, answer: Answer, begun: Begun): Exchange {
    const { target, portals } = this.#surroundings.configuration
    const post = (sent.method ?? 'POST') === 'POST'
    const startedAt = performance.timeOrigin + answer.sentAt
    return exchangeOf(
      { operation, baseUrl: target.baseUrl, path: pathOf(operation, at, portals[sent.portal]?.id) },
      {
        place: by,
        request: answer.request,
        form: {
          fields: sent.fields,
          inQuery: post ? none : new Set(sent.fields.map(([name]) => name)),
          kind: post ? 'form' : 'none',
          type: sent.contentType ?? 'application/x-www-form-urlencoded',
          // What becomes of another encoding is one requirement's affair.
          exact: sent.style === undefined,
        },
        startedAt,
        answer,
        bytes: true,
      },
      { portal: sent.portal, begun, ...(actor === undefined ? {} : { caller: actor as Part }) },
      performance.timeOrigin,
    )
  }
}

/** Each of those situations, as often. */
const each = (list: readonly SituationId[], count: number): SituationCounts =>
  Object.fromEntries(list.map((id) => [id, count]))

/** All of several counts together, in the order in which situations are named. */
export function addedUp(several: readonly SituationCounts[]): SituationCounts {
  const sum = (id: SituationId): number => several.reduce((total, counts) => total + (counts[id] ?? 0), 0)
  const ids = Object.keys(situations) as SituationId[]
  return Object.fromEntries(ids.flatMap((id) => (sum(id) === 0 ? [] : [[id, sum(id)]])))
}

const tellingOutcomes: readonly Outcome[] = ['failed', 'warned', 'waived']

/**
 * Without what the watch saw of a requirement of which another check tells the same; and without refused controls of an
 * operation of which anything else is told, which is their reason as a rule.
 */
export function withoutDoubles<Check extends Pick<CheckResult, 'id' | 'outcome' | 'requirement'>>(
  checks: readonly Check[],
): Check[] {
  const ofControls = ({ id }: Check): boolean => id.endsWith(controlEnding)
  const telling = checks.filter((check) => !ofControls(check) && tellingOutcomes.includes(check.outcome))
  const told = new Set(telling.filter((check) => !isOfWatch(check)).map(({ requirement }) => requirement))
  const operations = new Set(telling.map(operationOfCheck))
  return checks.filter((check) =>
    ofControls(check)
      ? !operations.has(operationOfCheck(check))
      : !isOfWatch(check) || !told.has(check.requirement),
  )
}

/** The operation that it judges; undefined where it is the interplay of all. */
function operationOfCheck({ id, requirement }: Pick<CheckResult, 'id' | 'requirement'>): string | undefined {
  const subject = requirementOf(requirement).operation
  return operationIds.find((each) => each === subject || id.startsWith(`${requirement}:${each}`))
}

/** How the id of a result of the watch ends, and that of a valid request on which other checks rest. */
const watchedEnding = ':every-answer'
const controlEnding = ':every-control'

/** Whether a result tells what was seen beside the checks. */
const isOfWatch = ({ id }: Pick<CheckResult, 'id'>): boolean =>
  id.endsWith(watchedEnding) || id.endsWith(controlEnding)

/** The items that a request names, as its form has them. */
const itemsIn = ({ fields }: OutgoingRequest): readonly string[] =>
  fields.find(([name]) => name === 'items')?.[1].split(',') ?? []

const none: ReadonlySet<string> = new Set()

/** A requirement that speaks of all operations is looked at for each of them by itself. */
const checkOf = (requirement: RequirementId, operation: OperationId): CheckId =>
  requirement.startsWith('protocol/') ? (`${requirement}:${operation}` as CheckId) : requirement

/** Parameters of a path, each by its name there and by the one that fixtures have for it. */
const names = new Map<OperationId, readonly (readonly [parameter: string, named: string])[]>()

/** The parameters of the path, by the names that the contract gives them. */
function pathOf(
  operation: OperationId,
  at: WatchedCall['at'],
  portalId: string | undefined,
): Readonly<Record<string, string>> {
  const parameters = remembered(names, operation, () =>
    [...operationOf(operation).path.matchAll(/\{(\w+)\}/g)].map(
      ([, name = '']) => [name, name.replace(/ID$/, 'Id')] as const,
    ),
  )
  const path: Record<string, string> = {}
  for (const [name, named] of parameters) {
    const value = name === 'portalID' ? portalId : at[named]
    if (value !== undefined) path[name] = value
  }
  return path
}
