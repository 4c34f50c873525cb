/** Collaborations, their workspaces and their participants, for administrators. */
import { done, shown } from '../answers.ts'
import { createWorkspace, portalCalled } from '../handlers.ts'
import type { Answer } from '../parts.ts'
import type { Collaboration, GroupLink, PortalName, Workspace } from '../store.ts'
import {
  type AdministrativeCall,
  type AdministrativeHandler,
  contactOf,
  forAdministrators,
  paged,
  type Route,
} from './call.ts'

/** Allows only administrators of portals that take part in the collaboration. */
const forParticipants = (
  handle: (call: AdministrativeCall, collaboration: Collaboration) => ReturnType<AdministrativeHandler>,
): AdministrativeHandler =>
  forAdministrators((call) => {
    const collaboration = call.store.collaborations.get(call.params.collaboration as string)
    if (collaboration === undefined || !takesPart(call, collaboration))
      return call.parts.refuse('unknown-collaboration')
    return handle(call, collaboration)
  })

const isHost = ({ portal, store }: AdministrativeCall, { hostPortalId }: Collaboration): boolean =>
  store.portals[portal] === hostPortalId

const forSide =
  (side: 'host' | 'guest') =>
  (handle: Parameters<typeof forParticipants>[0]): AdministrativeHandler =>
    forParticipants((call, collaboration) =>
      isHost(call, collaboration) === (side === 'host')
        ? handle(call, collaboration)
        : call.parts.refuse('forbidden'),
    )

/** Allows only administrators of the host. */
export const forHost = forSide('host')

/** Allows only administrators of a guest that is trusted or is answering an invitation. */
export const forGuests = forSide('guest')

function takesPart(call: AdministrativeCall, collaboration: Collaboration): boolean {
  const { portal, store, parts } = call
  const { about } = collaboration
  const participant = collaboration.participants.get(store.portals[portal])
  const asHost = isHost(call, collaboration)
  if (!asHost && (participant === undefined || participant.status === 'invited')) return false
  // A guest sees a collaboration for as long as it can sync it.
  if (!parts.visible(collaboration, asHost ? 'delete-collaboration' : 'sync-workspace')) return false
  return about === undefined || parts.now() >= about.created + parts.administration.newCollaborationShowsMs
}

const create = forAdministrators((call) => {
  const { field, parts, portal, store, user } = call
  const name = field('name')
  const workspaceName = field('workspaceName')
  const group = store.groups.get(field('portalGroupId') ?? '')
  if (name === undefined || workspaceName === undefined) return parts.refuse('missing-parameter')
  if (!parts.fits(name, 'name') || !parts.fits(workspaceName, 'name')) return parts.refuse('name-too-long')
  const description = field('description') ?? ''
  const workspaceDescription = field('workspaceDescription') ?? ''
  if (![description, workspaceDescription].every((text) => parts.fits(text, 'description')))
    return parts.refuse('description-too-long')
  if (group === undefined || group.organization !== portal || group.taken)
    return parts.refuse('unknown-group')
  if (!parts.groupsReusable) group.taken = true
  const host = store.portals[portal]
  const created = parts.now()
  const collaboration: Collaboration = {
    id: parts.newId('collaboration'),
    hostPortalId: host,
    designatedPortalId: '',
    participants: new Map([[host, contactOf(call, 'host')]]),
    workspaces: new Map(),
    about: { name, description, creator: user?.username ?? '', created, invitations: new Map() },
  }
  if (parts.administration.othersTakePart) collaboration.participants.set(store.portals.otherGuest, {})
  store.collaborations.set(collaboration.id, collaboration)
  createWorkspace(parts, collaboration, {
    name: workspaceName,
    description: workspaceDescription,
    portalGroupId: group.id,
  })
  return done({ collaboration: viewCollaboration(collaboration) })
})

const list = forAdministrators((call) => {
  const all = [...call.store.collaborations.values()].filter((each) => takesPart(call, each))
  return shown(paged(call, 'collaborations', all.map(viewCollaboration), 25))
})

function viewCollaboration({ id, hostPortalId, about, workspaces }: Collaboration): Record<string, unknown> {
  const created = about?.created ?? [...workspaces.values()][0]?.created ?? 0
  return {
    id,
    name: about?.name ?? id,
    description: about?.description ?? '',
    collaborationHostPortalId: hostPortalId,
    config: { ownerUsername: about?.creator ?? 'host_administrator' },
    created,
    modified: created,
  }
}

