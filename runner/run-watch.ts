/** The watch of a run: shows every exchange of every check to all judges. */
import { wrongInPath } from '../clauses/callers.ts'
import { judges, Watch } from '../clauses/catalogue.ts'
import type { Breach, Judgement } from '../clauses/clause.ts'
import type { Exchange } from '../clauses/exchange.ts'
import { type CheckKnowledge, Knowledge } from '../clauses/facts.ts'
import { classifiedExchange } from '../clauses/reported-answers.ts'
import { Situations } from '../clauses/situations.ts'
import type { Configuration } from '../deployment/configuration/configuration.ts'
import { evidenceOf } from '../deployment/evidence.ts'
import type { Answer } from '../deployment/http/exchange.ts'
import type { Redactor } from '../deployment/redaction/redaction.ts'
import type { OperationId } from '../specs/operations.ts'
import { judgedBy, type RequirementId, requirementOf } from '../specs/requirements.ts'
import { breachResult, type CheckId, type CheckResult } from './check-result.ts'
import { checkOf, Looks } from './log/counts.ts'
import { type Asked, asExchange, type Fold, type RunExchange } from './log/run-log.ts'

/** A breach that the watch reports. */
export interface Sighting {
  readonly requirement: RequirementId
  readonly breach: Breach
  readonly exchange: Exchange
  readonly operation: OperationId
  /** Absent: the answer, and how many others show it. */
  readonly counterexample?: string
}

interface Kind {
  readonly ending: string
  readonly title: string
  readonly seenOn: NonNullable<CheckResult['seenOn']>
  /** Whether a later sighting of the same thing replaces the first one. */
  readonly replaces: boolean
}

/** What the watch reports, by what shows it. Each has its own results, in this order. */
const kinds = {
  answer: {
    ending: 'every-answer',
    title: 'Judged on every answer of the run.',
    seenOn: 'answers',
    replaces: false,
  },
  plain: {
    ending: 'every-control',
    title: 'Judged on plain requests at the end of the run.',
    seenOn: 'answers',
    replaces: true,
  },
  control: {
    ending: 'every-control',
    title: 'Judged on valid requests of other checks.',
    seenOn: 'controls',
    replaces: false,
  },
} as const satisfies Readonly<Record<string, Kind>>

type KindName = keyof typeof kinds

interface RunPlace {
  readonly configuration: Configuration
  readonly repeatCommand: string
  readonly redactor: () => Redactor
  /** When the run began, in ms of `performance.now()`. */
  readonly began: number
}

