/** Who may not delete a collaboration, and on which paths it is tried (§4.6, §5). */

import type { ActorName } from '../../deployment/configuration/actors.ts'
import type { CheckContext } from '../../runner/context/context.ts'
import type { RequirementId } from '../../specs/requirements.ts'

export type WrongCaller = Extract<ActorName, 'guestAdministrator' | 'hostMember'> | 'anonymous'

export const wrongCallers: readonly (readonly [RequirementId, WrongCaller])[] = [
  ['delete-collaboration/refuses-guest', 'guestAdministrator'],
  ['delete-collaboration/refuses-non-administrator', 'hostMember'],
  ['delete-collaboration/refuses-anonymous', 'anonymous'],
]

/** What wrong callers try to delete after it was used: what one who is refused has tried goes to the next. */
export function triedInUse(
  { given }: Pick<CheckContext<never, 'collaboration'>, 'given'>,
  use: (collaborationId: string) => Promise<void>,
): Promise<void> {
  const draw = async () => (await given.collaboration()).collaborationId
  return given.shares.inTurn('tried delete-collaboration in use', draw, use, () => false)
}
