/** Who may not delete collaborations (§5), and on what each of them tries it. */
import type { ActorName } from '../../deployment/configuration/actors.ts'
import type { CheckContext } from '../../runner/context/context.ts'
import type { RequirementId } from '../../specs/requirements.ts'
import { workspaces } from './uses.ts'

export type WrongCaller = Extract<ActorName, 'guestAdministrator' | 'hostMember'> | 'anonymous'

export const wrongCallers: readonly (readonly [RequirementId, WrongCaller])[] = [
  ['delete-collaboration/refuses-guest', 'guestAdministrator'],
  ['delete-collaboration/refuses-non-administrator', 'hostMember'],
  ['delete-collaboration/refuses-anonymous', 'anonymous'],
]

/** Looks that wait for what may show later go on beside each other where fixtures cost nothing; undefined: all in one place. */
export const triesAtOnce = ({ configuration }: Pick<CheckContext, 'configuration'>): number | undefined =>
  configuration.run.plentiful ? 4 : undefined

/** What wrong callers try to delete after it was used: what one who is refused has tried goes to the next. */
export function triedInUse(
  { given, configuration }: Pick<CheckContext<never, 'collaboration'>, 'given' | 'configuration'>,
  use: (collaborationId: string) => Promise<void>,
): Promise<void> {
  const draw = async () => ({ collaborationId: (await given.collaboration()).collaborationId })
  return given.inTurn(
    `tried delete-collaboration with ${workspaces.what}`,
    draw,
    ({ collaborationId }) => use(collaborationId),
    { most: triesAtOnce({ configuration }) },
  )
}
