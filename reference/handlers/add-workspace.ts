import type { Answer, Call } from '../parts.ts'
import { refuseCaller } from '../permissions.ts'
import { collaborationOf, createWorkspace } from './collaborations.ts'

/** Adds a workspace to a collaboration (§4.1). */
export function addWorkspace(call: Call): Answer {
  const { parts, form, store } = call
  const collaboration = collaborationOf(call)
  if (collaboration === undefined) return parts.refuse('unknown-collaboration')
  if (!parts.may.addWorkspace(call, collaboration)) return refuseCaller(call)

  const name = form.get('collaborationWorkspaceName')
  const description = form.get('collaborationWorkspaceDescription') ?? ''
  const portalGroupId = form.get('portalGroupId')
  if (name === '') return parts.refuse('empty-name')
  if (name !== undefined && !parts.fits(name, 'name')) return parts.refuse('name-too-long')
  if (!parts.fits(description, 'description')) return parts.refuse('description-too-long')
  const group = store.groups.get(portalGroupId ?? '')
  if (portalGroupId !== undefined && (group === undefined || group.taken))
    return parts.refuse('unknown-group')
  if (group !== undefined && !parts.groupsReusable) group.taken = true

  const workspace = createWorkspace(parts, collaboration, {
    name: parts.keep(name ?? 'Untitled', 'name'),
    description: parts.keep(description, 'description'),
    portalGroupId: portalGroupId ?? '',
  })
  return { status: 200, body: { success: true, workspace: parts.viewWorkspace(workspace) } }
}
