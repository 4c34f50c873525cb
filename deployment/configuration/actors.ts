/** The parts that callers and portals play. */

export const actorNames = [
  'hostAdministrator',
  'hostMember',
  'guestAdministrator',
  'organizationAdministrator',
  'contentAdministrator',
  'customAdministrator',
  'itemOwner',
  'itemOwnerUnprivileged',
  'outsider',
  'taskOwner',
  'syncInitiator',
  'syncNonInitiator',
] as const

/** A caller that the configuration offers, by the part it plays. */
export type ActorName = (typeof actorNames)[number]

export const portalNames = ['host', 'guest', 'otherGuest'] as const

export type PortalName = (typeof portalNames)[number]