export class RunWatch implements Fold {
  readonly knowledge: Knowledge
  readonly looks = new Looks()
  readonly #watch: Watch
  readonly #run: RunPlace
  /** Of answers by check, of plain requests and controls by operation. */
  readonly #sightings = {
    answer: new Map<string, Sighting>(),
    plain: new Map<string, Sighting>(),
    control: new Map<string, Sighting>(),
  } as const satisfies Readonly<Record<KindName, unknown>>
  readonly #situations = new Situations()
  /** When a breach that must be seen twice was first seen, as a Unix time in ms. */
  readonly #firstSeenAt = new Map<CheckId, number>()

  constructor(run: RunPlace) {
    this.#run = run
    this.knowledge = new Knowledge(run.configuration)
    this.#watch = new Watch(this.knowledge)
  }

  /** Whether the run deleted that collaboration. */
  hasDeleted({ collaborationId }: { readonly collaborationId?: string | undefined }): boolean {
    if (collaborationId === undefined) return false
    const { baseUrl } = this.#run.configuration.target
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
      this.looks.count({ requirement, operation }, judgement, exchange.situations)
      if (
        typeof judgement === 'object' &&
        this.#counts(checkOf({ requirement, operation }), judgement, judged)
      )
        this.report('answer', { requirement, breach: judgement, exchange: judged, operation })
    }
  }

  /** A breach that rests on time or a race counts only if it is seen again after the settle time. */
  #counts(id: CheckId, { indirect }: Breach, { askedAt = 0, answeredAt = 0 }: Exchange): boolean {
    if (!indirect) return true
    const first = this.#firstSeenAt.get(id)
    if (first === undefined) this.#firstSeenAt.set(id, answeredAt)
    return first !== undefined && askedAt > first + this.knowledge.run.settleMs
  }

  /**
   * What an answer shows of a requirement. Undefined if nothing. `before`: earlier answers; the last accepted one is
   * the control. `known`: what the check knows.
   */
  judgementOf(
    answer: Answer,
    requirement: RequirementId,
    before: readonly Answer[],
    known: CheckKnowledge = {},
  ): Judgement {
    const exchange = asExchange(answer)
    if (exchange === undefined) return undefined
    const { judged, shown, situations } = exchange
    const found = shown.find((each) => each.requirement === requirement)?.judgement
    const control = before.map((each) => asExchange(each)?.judged).findLast((each) => each?.accepted)
    if (typeof found === 'object' || (control === undefined && Object.keys(known).length === 0)) return found
    const look = judges[requirement]?.begin()
    const reported = this.knowledge.withCheckKnowledge({ control, ...known }, () =>
      look?.(judged, this.knowledge),
    )
    if (reported !== undefined && found === undefined) {
      shown.push({ requirement, judgement: reported })
      this.looks.count({ requirement, operation: judged.operation }, reported, situations)
    }
    return reported ?? found
  }

  /** Why an answer may show nothing, if the run knows. */
  whyUndecided(answer: Answer): string | undefined {
    const exchange = asExchange(answer)?.judged
    return exchange && wrongInPath(exchange, this.knowledge)
  }

  /** A check found its expectation met, which no judge may have counted. */
  held(answer: Answer, requirement: RequirementId): void {
    const exchange = asExchange(answer)
    if (exchange === undefined || exchange.shown.some((each) => each.requirement === requirement)) return
    if (exchange.held.includes(requirement)) return
    exchange.held.push(requirement)
    this.looks.count({ requirement, operation: exchange.asked.operation }, 'kept', exchange.situations)
  }

  /**
   * Reports the breach: one for each requirement about answers, and one for each operation of the other kinds. False: the
   * known one stays.
   */
  report(kind: KindName, sighting: Sighting): boolean {
    const sightings = this.#sightings[kind]
    const key = kind === 'answer' ? checkOf(sighting) : sighting.operation
    const known = sightings.get(key)
    if (known !== undefined && !kinds[kind].replaces) return false
    sightings.set(key, sighting)
    return true
  }

  /** The results of the watch, with the current counts. */
  results(): CheckResult[] {
    return Object.entries(this.#sightings).flatMap(([kind, sightings]) =>
      [...sightings.values()].map((each) => this.#resultOf(kind as KindName, each)),
    )
  }

  /** How many of the answers that were judged show it. */
  #counterexample({ requirement, operation, exchange }: Sighting): string {
    const { kept = 0, broken = 0 } = this.looks.get(checkOf({ requirement, operation })) ?? {}
    return `an answer to ${exchange.recorded.place}; ${broken} of ${kept + broken} judged answers show it`
  }

  #resultOf(kind: KindName, seen: Sighting): CheckResult {
    const { ending, title, seenOn } = kinds[kind]
    const { redactor, repeatCommand, began, configuration } = this.#run
    const { requirement, exchange, operation, counterexample = this.#counterexample(seen) } = seen
    const check = kind === 'answer' ? checkOf(seen) : requirement
    const named = {
      id: `${check}:${ending}` as CheckId,
      seenOn,
      requirement,
      operation: judgedBy(requirement, operation),
      title: `${requirementOf(requirement).text} ${title}`,
    }
    const wanted = kind === 'answer' ? {} : { wanted: 'accepted' as const }
    return breachResult(
      named,
      { ...seen, counterexample, ...wanted },
      {
        redactor: redactor(),
        shapes: configuration.profile?.shapes,
        repeat: `${repeatCommand} --requirement ${exchange.recorded.place}`,
        seed: configuration.run.seed,
        shown: (each) => {
          const { answer } = each.recorded
          return answer && evidenceOf(answer, classifiedExchange(each), redactor(), began)
        },
      },
    )
  }
}
