/** Faults of add-workspace: in limits and texts, in its answer, in its parameters, and in its callers. */
import { createHash } from 'node:crypto'
import {
  all,
  alsoMay,
  alsoMayAfter,
  changeAccepted,
  changeBytes,
  changeCall,
  changeView,
  everyNth,
  isAnonymous,
  overlook,
  refuseWhen,
  remembering,
  replacing,
  replacingIn,
  wrapping,
} from '../alterations.ts'
import type { Alter, Call, Field } from '../parts.ts'
import { escapeHtml } from '../rendering.ts'
import { isGuestAdministrator } from '../users.ts'
import { letIn } from './callers.ts'
import {
  acceptancesOf,
  anyRequestOf,
  faultsOf,
  hasNoDescription,
  limitsAccept,
  metByAny,
  refusalsOf,
  textsKept,
} from './fault.ts'
import { changed, places, refused } from './texts.ts'

const operation = 'add-workspace'

/** Any valid request of a check may contain a text that the fault refuses. */
const anyRequest = anyRequestOf(operation)

/** Replaces the limit on names and keeps the limit on descriptions. */
const nameFits = (fits: (length: number) => boolean): Alter =>
  wrapping(
    'fits',
    (honest, parts) => (text, field: Field) =>
      field === 'name' ? fits(parts.measure(text)) : honest(text, field),
  )

/** Faults in limits and texts. */
export const workspaceTextFaults = faultsOf({
  'limits-in-bytes': {
    sentence: 'Names and descriptions are limited in bytes where the limit counts characters.',
    breaks: limitsAccept,
    mayBreak: anyRequest,
    alter: replacing({ measure: (text) => Buffer.byteLength(text) }),
  },
  'name-limit-only-below-110': {
    sentence: 'Names of 101 to 109 characters are refused, and longer ones are accepted.',
    breaks: ['add-workspace/name-limit-rejects'],
    alter: nameFits((length) => length <= 100 || length >= 110),
  },
  'name-limit-only-above-1000': {
    sentence: 'Names are refused only above 1000 characters.',
    breaks: ['add-workspace/name-limit-rejects'],
    alter: nameFits((length) => length <= 1000),
  },
  'name-shortened': {
    sentence: 'A name of more than 100 characters is quietly shortened to 100.',
    breaks: ['add-workspace/name-limit-rejects'],
    alter: all(
      nameFits(() => true),
      replacing({ keep: (text, field) => (field === 'name' ? [...text].slice(0, 100).join('') : text) }),
    ),
  },
  'name-limit-after-collapsing': {
    sentence: 'The spaces of a name do not count against its limit.',
    breaks: ['add-workspace/name-limit-rejects'],
    alter: wrapping(
      'fits',
      (honest) => (text, field) => honest(field === 'name' ? text.replace(/\s+/g, '') : text, field),
    ),
  },
  'name-limit-99': {
    sentence: 'A name of exactly 100 characters is refused.',
    ...metByAny('add-workspace/name-limit-accepts'),
    alter: replacingIn('limits', { name: 99 }),
  },
  'description-limit-249': {
    sentence: 'A description of exactly 250 characters is refused.',
    ...metByAny('add-workspace/description-limit-accepts'),
    alter: replacingIn('limits', { description: 249 }),
  },
  'description-limit-251': {
    sentence: 'A description of 251 characters is accepted.',
    breaks: ['add-workspace/description-limit-rejects'],
    alter: replacingIn('limits', { description: 251 }),
  },
  'html-escaped-echo': {
    sentence: 'Name and description come back escaped for HTML.',
    breaks: textsKept,
    // A suite may also compare the text in the answer to a request of maximum length.
    mayBreak: limitsAccept,
    alter: changeView(({ name, description }) => ({
      name: escapeHtml(name),
      description: escapeHtml(description),
    })),
  },
  // A suite may also compare the text in the answer to a request of maximum length.
  ...changed(limitsAccept, {
    'astral-characters-dropped': [
      'Characters beyond the Basic Multilingual Plane vanish from names and descriptions.',
      /[\u{10000}-\u{10ffff}]/gu,
      '',
    ],
    'dotted-capital-i-shrinks': ['The Turkish İ becomes an i in names and descriptions.', /İ/g, 'i'],
    'vowel-signs-dropped': [
      'The vowel signs of Indian scripts vanish from names and descriptions.',
      /(?![\u0300-\u036f])\p{M}/gu,
      '',
    ],
  }),
  'slashes-become-spaces': {
    sentence: 'A slash in a name or a description becomes a space.',
    breaks: textsKept,
    alter: replacing({ keep: (text) => text.replaceAll('/', ' ') }),
  },
  'description-like-name-refused': {
    sentence: 'A description that says what the name says is refused.',
    ...metByAny('add-workspace/creates'),
    alter: refuseWhen(
      operation,
      'bad-value',
      ({ form }) => form.get('collaborationWorkspaceName') === form.get('collaborationWorkspaceDescription'),
    ),
  },
  ...refused(places.workspaceNames, {
    'astral-names-refused': [
      'A name with a character beyond the Basic Multilingual Plane is refused.',
      /[\u{10000}-\u{10ffff}]/u,
    ],
  }),
})

