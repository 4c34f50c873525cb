/** Answers of the portal: success, or a refusal with its error. */

type Fields = Readonly<Record<string, unknown>>

export const shown = (body: Fields) => ({ status: 200, body })

export const done = (fields: Fields = {}) => shown({ success: true, ...fields })

export interface Refusal {
  readonly code: number
  readonly messageCode?: string
  readonly message: string
}

export const refusals = {
  'token-required': { code: 499, messageCode: 'GWM_0003', message: 'Token Required.' },
  'invalid-token': { code: 498, message: 'Invalid token.' },
  forbidden: {
    code: 403,
    messageCode: 'GWM_0003',
    message: 'You do not have permissions to access this resource or perform this operation.',
  },
  'post-only': { code: 405, message: 'This operation is a POST.' },
  'not-a-form': { code: 415, message: 'The body must be application/x-www-form-urlencoded.' },
  'too-large': { code: 413, message: 'The body is too large.' },
  'unknown-format': { code: 400, message: 'The parameter f is html, json or pjson.' },
  'not-found': { code: 404, message: 'There is nothing at this path.' },
  failed: { code: 500, message: 'The portal failed.' },
  'bad-login': { code: 400, message: 'Unable to generate token.' },
  'unknown-portal': { code: 404, messageCode: 'COM_0003', message: 'Portal does not exist.' },
  'unknown-collaboration': {
    code: 404,
    messageCode: 'COLLAB_0001',
    message: 'Collaboration does not exist.',
  },
  'unknown-workspace': { code: 404, messageCode: 'COLLAB_0002', message: 'Workspace does not exist.' },
  'unknown-participant': { code: 404, messageCode: 'COLLAB_0003', message: 'Participant does not exist.' },
  'unknown-group': { code: 400, messageCode: 'COM_0003', message: 'Group does not exist.' },
  'unknown-user': { code: 400, messageCode: 'COM_0018', message: 'User does not exist.' },
  'unknown-task': { code: 404, messageCode: 'TASK_0001', message: 'Task does not exist.' },
  'unknown-run': { code: 404, messageCode: 'TASK_0002', message: 'Run does not exist.' },
  'unknown-federation': { code: 404, messageCode: 'COM_0022', message: 'Federation does not exist.' },
  'empty-name': { code: 400, message: 'collaborationWorkspaceName must not be empty.' },
  'name-too-long': { code: 400, message: 'collaborationWorkspaceName is too long.' },
  'description-too-long': { code: 400, message: 'collaborationWorkspaceDescription is too long.' },
  'missing-parameter': { code: 400, message: 'A parameter is missing.' },
  'bad-value': { code: 400, message: 'The value of a parameter is not valid.' },
  'missing-status': { code: 400, message: 'status is required.' },
  'unknown-status': { code: 400, message: 'status is not a status of a run.' },
  'missing-items': { code: 400, messageCode: 'CONT_0040', message: 'items is required.' },
  'missing-target': { code: 400, messageCode: 'CONT_0041', message: 'targetUsername is required.' },
  'too-many-items': { code: 400, messageCode: 'CONT_0042', message: 'Too many items in one request.' },
  'unknown-item': { code: 400, messageCode: 'CONT_0001', message: 'Item does not exist.' },
  'not-their-item': { code: 400, messageCode: 'CONT_0043', message: 'Item belongs to another user.' },
  'unknown-target': { code: 400, messageCode: 'CONT_0044', message: 'Target user does not exist.' },
  'target-is-owner': { code: 400, messageCode: 'CONT_0045', message: 'Target user is the owner.' },
  'ineligible-target': {
    code: 403,
    messageCode: 'CONT_0047',
    message: 'Target user has no right privileges to receive the items.',
  },
  'not-linked': { code: 400, messageCode: 'COLLAB_0004', message: 'No group of the participant is linked.' },
  'sync-running': { code: 409, messageCode: 'COLLAB_0010', message: 'A sync is already in progress.' },
  'unknown-sync-mode': { code: 400, message: 'The mode of the sync is not a boolean.' },
  'being-edited': { code: 400, message: 'The resource is being edited.' },
  busy: { code: 409, message: 'Another change is being made.' },
  'timed-out': { code: 504, message: 'Your request has timed out.' },
  'bad-gateway': { code: 502, message: 'Bad Gateway.' },
  'too-many-requests': { code: 429, message: 'Too many requests.' },
  quota: { code: 400, messageCode: 'COLLAB_0011', message: 'The collaboration takes no more workspaces.' },
  'bad-email': { code: 400, message: 'contactEmailAddress is not an e-mail address.' },
  'unknown-role': { code: 400, messageCode: 'COM_0030', message: 'Role does not exist.' },
  'unknown-folder': { code: 400, messageCode: 'CONT_0010', message: 'Folder does not exist.' },
  'unknown-invitation': { code: 400, messageCode: 'COLLAB_0005', message: 'Invitation is not valid.' },
  'name-taken': { code: 400, messageCode: 'COM_0044', message: 'There is one of that name already.' },
  'url-taken': {
    code: 400,
    messageCode: 'CONT_0048',
    message: 'There is an item of that URL in the folder.',
  },
  'still-owns': { code: 400, messageCode: 'COM_0062', message: 'User still owns items or groups.' },
  'in-use': { code: 400, messageCode: 'COM_0063', message: 'It is still in use.' },
  'logins-configured': {
    code: 400,
    messageCode: 'COM_0070',
    message: 'An enterprise login is configured already.',
  },
  'not-here': { code: 400, message: 'This deployment does not do that.' },
  'bad-setting': { code: 400, message: 'A setting of the federation is not valid.' },
} as const satisfies Record<string, Refusal>

export type Reason = keyof typeof refusals
