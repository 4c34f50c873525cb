/** The parts that callers and portals play, as the schema of the configuration names them. */
import { schemaOf } from '../../schemas/catalogue.ts'
import type { Configuration } from '../../schemas/types/configuration.ts'

/** A caller that the configuration offers, by the part it plays. */
export type ActorName = keyof Configuration['actors']

export type PortalName = keyof Configuration['portals']

export type GuestName = Exclude<PortalName, 'host'>

const keysOf = (section: 'actors' | 'portals'): string[] =>
  Object.keys(schemaOf('configuration').properties?.[section]?.properties ?? {})

export const actorNames = keysOf('actors') as readonly ActorName[]

export const portalNames = keysOf('portals') as readonly PortalName[]

/** The entries of a record for each actor that it names, in the order of the schema. */
export const ofActors = <Said>(record: Readonly<Partial<Record<ActorName, Said>>>): [ActorName, Said][] =>
  actorNames.flatMap((name) => {
    const said = record[name]
    return said === undefined ? [] : [[name, said]]
  })
