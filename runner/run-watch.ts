/** The watch of a run: every exchange of every check is looked at with every clause that it can show. */
import { classifiedExchange } from '../clauses/answer-class.ts'
import { judges } from '../clauses/catalogue.ts'
import { type Breach, came, type Judgement } from '../clauses/clause.ts'
import type { Exchange } from '../clauses/exchange.ts'
import { Knowledge, type Told } from '../clauses/facts.ts'
import { Situations } from '../clauses/situations.ts'
import { Watch } from '../clauses/watch.ts'
import type { Configuration } from '../deployment/configuration/configuration.ts'
import type { Answer } from '../deployment/http/exchange.ts'
import { evidenceOf } from '../deployment/redaction/evidence.ts'
import type { Redactor } from '../deployment/redaction/redaction.ts'
import { type OperationId, operationOf } from '../specs/operations.ts'
import type { Outcome } from '../specs/outcomes.ts'
import { judgedBy, type RequirementId, requirementOf } from '../specs/requirements.ts'
import { breachResult } from './breach-result.ts'
import type { CheckId, CheckResult, Sightings } from './check-result.ts'
import type { ControlRefused } from './findings.ts'
import { type Asked, asExchange, type RunExchange } from './log/exchange.ts'
import { checkOf, Looks } from './log/looks.ts'
import type { Fold } from './log/run-log.ts'

interface Sighting {
  readonly requirement: RequirementId
  readonly breach: Breach
  readonly exchange: Exchange
  readonly operation: OperationId
}

interface RefusedControl extends Sighting {
  readonly counterexample: string
  /** Whether its check names the requirement. */
  readonly isNamed: boolean
}

interface Surroundings {
  readonly configuration: Configuration
  readonly replayCommand: string
  readonly redactor: () => Redactor
  /** When the run began, in ms of `performance.now()`. */
  readonly began: number
}

export class RunWatch implements Fold {
  readonly knowledge: Knowledge
  readonly looks = new Looks()
  readonly #watch: Watch
  readonly #surroundings: Surroundings
  readonly #sightings = new Map<CheckId, Sighting>()
  /** Of each operation a valid request that was refused again and again. */
  readonly #controls = new Map<OperationId, RefusedControl>()
  readonly #situations = new Situations()
  /** When something that must be seen twice was seen first, in ms of Unix time. */
  readonly #once = new Map<CheckId, number>()

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

  /** Whether the run has deleted that collaboration. */
  isGone({ collaborationId }: { readonly collaborationId?: string | undefined }): boolean {
    if (collaborationId === undefined) return false
    const { baseUrl } = this.#surroundings.configuration.target
    return this.knowledge.deletionOf({ baseUrl, path: { collaborationID: collaborationId } }) !== undefined
  }

  begins({ begun }: Asked): void {
    this.knowledge.begins(begun)
  }

  broke({ begun }: Asked): void {
    this.knowledge.broke(begun)
  }

