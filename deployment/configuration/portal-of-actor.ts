/** Where an actor belongs when the configuration does not say. */
import type { ActorName, PortalName } from './configuration.ts'

/** Guests for the parts that guests play, as far as such a portal is configured; the host for all others. */
export function defaultPortal(actor: ActorName, configured: readonly PortalName[]): PortalName {
  // Typically the guest is the one designated to initiate syncs (§4.4).
  if (actor === 'guestAdministrator' || actor === 'syncInitiator') return 'guest'
  if (actor === 'syncNonInitiator' && configured.includes('otherGuest')) return 'otherGuest'
  return 'host'
}
