/** What the portal does for each operation, and how it finds the objects that paths name. */
import { isUrl } from '../specs/paths.ts'
import { done } from './answers.ts'
import type { Answer, Call, Parts, SyncMode } from './parts.ts'
import type { Collaboration, GroupLink, Item, User, Workspace } from './store.ts'
import { copyItems, startSync } from './syncing.ts'
import { refuseCaller } from './users.ts'

/** The collaboration of the path, if this operation sees it. */
function collaborationOf(call: Call): Collaboration | undefined {
  const collaboration = collaborationIn(call)
  return collaboration !== undefined && call.parts.visible(collaboration, call.operation)
    ? collaboration
    : undefined
}

/** The collaboration of the path, even if it is deleted. */
export const collaborationIn = ({ store, params }: Pick<Call, 'store' | 'params'>) =>
  store.collaborations.get(params.collaborationID as string)

/** The workspace of the path, even if its collaboration is deleted. */
export const workspaceIn = (call: Pick<Call, 'store' | 'params'>) =>
  collaborationIn(call)?.workspaces.get(call.params.workspaceID as string)

/** The id of the portal with this participant id. */
export const portalCalled = (
  { parts }: Pick<Call, 'parts'>,
  { participants }: Collaboration,
  id: string | undefined,
): string | undefined => [...participants.keys()].find((portalId) => parts.participantId(portalId) === id)

/** The contact of the participant in the path. */
export function participantIn(call: Pick<Call, 'store' | 'params' | 'parts'>) {
  const collaboration = collaborationIn(call)
  if (collaboration === undefined) return undefined
  return collaboration.participants.get(
    portalCalled(call, collaboration, call.params.participantPortalID) ?? '',
  )
}

/** The run of the path, whatever its owner. */
export const runIn = ({ store, params }: Pick<Call, 'store' | 'params'>) =>
  store.tasks.get(params.taskID as string)?.runs.get(params.runID as string)

/** The federation of the path. */
export const federationIn = ({ store, params }: Pick<Call, 'store' | 'params'>) =>
  store.federations.get(params.federationID as string)

/** Creates a workspace in a collaboration. */
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
    copied: new Set(),
    ...(collaboration.about === undefined ? {} : { links: linksOfHost(collaboration, given.portalGroupId) }),
  }
  collaboration.workspaces.set(workspace.id, workspace)
  return workspace
}

function linksOfHost({ hostPortalId }: Collaboration, groupId: string): Map<string, GroupLink> {
  return new Map([[hostPortalId, { accessMode: 'sendAndReceive', groupId }]])
}

/** Adds a workspace to a collaboration (§4.1). */
export function addWorkspace(call: Call): Answer {
  const { parts, form, store } = call
  const collaboration = collaborationOf(call)
  if (collaboration === undefined) return parts.refuse('unknown-collaboration')
  if (!parts.may['add-workspace'](call, collaboration)) return refuseCaller(call)

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
  return done({ workspace: parts.viewWorkspace(workspace) })
}

/** Edits an existing run of a scheduled task (§4.2). */
export function updateTaskRun(call: Call): Answer {
  const { parts, form, store, params } = call
  const user = store.users.get(params.userName as string)
  if (user === undefined) return parts.refuse('unknown-user')
  const task = store.tasks.get(params.taskID as string)
  if (task === undefined || task.owner !== user.username) return parts.refuse('unknown-task')
  if (!parts.may['update-task-run'](call, task)) return refuseCaller(call)
  const run = task.runs.get(params.runID as string)
  if (run === undefined) return parts.refuse('unknown-run')

  const status = form.get('status')
  if (status === undefined || status === '') return parts.refuse('missing-status')
  if (!parts.runStatuses.includes(status)) return parts.refuse('unknown-status')
  run.status = status
  const result = form.get('result')
  if (result !== undefined) run.result = result
  return done({ taskId: task.id, runId: run.id })
}

/** A reassignment that passed all checks. */
interface Transfer {
  readonly items: readonly Item[]
  readonly target: User
}

