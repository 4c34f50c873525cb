/** Who may do what (§5). */

import type { Reason } from './answers.ts'
import type { Answer, Call, May } from './parts.ts'
import type { Collaboration, User } from './store.ts'
import { type ActorName, transferPrivilege } from './users.ts'

/** An administrator by the default role. */
export function isAdministrator(user: User | undefined): user is User {
  return user?.role === 'administrator'
}

/** An administrator of the host. */
export const isHostAdministrator = ({ user }: Pick<Call, 'user'>): boolean =>
  isAdministrator(user) && user.organization === 'host'

/** An administrator of a guest. */
export const isGuestAdministrator = ({ user }: Pick<Call, 'user'>): boolean =>
  isAdministrator(user) && user.organization !== 'host'

/** Any member of the host, its administrators too. */
export const isOfHost = ({ user }: Pick<Call, 'user'>): boolean => user?.organization === 'host'

/** Whoever plays one of these parts in a run. */
export const isOneOf =
  (...actors: readonly ActorName[]) =>
  ({ user }: Pick<Call, 'user'>): boolean =>
    actors.some((actor) => actor === user?.actor)

function administersHost(call: Call, collaboration: Collaboration): boolean {
  return (
    isAdministrator(call.user) &&
    call.store.portals[call.user.organization] === collaboration.hostPortalId &&
    call.params.portalID === collaboration.hostPortalId
  )
}

export const honestMay: May = {
  addWorkspace: administersHost,
  updateParticipant: administersHost,
  deleteCollaboration: administersHost,

  /** The designated participant, under its own portal's id or under the host's. */
  sync({ user, store, params }, { designatedPortalId, hostPortalId }) {
    return (
      isAdministrator(user) &&
      store.portals[user.organization] === designatedPortalId &&
      (params.portalID === designatedPortalId || params.portalID === hostPortalId)
    )
  },

  updateFederation({ user, store, params }, { portalId }) {
    return (
      isAdministrator(user) && store.portals[user.organization] === portalId && params.portalID === portalId
    )
  },

  updateRun(call, task) {
    return call.user?.username === task.owner || isHostAdministrator(call)
  },

  reassign({ user }, owner) {
    if (user === undefined || user.organization !== owner.organization) return false
    if (user.role === 'administrator' || user.role === 'custom') return true
    return user.username === owner.username && user.privileges.has(transferPrivilege)
  },
}

/** Tells a caller who may not: to identify, to identify better, or that nothing helps. */
export function refuseCaller({ user, arrival, parts }: Pick<Call, 'user' | 'arrival' | 'parts'>): Answer {
  if (user !== undefined) return parts.refuse('forbidden')
  return parts.refuse(parts.credentialOf(arrival) === undefined ? 'token-required' : 'invalid-token')
}

/** The reasons to refuse a request for who calls. */
export const forCaller: readonly Reason[] = ['forbidden', 'token-required', 'invalid-token']