/** Faults in the answer and in the parameters. */
export const addWorkspaceFaults = faultsOf({
  'workspace-id-from-name': {
    sentence: 'The id of a workspace is derived from its name, so that equal names get equal ids.',
    breaks: ['add-workspace/id-is-new', 'add-workspace/id-works'],
    mayBreak: ['add-workspace/concurrent-ids-distinct'],
    alter: changeView(({ name }) => ({
      id: createHash('sha256').update(name).digest('hex').slice(0, 32),
    })),
  },
  'workspace-id-from-clock': {
    sentence:
      'The id of a workspace is the time in hundredths of a second, so that simultaneous ones collide.',
    breaks: ['add-workspace/concurrent-ids-distinct', 'add-workspace/id-works'],
    mayBreak: ['add-workspace/id-is-new'],
    alter: changeView(({ created }) => ({
      id: Math.floor(created / 10)
        .toString(16)
        .padStart(32, '0'),
    })),
  },
  'every-sixth-workspace-elsewhere': {
    sentence: 'The answer for every sixth workspace names a wrong collaboration.',
    breaks: ['add-workspace/collaboration-id'],
    alter: (parts) =>
      remembering(
        () => everyNth(6),
        (isSixth) => changeView(() => (isSixth() ? { collaborationId: parts.newId('collaboration') } : {})),
      )(parts),
  },
  'workspace-times-in-seconds': {
    sentence: 'created and modified are in seconds.',
    breaks: ['add-workspace/timestamps'],
    alter: changeView(({ created, modified }) => ({
      created: Math.floor(created / 1000),
      modified: Math.floor(modified / 1000),
    })),
  },
  'workspace-modified-before-created': {
    sentence: 'modified lies a second before created.',
    breaks: ['add-workspace/timestamps'],
    alter: changeView(({ created }) => ({ modified: created - 1000 })),
  },
  'workspace-size-as-string': {
    sentence: 'maxItemSizeInMB is a string.',
    breaks: ['add-workspace/config-fields'],
    alter: changeView((_, { config }) => ({ config: { ...(config as object), maxItemSizeInMB: '100' } })),
  },
  'config-boolean-as-text': {
    sentence: 'bidirectionalSyncCapable is the string "false".',
    breaks: ['add-workspace/config-fields'],
    alter: changeView((_, { config }) => ({
      config: { ...(config as object), bidirectionalSyncCapable: 'false' },
    })),
  },
  'workspace-without-last-sync': {
    sentence: 'The workspace has no lastSyncSuccess.',
    breaks: ['add-workspace/workspace-fields'],
    alter: changeView(() => ({ lastSyncSuccess: undefined })),
  },
  'workspace-missing-in-answer': {
    sentence: 'The workspace is added, but the answer does not hold it.',
    breaks: ['add-workspace/creates'],
    alter: changeAccepted(operation, () => ({ workspace: undefined })),
  },
  'answers-in-latin-1': {
    sentence: 'The answer to an accepted request has a further field in Latin-1 where JSON is UTF-8.',
    breaks: ['protocol/form-post', 'protocol/json-format', ...acceptancesOf(operation)],
    alter: changeBytes(operation, (body) =>
      Buffer.concat([body.subarray(0, body.lastIndexOf('}')), Buffer.from(',"server":"Orléans"}', 'latin1')]),
    ),
  },
  'parameter-order-matters': {
    sentence: 'A request is refused where f comes before the name of the workspace.',
    breaks: ['protocol/encoding'],
    alter: refuseWhen(operation, 'bad-value', ({ form }) => {
      const names = form.pairs.map(([name]) => name)
      return names.includes('f') && names.indexOf('f') < names.indexOf('collaborationWorkspaceName')
    }),
  },
  'workspace-in-unknown-collaboration': {
    sentence: 'A workspace can be added to a collaboration that does not exist.',
    breaks: ['add-workspace/unknown-collaboration', 'delete-collaboration/gone-after-delete'],
    alter: overlook(operation, 'unknown-collaboration', () => true, unstoredWorkspace),
  },
  'unknown-group-linked': {
    sentence: 'A workspace can be linked with a group that does not exist.',
    breaks: ['add-workspace/unknown-group'],
    alter: changeCall(operation, (call) => {
      const groups = new Map(call.store.groups)
      const [any] = groups.values()
      groups.get = (id) => call.store.groups.get(id) ?? any
      return { ...call, store: { ...call.store, groups } }
    }),
  },
  'last-sync-in-seconds': {
    sentence: 'lastSyncSuccess of a new workspace is the present in seconds.',
    breaks: ['add-workspace/last-sync-milliseconds'],
    alter: changeView(({ created }) => ({ lastSyncSuccess: Math.floor(created / 1000) })),
  },
  'last-sync-in-the-future': {
    sentence: 'lastSyncSuccess of a new workspace lies two days ahead.',
    breaks: ['add-workspace/last-sync-milliseconds'],
    alter: changeView(({ created }) => ({ lastSyncSuccess: created + 2 * 86_400_000 })),
  },
  'workspace-id-of-nothing': {
    sentence: 'The id in the answer is not that of the workspace that was added.',
    breaks: ['add-workspace/id-works'],
    alter: (parts) => changeView(() => ({ id: parts.newId('workspace') }))(parts),
  },
})

