/** Counts for each requirement the answers that show it, what they show, and in which situations. */
import type { Judgement } from '../../clauses/clause.ts'
import { type SituationId, situations } from '../../clauses/situations.ts'
import type { OperationId } from '../../specs/operations.ts'
import { type RequirementId, requirementOf } from '../../specs/requirements.ts'
import type { CheckId } from '../check-result.ts'
import { remembered } from '../remembered.ts'

/** How many answers keep and break a requirement. */
interface Counts {
  readonly requirement: RequirementId
  kept: number
  broken: number
  /** How many of these answers came in which situations. `Situations` shares the lists. */
  readonly met: Map<readonly SituationId[], number>
}

type SituationCounts = Partial<Record<SituationId, number>>

/** The counts for results. */
export interface RequirementLooks {
  readonly requirement: RequirementId
  /** Answers that show the requirement, kept or broken. */
  readonly exchanges: number
  readonly kept: number
  readonly situations: SituationCounts
}

/** What is counted: a requirement, separately for each operation if it is about all. */
interface Look {
  readonly requirement: RequirementId
  readonly operation: OperationId
}

/** Counts by requirement, or by check if the requirement is about all operations. */
export class Looks extends Map<CheckId, Counts> {
  count(look: Look, judgement: NonNullable<Judgement>, met: readonly SituationId[]): void {
    const { requirement } = look
    const counts = remembered(this, checkOf(look), () => ({
      requirement,
      kept: 0,
      broken: 0,
      met: new Map(),
    }))
    counts[typeof judgement === 'object' ? 'broken' : 'kept'] += 1
    counts.met.set(met, (counts.met.get(met) ?? 0) + 1)
  }

  summary(): RequirementLooks[] {
    const sums = new Map<
      RequirementId,
      { -readonly [Key in keyof RequirementLooks]: RequirementLooks[Key] }
    >()
    for (const { requirement, kept, broken, met } of this.values()) {
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
}

/** The id to count under: requirements about all operations are counted for each operation. */
export const checkOf = ({ requirement, operation }: Look): CheckId =>
  requirementOf(requirement).operation === 'protocol' ? `${requirement}:${operation}` : requirement

/** Each of those situations with that count. */
const each = (list: readonly SituationId[], count: number): SituationCounts =>
  Object.fromEntries(list.map((id) => [id, count]))

/** Adds up counts, in the order of the situations. */
export function addedUp(several: readonly SituationCounts[]): SituationCounts {
  const sum = (id: SituationId): number => several.reduce((total, counts) => total + (counts[id] ?? 0), 0)
  const ids = Object.keys(situations) as SituationId[]
  return Object.fromEntries(ids.flatMap((id) => (sum(id) === 0 ? [] : [[id, sum(id)]])))
}
