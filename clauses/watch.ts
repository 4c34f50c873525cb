/** Looks at exchanges with every judge that they concern, in the order of their answers. */
import { type OperationId, operationIds } from '../specs/operations.ts'
import { type ContractRequirementId, concerns, contractRequirements, judges } from './catalogue.ts'
import type { Judge, Judgement, Look } from './clause.ts'
import type { Exchange } from './exchange.ts'
import type { Knowledge } from './facts.ts'

/** What an exchange shows of one requirement. */
export interface Seeing {
  readonly requirement: ContractRequirementId
  readonly judgement: NonNullable<Judgement>
}

interface Looking {
  readonly requirement: ContractRequirementId
  readonly judge: Judge
  readonly look: Look
}

/** All judges at work on one run or one recording. */
export class Watch {
  readonly #knowledge: Knowledge
  readonly #looks: ReadonlyMap<OperationId, readonly Looking[]>
  /** Those of them that may say something, by operation and caller, of what was accepted and of what was not. */
  readonly #asked = new Map<string, readonly Looking[]>()

  constructor(knowledge: Knowledge) {
    this.#knowledge = knowledge
    const begun = contractRequirements.flatMap((requirement) => {
      const judge = judges[requirement]
      return judge === undefined ? [] : [{ requirement, judge, look: judge.begin() }]
    })
    this.#looks = new Map(
      operationIds.map((operation) => [
        operation,
        begun.filter(({ requirement }) => concerns(requirement, operation)),
      ]),
    )
  }

  /** What the exchange shows of each requirement; then it becomes a fact for those after it. */
  see(exchange: Exchange): Seeing[] {
    const seen: Seeing[] = []
    for (const { requirement, look } of this.#asking(exchange)) {
      const judgement = look(exchange, this.#knowledge)
      if (judgement !== undefined) seen.push({ requirement, judgement })
    }
    this.#knowledge.came(exchange)
    return seen
  }

  #asking({ operation, accepted, caller }: Exchange): readonly Looking[] {
    const key = `${operation} ${caller} ${accepted !== undefined}`
    let asked = this.#asked.get(key)
    if (asked === undefined) {
      asked = (this.#looks.get(operation) ?? []).filter(
        ({ judge: { acceptedOnly, callerOnly } }) =>
          (acceptedOnly !== true || accepted !== undefined) &&
          (callerOnly === undefined || callerOnly === caller),
      )
      this.#asked.set(key, asked)
    }
    return asked
  }
}
