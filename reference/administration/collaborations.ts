/** Collaborations, their workspaces and their participants, for administrators. */
import { done, shown } from '../answers.ts'
import { createWorkspace, portalCalled } from '../handlers.ts'
import type { Collaboration, Group, GroupLink, PortalName, Workspace } from '../store.ts'
import {
  type Access,
  type AdministrativeCall,
  administrator,
  contactOf,
  page,
  paged,
  type Route,
  within,
} from './call.ts'

const isHost = ({ portal, store }: AdministrativeCall, { hostPortalId }: Collaboration): boolean =>
  store.portals[portal] === hostPortalId

function takesPart(call: AdministrativeCall, collaboration: Collaboration): boolean {
  const { portal, store, parts } = call
  const participant = collaboration.participants.get(store.portals[portal])
  const asHost = isHost(call, collaboration)
  if (!asHost && (participant === undefined || participant.status === 'invited')) return false
  // A guest sees a collaboration for as long as it can sync it.
  return parts.visible(collaboration, asHost ? 'delete-collaboration' : 'sync-workspace')
}

/** The collaboration in the path, for administrators of portals that take part in it. */
const byParticipant: Access<Collaboration> = within(administrator, (call) => {
  const found = call.store.collaborations.get(call.params.collaboration as string)
  return found === undefined || !takesPart(call, found) ? 'unknown-collaboration' : found
})

/** The collaboration in the path, for administrators of its host. */
export const byHost: Access<Collaboration> = within(byParticipant, (call, found) =>
  isHost(call, found) ? found : 'forbidden',
)

/** The collaboration in the path, for administrators of a guest that is trusted or is answering an invitation. */
export const byGuest: Access<Collaboration> = within(byParticipant, (call, found) =>
  isHost(call, found) ? 'forbidden' : found,
)

