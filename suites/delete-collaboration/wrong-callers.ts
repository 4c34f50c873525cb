/** Callers who may not delete collaborations (§5), and the collaboration that each of them tries. */
import { wrongCallersOf } from '../../clauses/callers.ts'
import type { ActorName } from '../../deployment/configuration/actors.ts'
import type { CheckContext } from '../../runner/context/context.ts'
import type { RequirementId } from '../../specs/requirements.ts'
import { drawCollaboration, workspaces } from './uses.ts'

export type WrongCaller = Extract<ActorName, 'guestAdministrator' | 'hostMember'> | 'anonymous'

/** The callers that requirements name. A made-up credential is judged by the consequences of its refused delete. */
export const wrongCallers: readonly (readonly [RequirementId, WrongCaller])[] = wrongCallersOf(
  'delete-collaboration',
)
  .filter(({ refused }) => refused !== 'impostor')
  .map(({ id, refused }) => [id, refused as WrongCaller])

/** Waits for late effects run in parallel if fixtures cost nothing. Undefined: everything in one place. */
export const triesAtOnce = ({ configuration }: Pick<CheckContext, 'configuration'>): number | undefined =>
  configuration.run.plentiful ? 4 : undefined

/** A used collaboration that wrong callers try to delete. After a refusal the next caller gets the same one. */
export function triedInUse(
  context: Pick<CheckContext<never, 'collaboration'>, 'given' | 'configuration'>,
  use: (collaborationId: string) => Promise<void>,
): Promise<void> {
  return context.given.inTurn(
    `tried delete-collaboration with ${workspaces.what}`,
    () => drawCollaboration(context),
    ({ collaborationId }) => use(collaborationId),
    { most: triesAtOnce(context) },
  )
}