/** The fields of an answer with a workspace that no collaboration has. */
function unstoredWorkspace({ form, params, parts }: Call) {
  const workspace = parts.viewWorkspace({
    id: parts.newId('workspace'),
    name: form.get('collaborationWorkspaceName') ?? '',
    description: form.get('collaborationWorkspaceDescription') ?? '',
    collaborationId: params.collaborationID as string,
    portalGroupId: '',
    created: parts.now(),
    modified: parts.now(),
    lastSyncSuccess: -1,
    syncMs: 0,
    syncs: [],
    copied: new Set(),
  })
  return { workspace }
}

export const addWorkspaceCallerFaults = faultsOf({
  'workspace-rights-kept-on-connection': {
    sentence:
      'Once an administrator has added a workspace on a connection, that connection needs no credential.',
    breaks: ['add-workspace/refuses-anonymous'],
    alter: alsoMayAfter(operation, ({ arrival }) => arrival.socket, isAnonymous),
  },
  'workspace-roles-need-description': {
    sentence: 'Roles are checked only where a description is sent.',
    breaks: refusalsOf(operation),
    alter: alsoMay(operation, hasNoDescription),
  },
  ...letIn(operation, ['guests', 'members', 'anonymous', 'any-credential']),
  'role-from-path': {
    sentence:
      "The id of the host in the path makes any guest's administrator one of the host, who adds workspaces and updates participants.",
    breaks: ['add-workspace/refuses-guest', 'update-participant/refuses-guest'],
    alter: alsoMay(
      [operation, 'update-participant'],
      (call, { hostPortalId }) => isGuestAdministrator(call) && call.params.portalID === hostPortalId,
    ),
  },
})
