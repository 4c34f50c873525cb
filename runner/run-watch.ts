/** The watch of a run: shows every exchange of every check to all judges. */
import { judges, Watch } from '../clauses/catalogue.ts'
import { answerInWords, type Breach, type Judgement } from '../clauses/clause.ts'
import type { Exchange } from '../clauses/exchange.ts'
import { type CheckKnowledge, Knowledge } from '../clauses/facts.ts'
import { classifiedExchange } from '../clauses/reported-answers.ts'
import { Situations } from '../clauses/situations.ts'
import type { Configuration } from '../deployment/configuration/configuration.ts'
import { evidenceOf } from '../deployment/evidence.ts'
import type { Answer } from '../deployment/http/exchange.ts'
import type { Redactor } from '../deployment/redaction/redaction.ts'
import { type OperationId, operationOf } from '../specs/operations.ts'
import type { Outcome } from '../specs/outcomes.ts'
import { judgedBy, type RequirementId, requirementOf } from '../specs/requirements.ts'
import { breachResult, type CheckId, type CheckResult, type Sightings } from './check-result.ts'
import type { ControlRefused } from './findings.ts'
import { checkOf, Looks } from './log/counts.ts'
import { type Asked, asExchange, type Fold, type RunExchange } from './log/run-log.ts'

/** What the watch found, by what shows it. Each has its own results, in this order. */
const kinds = {
  answer: { ending: 'every-answer', title: 'Judged on every answer of the run.', seenOn: 'answers' },
  plain: {
    ending: 'every-control',
    title: 'Judged on plain requests at the end of the run.',
    seenOn: 'answers',
  },
  control: {
    ending: 'every-control',
    title: 'Judged on valid requests of other checks.',
    seenOn: 'controls',
  },
} as const

type Kind = keyof typeof kinds

interface Sighting {
  readonly requirement: RequirementId
  readonly breach: Breach
  readonly exchange: Exchange
  readonly operation: OperationId
}

/** A valid request that was refused. */
interface RefusedRequest extends Sighting {
  readonly counterexample: string
}