function viewCollaboration(
  { parts }: Pick<AdministrativeCall, 'parts'>,
  { id, hostPortalId, about, workspaces }: Collaboration,
): Record<string, unknown> {
  const created = about?.created ?? [...workspaces.values()][0]?.created ?? 0
  return {
    id,
    name: about?.name ?? id,
    description: about?.description ?? '',
    collaborationHostPortalId: parts.participantId(hostPortalId),
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
      .map(([portalId, { accessMode, groupId }]) => ({
        portalId: parts.participantId(portalId),
        ...(portalId === own ? { portalGroupId: groupId } : {}),
        config: { enableRealtimeSync: false },
        accessMode,
      })),
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

interface Place {
  readonly collaboration: Collaboration
  readonly workspace: Workspace
}

/** The workspace in the path, if the caller's portal knows it. */
const workspaceOf = (access: Access<Collaboration>): Access<Place> =>
  within(access, (call, collaboration) => {
    const workspace = collaboration.workspaces.get(call.params.workspace as string)
    return workspace === undefined || !hasHeardOf(call, workspace)
      ? 'unknown-workspace'
      : { collaboration, workspace }
  })

export const workspaceOfGuest = workspaceOf(byGuest)
const workspaceOfParticipant = workspaceOf(byParticipant)

interface Participant {
  readonly collaboration: Collaboration
  readonly portalId: string
}

/** The participant in the path. */
const participantOf = (access: Access<Collaboration>): Access<Participant> =>
  within(access, (call, collaboration) => {
    const portalId = portalCalled(call, collaboration, call.params.participant)
    return portalId === undefined ? 'unknown-participant' : { collaboration, portalId }
  })

/** The group of the form, if the portal in the path can link it. Takes the group if it can be linked only once. */
function takeGroup({ field, parts, portal, store }: AdministrativeCall): Group | undefined {
  const group = store.groups.get(field('portalGroupId') ?? '')
  if (group === undefined || group.organization !== portal || group.taken) return undefined
  if (!parts.groupsReusable) group.taken = true
  return group
}

function viewParticipant(
  { store, contextUrl, parts }: AdministrativeCall,
  collaboration: Collaboration,
  portalId: string,
): Record<string, unknown> {
  const contact = collaboration.participants.get(portalId)
  const { firstname, lastname, email, status = 'active' } = contact ?? {}
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
    },
    created,
    modified: created,
  }
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

function leave(collaboration: Collaboration, portalId: string): void {
  for (const { links } of collaboration.workspaces.values()) links?.delete(portalId)
  if (collaboration.designatedPortalId === portalId) collaboration.designatedPortalId = ''
  collaboration.participants.delete(portalId)
}

const all = '/portals/:portal/collaborations'
const one = `${all}/:collaboration`
/** The path of a workspace. */
export const oneWorkspace = `${one}/workspaces/:workspace`
const oneParticipant = `${one}/participants/:participant`

const ofCollaborations: readonly Route[] = [
  page(
    '/portals/:portal/createCollaboration',
    administrator,
    (call) => {
      const { field, parts, portal, store } = call
      const name = field('name') as string
      const workspaceName = field('workspaceName') as string
      const description = field('description') ?? ''
      const workspaceDescription = field('workspaceDescription') ?? ''
      if (![name, workspaceName].every((text) => parts.fits(text, 'name'))) return 'name-too-long'
      if (![description, workspaceDescription].every((text) => parts.fits(text, 'description')))
        return 'description-too-long'
      const group = takeGroup(call)
      if (group === undefined) return 'unknown-group'
      const host = store.portals[portal]
      const collaboration: Collaboration = {
        id: parts.newId('collaboration'),
        hostPortalId: host,
        designatedPortalId: '',
        participants: new Map([[host, contactOf(call, 'host')]]),
        workspaces: new Map(),
        about: { name, description, created: parts.now(), invitations: [] },
      }
      if (parts.administration.othersTakePart) collaboration.participants.set(store.portals.otherGuest, {})
      store.collaborations.set(collaboration.id, collaboration)
      createWorkspace(parts, collaboration, {
        name: workspaceName,
        description: workspaceDescription,
        portalGroupId: group.id,
      })
      return done({ collaboration: viewCollaboration(call, collaboration) })
    },
    ['name', 'workspaceName'],
  ),
  page(all, administrator, (call) => {
    const there = [...call.store.collaborations.values()].filter((each) => takesPart(call, each))
    return shown(
      paged(
        call,
        'collaborations',
        there.map((each) => viewCollaboration(call, each)),
        25,
      ),
    )
  }),
  page(one, byParticipant, (call, collaboration) => shown(viewCollaboration(call, collaboration))),
]

const ofWorkspaces: readonly Route[] = [
  page(`${one}/workspaces`, byParticipant, (call, { workspaces }) => {
    const known = [...workspaces.values()].filter((each) => hasHeardOf(call, each))
    const views = known.map((each) => viewWorkspace(call, each))
    return shown(paged(call, 'workspaces', views, 25))
  }),
  page(`${oneWorkspace}/updatePortalGroupLink`, workspaceOfGuest, (call, { workspace }) => {
    const link = workspace.links?.get(call.store.portals[call.portal])
    if (link === undefined) return 'forbidden'
    const group = takeGroup(call)
    if (group === undefined) return 'unknown-group'
    link.groupId = group.id
    return done()
  }),
  page(`${oneWorkspace}/syncStatus`, workspaceOfParticipant, (call, { workspace: { syncs } }) => {
    const status = syncs.map(({ id, scheduled, startTime, endTime, failed }) => ({
      // The status shows another id than the answer to the sync did.
      syncId: [...id].reverse().join(''),
      syncExecType: scheduled ? 'scheduled' : 'realtime',
      startTime,
      endTime,
      status: endTime < 0 ? 'in_progress' : failed === true ? 'failed' : 'completed',
      summary: {},
    }))
    return shown(paged(call, 'status', status, 25))
  }),
]

const ofParticipants: readonly Route[] = [
  page(`${one}/participants`, byHost, (call, collaboration) => {
    const there = [...collaboration.participants].filter(([, { status }]) => status !== 'invited')
    const views = there.map(([id]) => viewParticipant(call, collaboration, id))
    return shown(paged(call, 'participants', views, 25))
  }),
  page(oneParticipant, participantOf(byParticipant), (call, { collaboration, portalId }) =>
    shown(viewParticipant(call, collaboration, portalId)),
  ),
  page(
    `${oneParticipant}/updateParticipantAccessModes`,
    participantOf(byHost),
    ({ field }, { collaboration, portalId }) => {
      const modes = accessModesIn(field('collaborationWorkspacesAccessJSON'))
      if (modes === undefined) return 'bad-value'
      if ([...modes.keys()].some((id) => !collaboration.workspaces.has(id))) return 'unknown-workspace'
      grant(collaboration, portalId, modes)
      return done()
    },
  ),
  page(`${one}/removeParticipation`, byGuest, ({ portal, store }, collaboration) => {
    leave(collaboration, store.portals[portal])
    return done()
  }),
  // Informs a guest about the current workspaces.
  page(`${one}/configSync`, byGuest, ({ parts, portal, store }, { participants, workspaces }) => {
    const contact = participants.get(store.portals[portal])
    if (contact === undefined) return 'unknown-participant'
    if (parts.administration.guestsHear !== 'never') contact.hasHeardOf = new Set(workspaces.keys())
    return done()
  }),
]

export const collaborationRoutes: readonly Route[] = [...ofCollaborations, ...ofWorkspaces, ...ofParticipants]
