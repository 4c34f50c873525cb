/** What a run may be allowed to do with what was chosen, as long as the user says nothing of it. */

import type { FixtureKind } from '../../deployment/fixtures/fixture-kinds.ts'
import { targetNeeds } from '../../runner/operation-targets.ts'
import { type OperationId, operationIds } from '../../specs/operations.ts'
import type { Choices } from './choices.ts'

/** The kinds that the lists of a configuration would hold; undefined: a provider may have any. */
function listedKinds({ fixtures, guestId }: Choices): FixtureKind[] | undefined {
  if (fixtures === undefined) return []
  if (!('collaborations' in fixtures)) return undefined
  const there = fixtures.collaborations.length > 0
  return [
    ...(there ? (['collaboration'] as const) : []),
    ...(there && guestId !== undefined ? (['participant'] as const) : []),
    ...(fixtures.groups.length > 0 ? (['group'] as const) : []),
  ]
}

/** Operations that can be judged so. What is listed by hand may be wanted still: it is not deleted unless they say so. */
export function usualEffects(choices: Choices): OperationId[] {
  const kinds = listedKinds(choices)
  return operationIds.filter((id) => {
    const { actors = [], fixtures = [] } = targetNeeds(id)
    if (kinds !== undefined && id === 'delete-collaboration') return false
    return (
      actors.every((actor) => choices.actors.some(({ name }) => name === actor)) &&
      fixtures.every((kind) => kinds?.includes(kind) ?? true)
    )
  })
}