function viewWorkspace({ parts, portal, store }: AdministrativeCall, workspace: Workspace) {
  const own = store.portals[portal]
  const unnamed: GroupLink = { accessMode: 'sendAndReceive', groupId: workspace.portalGroupId }
  const links = [...(workspace.links ?? new Map([[own, unnamed]]))]
  return {
    ...parts.viewWorkspace(workspace),
    participantGroupLinks: links
      .filter(([, { groupId }]) => groupId !== undefined)
      .map(([portalId, { accessMode, groupId = '' }]) => {
        const group = store.groups.get(groupId)
        const named = portalId === own ? { portalGroupId: groupId, portalGroupName: group?.title ?? '' } : {}
        return {
          portalId: parts.participantId(portalId),
          ...named,
          config: { enableRealtimeSync: false },
          accessMode,
        }
      }),
    participantsWithoutGroupLinks: links
      .filter(([, { groupId }]) => groupId === undefined)
      .map(([portalId, { accessMode }]) => ({ portalId: parts.participantId(portalId), accessMode })),
  }
}

/**
 * Whether the caller's portal knows the workspace. A guest may not know workspaces that were added after its
 * invitation.
 */
function hasHeardOf(call: AdministrativeCall, { id, collaborationId }: Workspace): boolean {
  const { parts, portal, store } = call
  if (parts.administration.guestsHear === 'at-once') return true
  const contact = store.collaborations.get(collaborationId)?.participants.get(store.portals[portal])
  return contact?.hasHeardOf?.has(id) !== false
}

/** Informs a guest about the current workspaces. */
const configSync = ({ parts, portal, store }: AdministrativeCall, collaboration: Collaboration) => {
  const contact = collaboration.participants.get(store.portals[portal])
  if (contact === undefined) return parts.refuse('unknown-participant')
  contact.lastConfigSync = parts.now()
  if (parts.administration.guestsHear !== 'never')
    contact.hasHeardOf = new Set(collaboration.workspaces.keys())
  return done()
}

/** Handles a request for the workspace in the path, if the caller's portal knows it. */
export const withWorkspace =
  (handle: (call: AdministrativeCall, workspace: Workspace, collaboration: Collaboration) => Answer) =>
  (call: AdministrativeCall, collaboration: Collaboration): Answer => {
    const workspace = collaboration.workspaces.get(call.params.workspace as string)
    return workspace === undefined || !hasHeardOf(call, workspace)
      ? call.parts.refuse('unknown-workspace')
      : handle(call, workspace, collaboration)
  }

const editWorkspace = withWorkspace(({ field, parts }, workspace, { id }) => {
  workspace.name = field('name') ?? workspace.name
  workspace.description = field('description') ?? workspace.description
  workspace.modified = parts.now()
  return done({ collaborationId: id, collaborationWorkspaceId: workspace.id })
})

const removeWorkspace = withWorkspace((_, workspace, collaboration) => {
  collaboration.workspaces.delete(workspace.id)
  return done({ collaborationId: collaboration.id, collaborationWorkspaceId: workspace.id })
})

const linkGroup = withWorkspace(({ field, parts, portal, store }, workspace) => {
  const own = store.portals[portal]
  const group = store.groups.get(field('portalGroupId') ?? '')
  const link = workspace.links?.get(own)
  if (group === undefined || group.organization !== portal || group.taken)
    return parts.refuse('unknown-group')
  if (link === undefined) return parts.refuse('forbidden')
  if (!parts.groupsReusable) group.taken = true
  link.groupId = group.id
  return done()
})

const unlinkGroup = withWorkspace(({ portal, store }, workspace) => {
  delete workspace.links?.get(store.portals[portal])?.groupId
  return done()
})

const syncStatus = withWorkspace((call, { syncs }) => {
  const status = syncs.map(({ id, scheduled, startTime, endTime }) => ({
    // The status shows another id than the answer to the sync did.
    syncId: [...id].reverse().join(''),
    syncExecType: scheduled ? 'scheduled' : 'realtime',
    startTime,
    endTime,
    status: endTime < 0 ? 'in_progress' : 'completed',
    summary: {},
  }))
  return shown(paged(call, 'status', status, 25))
})

function viewParticipant(
  { store, contextUrl, parts }: AdministrativeCall,
  collaboration: Collaboration,
  portalId: string,
): Record<string, unknown> {
  const contact = collaboration.participants.get(portalId)
  const { firstname, lastname, email, status = 'active', lastConfigSync = -1 } = contact ?? {}
  const name = (Object.entries(store.portals).find(([, id]) => id === portalId)?.[0] ?? 'host') as PortalName
  const created = collaboration.about?.created ?? parts.now()
  return {
    collaborationId: collaboration.id,
    portalInfo: {
      id: parts.participantId(portalId),
      url: contextUrl(name),
      name,
      portalType: 'ArcGIS Enterprise',
    },
    collaborationRole: portalId === collaboration.hostPortalId ? 'Host' : 'Guest',
    status: status === 'active' ? 'active' : 'pending',
    config: {
      contactFirstname: firstname ?? '',
      contactLastname: lastname ?? '',
      contactEmailAddress: email ?? '',
      canRunAgent: portalId === collaboration.designatedPortalId,
      lastConfigSync,
    },
    created,
    modified: created,
  }
}