  came(exchange: RunExchange): void {
    const { judged, shown } = exchange
    const { operation } = judged
    shown.push(...this.#watch.see(judged))
    exchange.situations = this.#situations.of(judged)
    for (const { requirement, judgement } of shown) {
      const id = checkOf({ requirement, operation })
      this.looks.count({ requirement, operation }, judgement, exchange.situations)
      if (typeof judgement !== 'object' || this.#sightings.has(id)) continue
      if (this.#counts(id, judgement, judged))
        this.#sightings.set(id, { requirement, breach: judgement, exchange: judged, operation })
    }
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
    const exchange = asExchange(answer)
    if (exchange === undefined) return undefined
    const { judged, shown, situations } = exchange
    const found = shown.find((each) => each.requirement === requirement)?.judgement
    const control = before.map((each) => asExchange(each)?.judged).findLast((each) => each?.accepted)
    if (typeof found === 'object' || (control === undefined && Object.keys(known).length === 0)) return found
    const look = judges[requirement]?.begin()
    const told = this.knowledge.told({ control, ...known }, () => look?.(judged, this.knowledge))
    if (told !== undefined && found === undefined) {
      shown.push({ requirement, judgement: told })
      this.looks.count({ requirement, operation: judged.operation }, told, situations)
    }
    return told ?? found
  }

  /** A check found what it expected of that answer, for its requirement: a look that no judge may have taken. */
  held(answer: Answer, requirement: RequirementId): void {
    const exchange = asExchange(answer)
    if (exchange === undefined || exchange.shown.some((each) => each.requirement === requirement)) return
    if (exchange.held.includes(requirement)) return
    exchange.held.push(requirement)
    this.looks.count({ requirement, operation: exchange.asked.operation }, 'kept', exchange.situations)
  }

  /** Nothing is accepted any more in the collaboration of that answer, since another one was deleted. */
  wentWith(answer: Answer, deleted: Answer): void {
    const requirement = 'delete-collaboration/others-unaffected'
    const [gone, before] = [answer, deleted].map((each) => asExchange(each)?.judged)
    if (gone === undefined || before === undefined || this.#sightings.has(requirement)) return
    const breach: Breach = {
      message: 'a collaboration was gone after another one was deleted',
      expected: 'whatever was accepted in it before is accepted still',
      actual: came(gone),
      before: [before],
    }
    const { operation } = gone
    this.looks.count({ requirement, operation }, breach, asExchange(answer)?.situations ?? [])
    this.#sightings.set(requirement, { requirement, breach, exchange: gone, operation })
  }

  /**
   * A valid request on which a probe rests was refused so often: that breaks the clause that its check names, or else the
   * first requirement of its operation.
   */
  controlRefused(
    { answer, what, clause }: Pick<ControlRefused, 'answer' | 'what' | 'clause'>,
    { times, tries }: Sightings,
  ): void {
    const exchange = asExchange(answer)?.judged
    if (exchange === undefined) return
    const { operation, recorded } = exchange
    const known = this.#controls.get(operation)
    if (known !== undefined && (known.isNamed || clause === undefined)) return
    const breach: Breach = {
      message: `a valid request was not accepted: ${what.replace(/,$/, '')}`,
      expected: 'it is accepted, as are plain requests of the same user',
      actual: came(exchange),
    }
    const counterexample = `an answer to ${recorded.place}, which got no further in ${times} of ${tries} tries`
    const requirement = clause ?? operationOf(operation).requirements[0].id
    const isNamed = clause !== undefined
    this.#controls.set(operation, { requirement, breach, exchange, operation, counterexample, isNamed })
  }

  /** Results for what was seen, with the counts of now. */
  results(): CheckResult[] {
    return [
      ...[...this.#sightings].map(([id, sighting]) => {
        const { kept = 0, broken = 0 } = this.looks.get(id) ?? {}
        const how = `${broken} of ${kept + broken} answers that were looked at show it`
        const counterexample = `an answer to ${sighting.exchange.recorded.place}; ${how}`
        const title = 'Looked at on every answer of the run.'
        const named = { id: `${id}:every-answer` as CheckId, title, seenOn: 'answers' as const }
        return this.#resultOf(named, { ...sighting, counterexample })
      }),
      ...[...this.#controls.values()].map((sighting) => {
        const title = 'Looked at on valid requests that other checks rest on.'
        const id = `${sighting.requirement}:every-control` as CheckId
        return this.#resultOf({ id, title, seenOn: 'controls' }, { ...sighting, wanted: 'accepted' })
      }),
    ]
  }

  #resultOf(
    { id, title, seenOn }: Required<Pick<CheckResult, 'id' | 'title' | 'seenOn'>>,
    seen: Sighting & { readonly counterexample: string; readonly wanted?: 'accepted' },
  ): CheckResult {
    const { redactor, replayCommand, began, configuration } = this.#surroundings
    const { requirement, exchange, operation } = seen
    const named = {
      ...{ id, seenOn, requirement },
      operation: judgedBy(requirement, operation),
      title: `${requirementOf(requirement).text} ${title}`,
    }
    return breachResult(named, seen, {
      redactor: redactor(),
      shapes: configuration.profile?.shapes,
      replay: `${replayCommand} --requirement ${exchange.recorded.place}`,
      shown: (each) => {
        const { answer } = each.recorded
        return answer && evidenceOf(answer, classifiedExchange(each), redactor(), began)
      },
    })
  }
}

const tellingOutcomes: readonly Outcome[] = ['failed', 'warned', 'waived']

/**
 * Without what the watch saw of a requirement of which another check tells the same; and without refused controls of an
 * operation of which anything else is told, which is their reason as a rule.
 */
export function withoutDoubles<
  Check extends Pick<CheckResult, 'id' | 'outcome' | 'requirement' | 'operation' | 'seenOn'>,
>(checks: readonly Check[]): Check[] {
  const telling = checks.filter(
    ({ seenOn, outcome }) => seenOn !== 'controls' && tellingOutcomes.includes(outcome),
  )
  const told = new Set(
    telling.filter(({ seenOn }) => seenOn === undefined).map(({ requirement }) => requirement),
  )
  // What shows in the interplay of all is the reason of none in particular.
  const ofOne = telling.filter(({ requirement }) => requirementOf(requirement).operation !== 'lifecycle')
  const operations = new Set(ofOne.map(({ operation }) => operation))
  return checks.filter(({ seenOn, requirement, operation }) =>
    seenOn === 'controls' ? !operations.has(operation) : seenOn === undefined || !told.has(requirement),
  )
}