/** Gives items of one user to another: all of them or none (§4.3, §7). */
export function reassignItems(call: Call): Answer | Promise<Answer> {
  const { parts } = call
  const checked = check(call)
  if (!('target' in checked)) return checked
  return parts.beforeMove === undefined
    ? move(call, checked)
    : parts.beforeMove(call).then(() => move(call, checked))
}

/** The item ids of a reassignment, duplicates included. Without `items`: one empty id. */
export const itemIdsIn = ({ form }: Pick<Call, 'form'>): string[] =>
  (form.get('items') ?? '').split(',').map((id) => id.trim())

/** Whether the caller is the user of the path. */
export const isOwner = ({ user, params }: Call): boolean => user?.username === params.userName

/** The existing items of a reassignment. */
export const itemsIn = (call: Call): Item[] => itemIdsIn(call).flatMap((id) => call.store.items.get(id) ?? [])

/** The target of a reassignment, in any organization. */
export const targetOf = ({ form, store }: Call): User | undefined =>
  store.users.get(form.get('targetUsername') ?? '')

/** The transfer to make, or the refusal. */
function check(call: Call): Answer | Transfer {
  const { parts, form, store, params } = call
  const owner = store.users.get(params.userName as string)
  if (owner === undefined) return parts.refuse('unknown-user')
  if (!parts.may['reassign-items'](call, owner)) return refuseCaller(call)

  const ids = itemIdsIn(call)
  if (ids.includes('')) return parts.refuse('missing-items')
  if (ids.length > parts.limits.items) return parts.refuse('too-many-items')
  const targetUsername = form.get('targetUsername')
  if (targetUsername === undefined || targetUsername === '') return parts.refuse('missing-target')

  const items: Item[] = []
  for (const id of new Set(ids)) {
    const item = store.items.get(id)
    if (item === undefined) return parts.refuse('unknown-item')
    if (item.owner !== owner.username) return parts.refuse('not-their-item')
    items.push(item)
  }
  const target = store.users.get(targetUsername)
  if (target === undefined || target.organization !== owner.organization)
    return parts.refuse('unknown-target')
  if (target === owner) return parts.refuse('target-is-owner')
  const inTheWay = parts.eligible(target) ? items.filter((item) => !parts.receivable(item, target)) : items
  if (inTheWay.length > 0) return parts.refuse('ineligible-target', parts.errorDetails(inTheWay, target))
  return { items, target }
}

function move({ form, params }: Call, { items, target }: Transfer): Answer {
  const folder = form.get('targetFoldername') || `${params.userName}_root`
  target.folders.add(folder)
  for (const item of items) {
    item.owner = target.username
    item.folder = folder
  }
  return done({ itemId: items[0]?.id })
}

/**
 * Runs a sync of one workspace (§4.4, §3). There is no `await` between gate and start, so that no other sync can start
 * in between.
 */
export function syncWorkspace(call: Call): Answer | Promise<Answer> {
  const { parts, params } = call
  const collaboration = collaborationOf(call)
  if (collaboration === undefined) return parts.refuse('unknown-collaboration')
  if (!parts.may['sync-workspace'](call, collaboration)) return refuseCaller(call)
  const workspace = collaboration.workspaces.get(params.workspaceID as string)
  if (workspace === undefined) return parts.refuse('unknown-workspace')
  const linked =
    workspace.links === undefined || workspace.links.get(collaboration.designatedPortalId)?.groupId
  if (!linked) return parts.refuse('not-linked')
  const mode = syncModeOf(call)
  if (mode === undefined) return parts.refuse('unknown-sync-mode')

  const instead = parts.syncGate(call, workspace)
  if (instead !== undefined) return instead
  const job = startSync(call, workspace, copyItems(parts, call.store, workspace))
  const answer = done({ jobId: job.id, key: job.key })
  return parts.blocks(mode) ? job.done.then(() => answer) : answer
}

/** The requested mode. Default: synchronous. Undefined: the mode is unknown. */
export function syncModeOf({ parts, form }: Call): SyncMode | undefined {
  const { parameter, synchronous, asynchronous } = parts.sync
  const asked = form.get(parameter) ?? synchronous
  if (asked === synchronous) return 'synchronous'
  return asked === asynchronous ? 'asynchronous' : undefined
}

