/** Administrative routes, besides the operations of the contract. */
import { shown } from '../answers.ts'
import type { Answer, Arrival, Parts, Rendered } from '../parts.ts'
import type { PortalName, Store } from '../store.ts'
import { type AdministrativeCall, administrator, page, type Route } from './call.ts'
import { collaborationRoutes } from './collaborations.ts'
import { contentRoutes } from './content.ts'
import { federationRoutes } from './federations.ts'
import { createUser, peopleRoutes } from './people.ts'
import { scheduleRoutes, taskRoutes } from './schedules.ts'
import { trustRoutes } from './trust.ts'

/** Routes below the base path. More specific ones come first. */
export const administrativeRoutes: readonly Route[] = [
  ...trustRoutes,
  ...scheduleRoutes,
  ...collaborationRoutes,
  ...peopleRoutes,
  ...taskRoutes,
  ...contentRoutes,
  ...federationRoutes,
]

const notThere = ({ refuse }: Parts): Answer => ({ ...refuse('not-found'), status: 404 })

/** Each deployment has only one of the two paths. */
const createsUser = (path: string, onKubernetes: boolean): Route => ({
  path: `${path}/security/users/createUser`,
  handle: (call) =>
    call.parts.administration.onKubernetes === onKubernetes ? createUser(call) : notThere(call.parts),
})

/** Routes outside the base path. */
export const siteRoutes: readonly Route[] = [
  page('/portaladmin', administrator, ({ parts }) =>
    parts.administration.hosted
      ? notThere(parts)
      : shown({ version: parts.administration.release, resources: ['security'] }),
  ),
  createsUser('/portaladmin', false),
  createsUser('/admin/orgs/0123456789ABCDEF', true),
]

/** The path and the address of a request. */
export interface Place {
  readonly params: Readonly<Record<string, string>>
  /** The portal whose address the client used. */
  readonly at: PortalName
  contextUrl(name: PortalName): string
}

/** Serves an administrative request. */
export function administer(
  { path, handle }: Route,
  arrival: Arrival,
  place: Place,
  { parts, store }: { readonly parts: Parts; readonly store: Store },
): Answer | Rendered {
  const why = parts.administration.fails(path, arrival)
  if (why !== undefined) return parts.refuse(why)
  const user = parts.identify(arrival, store)
  const portal = portalOf(place, user?.organization, store)
  if (portal === undefined) return parts.refuse('unknown-portal')
  const call: AdministrativeCall = {
    params: place.params,
    field: (name) => arrival.form.get(name) || arrival.query.get(name) || undefined,
    user,
    portal,
    arrival,
    store,
    parts,
    contextUrl: place.contextUrl,
  }
  return parts.administration.answered(path, handle(call), call)
}

/** The portal that a path names by id. `self`, or no id: the caller's own portal. */
function portalOf(
  { params, at }: Place,
  own: PortalName | undefined,
  { portals }: Store,
): PortalName | undefined {
  if (params.portal === undefined || params.portal === 'self') return own ?? at
  return (Object.keys(portals) as PortalName[]).find((name) => portals[name] === params.portal)
}