interface RefusedControl extends RefusedRequest {
  /** Whether its check names the requirement. */
  readonly isNamed: boolean
}

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
  readonly #sightings = new Map<CheckId, Sighting>()
  /** For each operation, a control that was refused again and again. */
  readonly #refusedControls = new Map<OperationId, RefusedControl>()
  /** For each operation, a plain request that was refused unlike others. */
  readonly #refusedPlain = new Map<OperationId, RefusedRequest>()
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
      const id = checkOf({ requirement, operation })
      this.looks.count({ requirement, operation }, judgement, exchange.situations)
      if (typeof judgement !== 'object' || this.#sightings.has(id)) continue
      if (this.#counts(id, judgement, judged))
        this.#sightings.set(id, { requirement, breach: judgement, exchange: judged, operation })
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

  /** A check found its expectation met, which no judge may have counted. */
  held(answer: Answer, requirement: RequirementId): void {
    const exchange = asExchange(answer)
    if (exchange === undefined || exchange.shown.some((each) => each.requirement === requirement)) return
    if (exchange.held.includes(requirement)) return
    exchange.held.push(requirement)
    this.looks.count({ requirement, operation: exchange.asked.operation }, 'kept', exchange.situations)
  }

  /** Nothing is accepted any more in the collaboration of that answer, since another one was deleted. */
  disappearedWith(answer: Answer, deleted: Answer): void {
    const requirement = 'delete-collaboration/others-unaffected'
    const [gone, before] = [answer, deleted].map((each) => asExchange(each)?.judged)
    if (gone === undefined || before === undefined || this.#sightings.has(requirement)) return
    const breach: Breach = {
      message: 'a collaboration was gone after another one was deleted',
      expected: 'requests that were accepted in it before are still accepted',
      actual: answerInWords(gone),
      before: [before],
    }
    const { operation } = gone
    this.looks.count({ requirement, operation }, breach, asExchange(answer)?.situations ?? [])
    this.#sightings.set(requirement, { requirement, breach, exchange: gone, operation })
  }

  /**
   * A control was refused repeatedly. That breaks the requirement that its check names, or else the first one of its
   * operation.
   */
  controlRefused(
    { answer, what, clause }: Pick<ControlRefused, 'answer' | 'what' | 'clause'>,
    { times, tries }: Sightings,
  ): void {
    const exchange = asExchange(answer)?.judged
    if (exchange === undefined) return
    const { operation, recorded } = exchange
    const known = this.#refusedControls.get(operation)
    if (known !== undefined && (known.isNamed || clause === undefined)) return
    const breach: Breach = {
      message: `a valid request was not accepted: ${what.replace(/,$/, '')}`,
      expected: 'it is accepted, as are plain requests of the same user',
      actual: answerInWords(exchange),
    }
    const counterexample = `an answer to ${recorded.place}, which stopped ${times} of ${tries} tries`
    const requirement = clause ?? operationOf(operation).requirements[0].id
    const control = {
      requirement,
      breach,
      exchange,
      operation,
      counterexample,
      isNamed: clause !== undefined,
    }
    this.#refusedControls.set(operation, control)
  }

  /** Plain requests of an operation were refused. `last`: the last accepted one before it stopped working. */
  plainRefused(
    answer: Answer,
    { times, tries }: Sightings,
    when: 'now and then' | 'after refusals' | { readonly last: RunExchange | undefined },
  ): void {
    const exchange = asExchange(answer)?.judged
    if (exchange === undefined) return
    const { operation } = exchange
    const often = `${times} of ${tries}`
    const last = typeof when === 'object' ? when.last : undefined
    const words = {
      'now and then': [
        `plain valid requests are refused now and then: seen ${often}`,
        `plain requests at the end of the run, ${often} refused`,
      ],
      'after refusals': [
        `plain valid requests are refused right after a refused request, and no others: seen ${often}`,
        `plain requests, ${often} refused, each right after a refused request`,
      ],
      'since the last': [
        `${operation} stopped working during the run: plain valid requests are refused, seen ${often}`,
        `the last that was accepted is one of ${last?.judged.recorded.place}`,
      ],
    } as const
    const [message, counterexample] = words[typeof when === 'object' ? 'since the last' : when]
    const breach: Breach = {
      message,
      expected: 'every plain valid request of a permitted caller is accepted',
      actual: answerInWords(exchange),
      ...(last && { before: [last.judged] }),
    }
    const requirement = operationOf(operation).requirements[0].id
    this.#refusedPlain.set(operation, { requirement, breach, exchange, operation, counterexample })
  }

  /** The answer to a plain valid request is in no form of the contract. */
  malformed(answer: Answer): void {
    const exchange = asExchange(answer)?.judged
    if (exchange === undefined) return
    const { operation } = exchange
    for (const requirement of ['protocol/json-format', 'protocol/success-boolean'] as const) {
      const breach = this.judgementOf(answer, requirement, [], { valid: true })
      const id = checkOf({ requirement, operation })
      if (typeof breach === 'object' && !this.#sightings.has(id))
        this.#sightings.set(id, { requirement, breach, exchange, operation })
    }
  }

  /** The results of the watch, with the current counts. */
  results(): CheckResult[] {
    return [
      ...[...this.#sightings].map(([id, sighting]) => {
        const { kept = 0, broken = 0 } = this.looks.get(id) ?? {}
        const how = `${broken} of ${kept + broken} judged answers show it`
        const counterexample = `an answer to ${sighting.exchange.recorded.place}; ${how}`
        return this.#resultOf('answer', id, { ...sighting, counterexample })
      }),
      ...[...this.#refusedPlain.values()].map((each) => this.#resultOf('plain', each.requirement, each)),
      ...[...this.#refusedControls.values()].map((each) => this.#resultOf('control', each.requirement, each)),
    ]
  }

  #resultOf(kind: Kind, check: CheckId, seen: RefusedRequest): CheckResult {
    const { ending, title, seenOn } = kinds[kind]
    const { redactor, repeatCommand, began, configuration } = this.#run
    const { requirement, exchange, operation } = seen
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
      { ...seen, ...wanted },
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

const tellingOutcomes: readonly Outcome[] = ['failed', 'warned', 'waived']

/**
 * Leaves out findings of the watch that a check reports as well, and refused controls of an operation with another
 * finding, which is probably the reason.
 */
export function withoutDuplicates<
  Check extends Pick<CheckResult, 'id' | 'outcome' | 'requirement' | 'operation' | 'seenOn'>,
>(checks: readonly Check[]): Check[] {
  const telling = checks.filter(
    ({ seenOn, outcome }) => seenOn !== 'controls' && tellingOutcomes.includes(outcome),
  )
  const reported = new Set(
    telling.filter(({ seenOn }) => seenOn === undefined).map(({ requirement }) => requirement),
  )
  // A finding about sequences is the reason of no operation in particular.
  const ofOne = telling.filter(({ requirement }) => requirementOf(requirement).operation !== 'lifecycle')
  const operations = new Set(ofOne.map(({ operation }) => operation))
  return checks.filter(({ seenOn, requirement, operation }) =>
    seenOn === 'controls' ? !operations.has(operation) : seenOn === undefined || !reported.has(requirement),
  )
}