/** Text on both sides of an at sign. The mail servers judge the rest. */
const address = /^[^\s@]+@[^\s@]+$/u

/** Updates the contact of one participant of a collaboration (§4.5). */
export function updateParticipant(call: Call): Answer {
  const { parts, form, params } = call
  const collaboration = collaborationOf(call)
  if (collaboration === undefined) return parts.refuse('unknown-collaboration')
  if (!parts.may['update-participant'](call, collaboration)) return refuseCaller(call)
  const portalId = params.participantPortalID as string
  const contact = participantIn(call)
  if (contact === undefined) return parts.refuse('unknown-participant')

  const firstname = form.get('contactFirstname')
  const lastname = form.get('contactLastname')
  const email = form.get('contactEmailAddress')
  if (email !== undefined && !address.test(email)) return parts.refuse('bad-email')
  if (firstname !== undefined) contact.firstname = firstname
  if (lastname !== undefined) contact.lastname = lastname
  if (email !== undefined) contact.email = email
  return done({ collaborationId: collaboration.id, portalId })
}

/** Deletes a collaboration from the host portal; guests lose it at their next refresh (§4.6). */
export function deleteCollaboration(call: Call): Answer {
  const { parts, store } = call
  const collaboration = collaborationOf(call)
  if (collaboration === undefined) return parts.refuse('unknown-collaboration')
  if (!parts.may['delete-collaboration'](call, collaboration)) return refuseCaller(call)
  if (collaboration.deletedAt !== undefined) return parts.refuse('unknown-collaboration')
  parts.remove(store, collaboration)
  return done()
}

/** Edits the enterprise login of a federation of identity providers (§4.7). */
export function updateFederation(call: Call): Answer {
  const { parts, form } = call
  const federation = federationIn(call)
  if (federation === undefined) return parts.refuse('unknown-federation')
  if (!parts.may['update-federation'](call, federation)) return refuseCaller(call)

  for (const [name, isValid] of Object.entries(settings)) {
    for (const value of form.getAll(name)) {
      if (!isValid(value, parts)) return parts.refuse('bad-setting', [`${name} is not valid.`])
    }
  }
  const known = form.pairs.filter(([name]) => name !== 'token' && name !== 'f')
  federation.settings = Object.fromEntries(known)
  return done({ federationId: federation.id })
}

/** Whether the value of a setting is valid. Absent settings are not checked. */
const settings: Record<string, (value: string, parts: Parts) => boolean> = {
  discoveryServiceUrl: isWebUrl,
  metadataServiceUrl: isWebUrl,
  certificate: isCertificate,
  userCreditAssignment: (value) => /^-?\d{1,15}$/.test(value),
  groups: isGroupList,
  signUpMode: (value, parts) => isOneOf(parts.signUpModes, value),
  userType: (value, parts) => isOneOf(parts.userTypes, value),
}

function isOneOf(values: readonly string[] | 'any', value: string): boolean {
  return values === 'any' || values.includes(value)
}

function isWebUrl(value: string): boolean {
  return /^https?:\/\/[^\s/?#]+(?:[/?#]\S*)?$/i.test(value) && isUrl(value)
}

/** Base64, with or without line breaks and PEM markers. */
function isCertificate(value: string): boolean {
  const text = value.replace(/-----(?:BEGIN|END) CERTIFICATE-----/g, '').replace(/\s+/g, '')
  return text !== '' && text.length % 4 === 0 && /^[A-Za-z0-9+/]+={0,2}$/.test(text)
}

/** The group ids of a setting: a JSON array of strings, or ids joined by commas. Undefined: neither. */
export function groupIdsOf(value: string): string[] | undefined {
  if (!value.trimStart().startsWith('[')) {
    const ids = value.split(',').map((id) => id.trim())
    return ids.every((id) => /^[^[\]{}"]*$/.test(id)) ? ids : undefined
  }
  try {
    const ids: unknown = JSON.parse(value)
    return Array.isArray(ids) && ids.every((id) => typeof id === 'string') ? ids : undefined
  } catch {
    return undefined
  }
}

function isGroupList(value: string): boolean {
  return groupIdsOf(value) !== undefined
}
