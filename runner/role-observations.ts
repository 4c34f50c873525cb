/** Who was let do what: noted from the answers that a check looks at, and put together over checks. */

import { actorNames } from '../deployment/configuration/actors.ts'
import type { Answer } from '../deployment/http/exchange.ts'
import { type OperationId, operationIds } from '../specs/operations.ts'
import { isGating } from '../specs/outcomes.ts'
import { requirementOf } from '../specs/requirements.ts'
import type { CheckDefinition } from './check.ts'
import type { RoleObservation } from './check-result.ts'
import { asExchange } from './log/exchange.ts'

type Actor = RoleObservation['actor']

/** What a check made of an answer. */
export interface Reading {
  readonly accepted: boolean
  /** Set where that itself was expected. */
  readonly wanted?: 'accepted' | 'refused' | undefined
  /** The answer shows a consequence of earlier ones, not what its sender may do. */
  readonly consequence?: boolean
}

/** The notes of one attempt of one check. */
export class RoleNotes {
  /** The strongest, by operation and actor. */
  readonly #notes = new Map<string, RoleObservation>()
  /** The operation whose callers the check judges; absent where it judges something else. */
  readonly #judged: OperationId | undefined
  readonly #binding: boolean

  constructor({ requirement, operation }: Pick<CheckDefinition, 'requirement' | 'operation'>) {
    const { kind, level } = requirementOf(requirement)
    this.#judged = kind === 'roles' ? operation : undefined
    this.#binding = isGating(level)
  }

  /** Notes what the check read in the answer. */
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

  /** All notes, one for an operation and an actor. */
  all(): RoleObservation[] {
    return inOrder(this.#notes)
  }
}

/** What remains of notes where nothing was proved: only that something was accepted. */
export const unproved = (notes: readonly RoleObservation[]): RoleObservation[] =>
  notes.flatMap(({ operation, actor, observed }) =>
    observed === 'allowed' ? [{ operation, actor, observed }] : [],
  )

const actors: readonly Actor[] = [...actorNames, 'anonymous', 'impostor']

/**
 * One observation for an operation and an actor, in the order of the contract and of the actors. What is wrong is
 * never covered by what is right; apart from that, an actor who was accepted once is allowed.
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

const inOrder = (strongest: ReadonlyMap<string, RoleObservation>): RoleObservation[] =>
  operationIds.flatMap((operation) => actors.flatMap((actor) => strongest.get(`${operation} ${actor}`) ?? []))
