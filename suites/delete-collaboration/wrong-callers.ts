/** Who may not delete collaborations (§5), and on what each of them tries it. */
import { wrongCallersOf } from '../../clauses/callers.ts'
import type { ActorName } from '../../deployment/configuration/actors.ts'
import type { CheckContext } from '../../runner/context/context.ts'
import type { RequirementId } from '../../specs/requirements.ts'
import { drawCollaboration, workspaces } from './uses.ts'

export type WrongCaller = Extract<ActorName, 'guestAdministrator' | 'hostMember'> | 'anonymous'

/** As the requirements say; a made-up credential is judged with what its refused delete leaves behind. */
export const wrongCallers: readonly (readonly [RequirementId, WrongCaller])[] = wrongCallersOf(
  'delete-collaboration',
)
  .filter(({ refused }) => refused !== 'impostor')
  .map(({ id, refused }) => [id, refused as WrongCaller])

/** Looks that wait for what may show later go on beside each other where fixtures cost nothing; undefined: all in one place. */
export const triesAtOnce = ({ configuration }: Pick<CheckContext, 'configuration'>): number | undefined =>
  configuration.run.plentiful ? 4 : undefined

/** What wrong callers try to delete after it was used: what one who is refused has tried goes to the next. */
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
