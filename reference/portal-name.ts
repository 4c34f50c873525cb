/** The portals that the embedded deployment plays. */
export type PortalName = 'host' | 'guest' | 'otherGuest'
