/** Shows exchanges to all judges that they concern, in the order of their answers. */
import { type OperationId, operationIds } from '../specs/operations.ts'
import { type ContractRequirementId, concerns, contractRequirements, judges } from './catalogue.ts'
import type { Judge, Judgement, Look } from './clause.ts'
import type { Exchange } from './exchange.ts'
import type { Knowledge } from './facts.ts'

/** What an exchange shows of one requirement. */
export interface Judged {
  readonly requirement: ContractRequirementId
  readonly judgement: NonNullable<Judgement>
}

interface ActiveJudge {
  readonly requirement: ContractRequirementId
  readonly judge: Judge
  readonly look: Look
}

/** All judges of one run or one recording. */
export class Watch {
  readonly #knowledge: Knowledge
  readonly #judges: ReadonlyMap<OperationId, readonly ActiveJudge[]>
  /** The judges that may have something to say, by operation, caller, and whether the answer was accepted. */
  readonly #relevant = new Map<string, readonly ActiveJudge[]>()

  constructor(knowledge: Knowledge) {
    this.#knowledge = knowledge
    const begun = contractRequirements.flatMap((requirement) => {
      const judge = judges[requirement]
      return judge === undefined ? [] : [{ requirement, judge, look: judge.begin() }]
    })
    this.#judges = new Map(
      operationIds.map((operation) => [
        operation,
        begun.filter(({ requirement }) => concerns(requirement, operation)),
      ]),
    )
  }

  /** Returns what the exchange shows of each requirement. Then the exchange becomes a fact. */
  see(exchange: Exchange): Judged[] {
    const seen: Judged[] = []
    for (const { requirement, look } of this.#relevantFor(exchange)) {
      const judgement = look(exchange, this.#knowledge)
      if (judgement !== undefined) seen.push({ requirement, judgement })
    }
    this.#knowledge.came(exchange)
    return seen
  }

  #relevantFor({ operation, accepted, caller }: Exchange): readonly ActiveJudge[] {
    const key = `${operation} ${caller} ${accepted !== undefined}`
    let asked = this.#relevant.get(key)
    if (asked === undefined) {
      asked = (this.#judges.get(operation) ?? []).filter(
        ({ judge: { acceptedOnly, callerOnly } }) =>
          (acceptedOnly !== true || accepted !== undefined) &&
          (callerOnly === undefined || callerOnly === caller),
      )
      this.#relevant.set(key, asked)
    }
    return asked
  }
}
