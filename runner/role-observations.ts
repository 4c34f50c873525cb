/** Which actors may call which operations, as observed by checks and merged over all checks. */
import { actorNames } from '../deployment/configuration/actors.ts'
import type { Answer } from '../deployment/http/exchange.ts'
import { type OperationId, operationIds } from '../specs/operations.ts'
import { isGating } from '../specs/outcomes.ts'
import { requirementOf } from '../specs/requirements.ts'
import type { CheckDefinition } from './check.ts'
import type { RoleObservation } from './check-result.ts'
import { asExchange } from './log/run-log.ts'

type Actor = RoleObservation['actor']

/** How a check read an answer. */
export interface Reading {
  readonly accepted: boolean
  /** The expectation, if it was about acceptance. */
  readonly wanted?: 'accepted' | 'refused' | undefined
  /** The answer shows a consequence of earlier ones, not what its caller may do. */
  readonly consequence?: boolean
}

/** The observations of one attempt. */
export class RoleNotes {
  /** The strongest observation for each operation and actor. */
  readonly #notes = new Map<string, RoleObservation>()
  /** The operation whose callers the check judges, if it judges callers. */
  readonly #judged: OperationId | undefined
  readonly #binding: boolean

  constructor({ requirement, operation }: Pick<CheckDefinition, 'requirement' | 'operation'>) {
    const { kind, level } = requirementOf(requirement)
    this.#judged = kind === 'roles' ? operation : undefined
    this.#binding = isGating(level)
  }

  /** Records how the check read the answer. */
  read(answer: Answer, { accepted, wanted, consequence = false }: Reading): void {
    const { operation, actor } = asExchange(answer)?.asked ?? {}
    if (operation === undefined || actor === undefined) return
    const sender = { operation, actor }
    const judged = wanted !== undefined && operation === this.#judged
    const wrong = judged && this.#binding && accepted !== (wanted === 'accepted')
    const isRefused = !accepted && judged && !consequence && (wrong || wanted === 'refused')
    if (accepted || isRefused)
      note(this.#notes, {
        ...sender,
        observed: accepted ? 'allowed' : 'refused',
        ...(wrong ? { wrong } : {}),
      })
  }

  /** All observations, one for each operation and actor. */
  all(): RoleObservation[] {
    return inOrder(this.#notes)
  }
}

/** What an inconclusive check has observed: acceptances only. */
export const unproved = (notes: readonly RoleObservation[]): RoleObservation[] =>
  notes.flatMap(({ operation, actor, observed }) =>
    observed === 'allowed' ? [{ operation, actor, observed }] : [],
  )

const actors: readonly Actor[] = [...actorNames, 'anonymous', 'impostor']

/**
 * One observation for each operation and actor, in order. A wrong one wins over a right one; otherwise one acceptance
 * means allowed.
 */
export function mergedRoles(several: readonly RoleObservation[]): RoleObservation[] {
  const strongest = new Map<string, RoleObservation>()
  for (const observation of several) note(strongest, observation)
  return inOrder(strongest)
}

function note(strongest: Map<string, RoleObservation>, observation: RoleObservation): void {
  const key = `${observation.operation} ${observation.actor}`
  const known = strongest.get(key)
  if (known === undefined || weight(observation) > weight(known)) strongest.set(key, observation)
}

const weight = ({ observed, wrong }: RoleObservation): number =>
  (wrong ? 2 : 0) + (observed === 'allowed' ? 1 : 0)

const placeOf = ({ operation, actor }: RoleObservation): number =>
  operationIds.indexOf(operation) * actors.length + actors.indexOf(actor)

const inOrder = (strongest: ReadonlyMap<string, RoleObservation>): RoleObservation[] =>
  [...strongest.values()].sort((one, other) => placeOf(one) - placeOf(other))
