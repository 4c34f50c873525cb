/** Where collaborations and their workspaces are found, and how a workspace comes to be. */
import type { Call, Parts } from '../parts.ts'
import type { Collaboration, GroupLink, Workspace } from '../store.ts'

/** The collaboration of the path, if it is there for those who call this operation. */
export function collaborationOf(call: Call): Collaboration | undefined {
  const collaboration = collaborationIn(call)
  return collaboration !== undefined && call.parts.visible(collaboration, call.operation)
    ? collaboration
    : undefined
}

/** The collaboration of the path, whether it is there for anybody or not. */
export const collaborationIn = ({ store, params }: Pick<Call, 'store' | 'params'>) =>
  store.collaborations.get(params.collaborationID as string)

/** The workspace of the path, in such a collaboration. */
export const workspaceIn = (call: Pick<Call, 'store' | 'params'>) =>
  collaborationIn(call)?.workspaces.get(call.params.workspaceID as string)

/** A new workspace in a collaboration. */
export function createWorkspace(
  parts: Parts,
  collaboration: Collaboration,
  given: Pick<Workspace, 'name' | 'description' | 'portalGroupId'> & { syncMs?: number },
): Workspace {
  const created = parts.now()
  const workspace: Workspace = {
    id: parts.newId('workspace'),
    name: given.name,
    description: given.description,
    collaborationId: collaboration.id,
    portalGroupId: given.portalGroupId,
    created,
    modified: created,
    lastSyncSuccess: -1,
    syncMs: given.syncMs ?? 50,
    syncs: [],
    ...(collaboration.about === undefined ? {} : { links: linksOfHost(collaboration, given.portalGroupId) }),
  }
  collaboration.workspaces.set(workspace.id, workspace)
  return workspace
}

function linksOfHost({ hostPortalId }: Collaboration, groupId: string): Map<string, GroupLink> {
  return new Map([[hostPortalId, { accessMode: 'sendAndReceive', groupId }]])
}
