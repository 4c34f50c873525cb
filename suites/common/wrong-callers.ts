/** Who must be refused (§5): every wrong caller of every operation, as its requirements say. */
import { isStranger, type Part, type Stranger } from '../../clauses/exchange.ts'
import { wrongCallers } from '../../runner/operation-targets.ts'
import type { OperationId } from '../../specs/operations.ts'
import { type RequirementId, requirements } from '../../specs/requirements.ts'

/** By what the requirement is called. */
const refusals: Readonly<Record<string, Part | undefined>> = {
  ...wrongCallers,
  'refuses-anonymous': 'anonymous',
  'refuses-invalid-credential': 'impostor',
}

interface WrongCaller {
  readonly id: RequirementId
  readonly refused: Part
}

/** Who is refused by that operation, each with the requirement that says so. */
export const wrongCallersOf = (operation: OperationId): WrongCaller[] =>
  requirements.flatMap(({ id }) => {
    const [subject, name = ''] = id.split('/')
    const refused = subject === operation ? refusals[name] : undefined
    return refused === undefined ? [] : [{ id, refused }]
  })

/** What a check needs for that caller: strangers need no configuration. */
export const actorsOf = <Name extends Part>(refused: Name): Exclude<Name, Stranger>[] =>
  isStranger(refused) ? [] : [refused as Exclude<Name, Stranger>]