const participantsOf = (call: AdministrativeCall, collaboration: Collaboration) => {
  const there = [...collaboration.participants].filter(([, { status }]) => status !== 'invited')
  const views = there.map(([id]) => viewParticipant(call, collaboration, id))
  return shown(paged(call, 'participants', views, 25))
}

const participant = (call: AdministrativeCall, collaboration: Collaboration) => {
  const id = portalCalled(call, collaboration, call.params.participant)
  if (id === undefined) return call.parts.refuse('unknown-participant')
  return shown(viewParticipant(call, collaboration, id))
}

const giveAccess = (call: AdministrativeCall, collaboration: Collaboration) => {
  const { field, params, parts } = call
  const portalId = portalCalled(call, collaboration, params.participant)
  if (portalId === undefined) return parts.refuse('unknown-participant')
  const modes = accessModesIn(field('collaborationWorkspacesAccessJSON'))
  if (modes === undefined) return parts.refuse('bad-value')
  if ([...modes.keys()].some((id) => !collaboration.workspaces.has(id)))
    return parts.refuse('unknown-workspace')
  grant(collaboration, portalId, modes)
  return done()
}

/** Parses `[{"<workspace>":"sendAndReceive"}]` into a map. Undefined: invalid. */
export function accessModesIn(text: string | undefined): Map<string, string> | undefined {
  try {
    const entries = (JSON.parse(text ?? '') as Record<string, string>[]).flatMap(Object.entries)
    const known = ['send', 'receive', 'sendAndReceive']
    return entries.every(([, mode]) => known.includes(mode)) ? new Map(entries) : undefined
  } catch {
    return undefined
  }
}

/** Sets the access modes of a participant in workspaces. */
export function grant(
  collaboration: Collaboration,
  portalId: string,
  modes: ReadonlyMap<string, string>,
): void {
  for (const [id, accessMode] of modes) {
    const links = collaboration.workspaces.get(id)?.links
    links?.set(portalId, { ...links.get(portalId), accessMode })
  }
}

const dropParticipant = (call: AdministrativeCall, collaboration: Collaboration) =>
  leave(collaboration, portalCalled(call, collaboration, call.params.participant) ?? '')
    ? done()
    : call.parts.refuse('unknown-participant')

const removeParticipation = ({ portal, store }: AdministrativeCall, collaboration: Collaboration) => {
  leave(collaboration, store.portals[portal])
  return done()
}

function leave(collaboration: Collaboration, portalId: string): boolean {
  for (const { links } of collaboration.workspaces.values()) links?.delete(portalId)
  if (collaboration.designatedPortalId === portalId) collaboration.designatedPortalId = ''
  return collaboration.participants.delete(portalId)
}

const all = '/portals/:portal/collaborations'
const one = `${all}/:collaboration`
/** The path of a workspace. */
export const oneWorkspace = `${one}/workspaces/:workspace`

export const collaborationRoutes: readonly Route[] = [
  { path: '/portals/:portal/createCollaboration', handle: create },
  { path: all, handle: list },
  { path: one, handle: forParticipants((_, collaboration) => shown(viewCollaboration(collaboration))) },
  {
    path: `${one}/workspaces`,
    handle: forParticipants((call, { workspaces }) => {
      const known = [...workspaces.values()].filter((each) => hasHeardOf(call, each))
      const views = known.map((each) => viewWorkspace(call, each))
      return shown(paged(call, 'workspaces', views, 25))
    }),
  },
  {
    path: oneWorkspace,
    handle: forParticipants(withWorkspace((call, each) => shown(viewWorkspace(call, each)))),
  },
  { path: `${oneWorkspace}/updateInfo`, handle: forHost(editWorkspace) },
  { path: `${oneWorkspace}/delete`, handle: forHost(removeWorkspace) },
  { path: `${oneWorkspace}/updatePortalGroupLink`, handle: forGuests(linkGroup) },
  { path: `${oneWorkspace}/removePortalGroupLink`, handle: forGuests(unlinkGroup) },
  { path: `${oneWorkspace}/syncStatus`, handle: forParticipants(syncStatus) },
  { path: `${one}/participants`, handle: forHost(participantsOf) },
  { path: `${one}/participants/:participant`, handle: forParticipants(participant) },
  { path: `${one}/participants/:participant/updateParticipantAccessModes`, handle: forHost(giveAccess) },
  { path: `${one}/participants/:participant/remove`, handle: forHost(dropParticipant) },
  { path: `${one}/removeParticipation`, handle: forGuests(removeParticipation) },
  { path: `${one}/configSync`, handle: forGuests(configSync) },
]
