/** Who is refused, by what the requirement of an operation is called that says so. */
import type { ActorName } from '../deployment/configuration/configuration.ts'

export const wrongCallers: Readonly<Record<string, ActorName | undefined>> = {
  'refuses-guest': 'guestAdministrator',
  'refuses-non-administrator': 'hostMember',
  'refuses-non-designated': 'syncNonInitiator',
  'refuses-other-organization': 'guestAdministrator',
}
