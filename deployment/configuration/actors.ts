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

/** What a record says of each actor that it names. */
export const ofActors = <Said>(record: Readonly<Partial<Record<ActorName, Said>>>): [ActorName, Said][] =>
  actorNames.flatMap((name) => {
    const said = record[name]
    return said === undefined ? [] : [[name, said]]
  })

export const portalNames = ['host', 'guest', 'otherGuest'] as const

export type PortalName = (typeof portalNames)[number]
