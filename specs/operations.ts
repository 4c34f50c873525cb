/** The seven operations of the contract (§4) as data: where they live, what they take, since when, and for whom. */

/** Whether a form parameter must be sent. `open`: the contract does not say. */
export type Presence = 'required' | 'optional' | 'open'

export interface Parameter {
  readonly name: string
  readonly presence: Presence
}

export type Edition = 'self-hosted' | 'hosted'

/** Since when the operation exists (§9). Without `editions` the release counts for every edition. */
export interface Introduction {
  readonly release: string
  readonly editions?: readonly Edition[]
}

export interface Operation {
  readonly id: string
  readonly title: string
  readonly section: string
  /** Relative to the base URL; `{name}` is a path parameter. */
  readonly path: string
  readonly parameters: readonly Parameter[]
  /** Absent where the contract shows no version: then it is judged everywhere. */
  readonly introduced?: Introduction
  /** Who may call it, in words (§5). */
  readonly callers: string
  /** What a call changes on the deployment, for those who must allow it. */
  readonly effect: string
}

const open = (name: string): Parameter => ({ name, presence: 'open' })
const required = (name: string): Parameter => ({ name, presence: 'required' })
const optional = (name: string): Parameter => ({ name, presence: 'optional' })

export const operations = [
  {
    id: 'add-workspace',
    title: 'Add workspace',
    section: '4.1',
    path: '/portals/{portalID}/collaborations/{collaborationID}/addWorkspace',
    parameters: [
      open('collaborationWorkspaceName'),
      open('collaborationWorkspaceDescription'),
      open('portalGroupId'),
      open('f'),
    ],
    introduced: { release: '10.5' },
    callers: 'an administrator of the host',
    effect: 'creates workspaces in collaborations of the fixture provider',
  },
  {
    id: 'update-task-run',
    title: 'Update task run',
    section: '4.2',
    path: '/community/users/{userName}/tasks/{taskID}/runs/{runID}/update',
    parameters: [required('status'), optional('result'), open('f')],
    introduced: { release: '10.8.1', editions: ['self-hosted'] },
    callers: 'not shown; the owner of the task is used',
    effect: 'changes status and result of task runs of the fixture provider',
  },
  {
    id: 'reassign-items',
    title: 'Reassign items',
    section: '4.3',
    path: '/content/users/{userName}/reassignItems',
    parameters: [required('items'), required('targetUsername'), optional('targetFoldername'), open('f')],
    introduced: { release: '11.0', editions: ['self-hosted'] },
    callers:
      'a default administrator, a custom role with administrative privileges, or the owner with the privilege to transfer',
    effect: 'gives items of the fixture provider to other users and creates folders for them',
  },
  {
    id: 'sync-workspace',
    title: 'Sync workspace',
    section: '4.4',
    path: '/portals/{portalID}/collaborations/{collaborationID}/workspaces/{workspaceID}/sync',
    parameters: [open('f')],
    introduced: { release: '10.6.1' },
    callers: 'the participant designated to initiate sync operations',
    effect: 'runs syncs of workspaces of the fixture provider',
  },
  {
    id: 'update-participant',
    title: 'Update participant information',
    section: '4.5',
    path: '/portals/{portalID}/collaborations/{collaborationID}/participants/{participantPortalID}/updateInfo',
    parameters: [open('contactFirstname'), open('contactLastname'), open('contactEmailAddress'), open('f')],
    introduced: { release: '10.5' },
    callers: 'an administrator of the host',
    effect: 'overwrites the contact of participants in collaborations of the fixture provider',
  },
  {
    id: 'delete-collaboration',
    title: 'Delete collaboration',
    section: '4.6',
    path: '/portals/{portalID}/collaborations/{collaborationID}/delete',
    parameters: [open('f')],
    callers: 'an administrator of the host',
    effect: 'deletes collaborations of the fixture provider, with what they share',
  },
  {
    id: 'update-federation',
    title: 'Update SAML federation',
    section: '4.7',
    path: '/portals/{portalID}/idp/federation/{federationID}/update',
    parameters: [
      open('name'),
      open('discoveryServiceUrl'),
      open('metadataServiceUrl'),
      open('certificate'),
      open('entityId'),
      open('userCreditAssignment'),
      open('groups'),
      open('signUpMode'),
      open('roleId'),
      open('userLicenseType'),
      open('userType'),
      open('f'),
    ],
    callers: 'an organization administrator',
    effect: 'overwrites the settings of the enterprise login federation that the fixture provider names',
  },
] as const satisfies readonly Operation[]

export type OperationId = (typeof operations)[number]['id']

export const operationIds: readonly OperationId[] = operations.map((operation) => operation.id)

/** The operation of that id. */
export function operationOf(id: OperationId): Operation {
  return operations.find((operation) => operation.id === id) as Operation
}
