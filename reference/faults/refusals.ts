/** Faults that refuse valid requests: for an everyday text or value, or for what several values have in common. */
import type { OperationId } from '../../specs/operations.ts'
import type { RequirementId } from '../../specs/requirements.ts'
import { refuseText, refuseWhen, replacing, replacingIn } from '../alterations.ts'
import { collaborationIn, groupIdsOf, isOwner, itemIdsIn, participantIn, targetOf } from '../handlers.ts'
import type { Alter, Call } from '../parts.ts'
import {
  anyRequestOf,
  type Broken,
  faultsOf,
  hasNoResult,
  limitsAccept,
  metBy,
  metByAny,
  namesFolder,
  rowsOf,
  type WrittenFault,
} from './fault.ts'

/** Where a text may be refused. */
interface Place extends Broken {
  /** The texts, as the beginning of a sentence. */
  readonly texts: string
  readonly parameters: readonly string[]
}

/** `requirement`: that the text is accepted. Any valid request of a check may contain a text that is refused. */
const place = (requirement: RequirementId, texts: string, ...parameters: string[]): Place => ({
  ...metByAny(requirement),
  texts,
  parameters,
})

const inContacts = (texts: string, ...parameters: string[]): Place =>
  place('update-participant/contact-text', texts, ...parameters)

const inFederations = (texts: string, ...parameters: string[]): Place =>
  place('update-federation/updates', texts, ...parameters)

const places = {
  results: place('update-task-run/result-text', 'Results of runs', 'result'),
  folders: place('reassign-items/folder-created', 'Names of folders', 'targetFoldername'),
  workspaceNames: place(
    'add-workspace/name-limit-accepts',
    'Names of workspaces',
    'collaborationWorkspaceName',
  ),
  descriptions: place(
    'add-workspace/description-limit-accepts',
    'Descriptions of workspaces',
    'collaborationWorkspaceDescription',
  ),
  firstNames: inContacts('First names of contacts', 'contactFirstname'),
  lastNames: inContacts('Last names of contacts', 'contactLastname'),
  contactNames: inContacts('Names of contacts', 'contactFirstname', 'contactLastname'),
  addresses: inContacts('E-mail addresses of contacts', 'contactEmailAddress'),
  federationNames: inFederations('Names of federations', 'name'),
  entityIds: inFederations('Entity IDs', 'entityId'),
  federationUrls: inFederations(
    'Addresses of federations',
    'discoveryServiceUrl',
    'metadataServiceUrl',
    'entityId',
  ),
  credits: inFederations('Credit allocations', 'userCreditAssignment'),
  certificates: {
    breaks: ['update-federation/certificate'],
    texts: 'Certificates',
    parameters: ['certificate'],
  },
} as const satisfies Readonly<Record<string, Place>>

type Texts = Readonly<Record<string, readonly [which: string, odd: RegExp | ((text: string) => boolean)]>>

/** Faults that refuse some texts in these places. */
function refusingTexts(table: Readonly<Partial<Record<keyof typeof places, Texts>>>): WrittenFault[] {
  return Object.entries(table).flatMap(([where, rows]) => {
    const { texts, parameters, ...broken }: Place = places[where as keyof typeof places]
    return Object.entries(rows).map(([id, [which, odd]]) => ({
      id,
      sentence: `${texts} ${which} are refused.`,
      ...broken,
      alter: refuseText(parameters, (text) => (odd instanceof RegExp ? odd.test(text) : odd(text))),
    }))
  })
}

const withApostrophes = ['with an apostrophe', /\p{L}'\p{L}/u] as const

/** Everyday texts that each text parameter should accept. */
export const everydayTextFaults = refusingTexts({
  results: {
    'results-with-apostrophes-refused': withApostrophes,
    'results-that-begin-with-a-brace-refused': ['that begin with a brace', /^\{/],
    'results-that-begin-with-a-bracket-refused': ['that begin with a bracket', /^\[/],
    'results-that-begin-with-a-quote-refused': ['that begin with a quote', /^"/],
    'results-that-begin-with-a-digit-refused': ['that begin with a digit', /^\d+[^\d]/],
    'results-that-are-json-objects-refused': ['that are JSON objects', /^\{.*\}$/s],
  },
  folders: { 'folders-with-apostrophes-refused': withApostrophes },
  workspaceNames: { 'workspace-names-with-apostrophes-refused': withApostrophes },
  descriptions: { 'descriptions-with-apostrophes-refused': withApostrophes },
  firstNames: { 'first-names-with-apostrophes-refused': withApostrophes },
  lastNames: { 'last-names-with-apostrophes-refused': withApostrophes },
  federationNames: { 'federation-names-with-apostrophes-refused': withApostrophes },
})

const textFaults = refusingTexts({
  results: {
    'run-result-ascii-only': ['with characters beyond ASCII', /[^\x00-\x7f]/],
    'astral-results-refused': ['with characters beyond the basic plane', /[\u{10000}-\u{10ffff}]/u],
    'results-over-400-refused': ['of more than 400 characters', /.{401}/s],
    'results-of-several-lines-refused': ['of several lines', /[\r\n]/],
    'result-null-refused': ['that read null', /^null$/],
    'results-with-percent-refused': ['with a percent sign', /%/],
    'numeric-results-refused': ['that are numbers', /^\d+$/],
    'zero-as-result-refused': ['that are 0, which some languages take for no text,', /^0$/],
    'results-with-addresses-refused': ['with an address of the web', /:\/\//],
    'one-letter-results-refused': ['of one letter', /^\p{L}$/u],
  },
  folders: {
    'folders-of-digits-refused': ['that are numbers, as ids of folders,', /^\d+$/],
    'folders-beyond-latin-1-refused': ['with a character that Latin-1 does not have', /[^\0-\xff]/],
    'folders-over-50-refused': ['of more than 50 characters', /.{51}/s],
  },
  workspaceNames: {
    'astral-names-refused': [
      'with a character beyond the Basic Multilingual Plane',
      /[\u{10000}-\u{10ffff}]/u,
    ],
    'names-over-255-bytes-refused': [
      'of more than 255 bytes in UTF-8',
      (text) => Buffer.byteLength(text) > 255,
    ],
    'long-words-refused': ['of more than 80 characters without a space', /^\S{81,}$/],
  },
  contactNames: {
    'contact-names-ascii-only': ['with characters beyond ASCII', /[^\x00-\x7f]/],
    'one-letter-names-refused': ['of one character', /^.$/s],
    'contact-names-over-20-refused': ['of more than 20 characters', /.{21}/s],
    'hyphens-in-names-refused': ['with a hyphen', /-/],
    'spaces-in-names-refused': ['of two words', / /],
  },
  addresses: {
    'plus-addresses-refused': ['with a plus sign', /\+/],
    'capitals-in-addresses-refused': ['with a capital letter', /[A-Z]/],
    'long-addresses-refused': ['of more than 40 characters', /.{41}/s],
    'capitals-in-domains-refused': ['with a capital letter in the domain', /@.*[A-Z]/],
    'long-mailboxes-refused': ['with more than 30 characters before the at sign', /^[^@]{31,}@/],
    'several-dots-in-mailboxes-refused': ['with more than one dot before the at sign', /\..*\..*@/],
  },
  federationNames: {
    'federation-names-latin-only': ['in other than Latin letters', /(?!\p{Script=Latin})\p{L}/u],
    'federation-names-over-64-refused': ['of more than 64 characters', /.{65}/s],
    'ampersands-in-federation-names-refused': ['with an ampersand', /&/],
  },
  entityIds: { 'entity-id-must-be-url': ['that are URNs', /^urn:/] },
  federationUrls: { 'federation-addresses-over-100-refused': ['of more than 100 characters', /.{101}/s] },
  credits: {
    'no-credits-refused': ['of 0', /^0$/],
    'credits-over-1000-refused': ['of more than 1000', (text) => Number(text) > 1000],
  },
  certificates: {
    'certificate-plus-lost': ['with a plus sign, which becomes a space and is not Base64,', /\+/],
    'certificate-slashes-refused': ['with a slash in their Base64 text', /\//],
    'certificate-over-1500-refused': ['of more than 1500 characters', /.{1501}/s],
    'certificate-padding-refused': ['whose Base64 text ends with an equals sign', /=$/],
  },
})

/** Refuses the requests of an operation for which the condition holds. */
const refusing = (operation: OperationId) => (condition: (call: Call) => boolean) =>
  refuseWhen(operation, 'bad-value', condition)

/** Whether the request names a folder that the target user has. Undefined: it names no folder. */
const hasFolder = (call: Call): boolean | undefined => {
  const folder = call.form.get('targetFoldername')
  return folder === undefined ? undefined : targetOf(call)?.folders.has(folder)
}

const workspaceFaults = rowsOf(refusing('add-workspace'), metByAny('add-workspace/creates'), {
  'description-like-name-refused': [
    'A description that says what the name says is refused.',
    ({ form }) => form.get('collaborationWorkspaceName') === form.get('collaborationWorkspaceDescription'),
  ],
  'both-limits-together-refused': [
    'Name and description may have 340 characters together.',
    ({ form, parts }) => {
      const texts = ['collaborationWorkspaceName', 'collaborationWorkspaceDescription']
      return parts.measure(texts.map((name) => String(form.get(name))).join('')) > 340
    },
    { breaks: limitsAccept, mayBreak: anyRequestOf('add-workspace') },
  ],
  'parameter-order-matters': [
    'A request is refused where f comes before the name of the workspace.',
    ({ form }) => {
      const names = form.pairs.map(([name]) => name)
      return names.includes('f') && names.indexOf('f') < names.indexOf('collaborationWorkspaceName')
    },
    'protocol/encoding',
  ],
})

const runFaults = rowsOf(refusing('update-task-run'), metByAny('update-task-run/result-optional'), {
  'run-result-required': ['An update without result is refused.', hasNoResult],
  'run-result-required-but-while-executing': [
    'An update to any status but executing is refused without result.',
    (call) => hasNoResult(call) && !['executing', '', undefined].includes(call.form.get('status')),
  ],
  'run-empty-result-refused': [
    'An empty result is refused.',
    ({ form }) => form.get('result') === '',
    'update-task-run/result-empty',
  ],
  'skipped-run-refused': [
    'The status skipped is refused, although it is on the list.',
    ({ form }) => form.get('status') === 'skipped',
    'update-task-run/statuses',
  ],
  'parameters-with-a-dot-refused': [
    'A parameter with a dot in its name is refused.',
    ({ form }) => form.pairs.some(([name]) => name.includes('.')),
    'protocol/unknown-parameter',
  ],
})

const reassignmentFaults = rowsOf(refusing('reassign-items'), metByAny('reassign-items/folder-created'), {
  'folder-required': [
    'A request without targetFoldername is refused.',
    (call) => !namesFolder(call),
    ['reassign-items/folder-optional', 'reassign-items/items-limit-accepts'],
  ],
  'folder-must-exist': [
    'A folder that the target user does not have yet is refused.',
    (call) => hasFolder(call) === false,
  ],
  // Checks may give items to the same folder several times.
  'folder-must-be-new': [
    'A folder that the target user already has is refused.',
    (call) => hasFolder(call) === true,
    {
      breaks: ['reassign-items/folder-created'],
      mayBreak: ['reassign-items/items-limit-accepts'],
      dependsOn: 'earlier requests',
    },
  ],
  'folders-of-others-refused': [
    'A folder is refused where another user has one of that name.',
    ({ form, store }) =>
      [...store.users.values()].some(
        ({ username, folders }) =>
          username !== form.get('targetUsername') && folders.has(form.get('targetFoldername') ?? ''),
      ),
    { ...metByAny('reassign-items/folder-created'), dependsOn: 'earlier requests' },
  ],
  'hundred-items-need-no-folder': [
    'A hundred items are refused where a folder is named.',
    (call) => itemIdsIn(call).length === 100 && namesFolder(call),
    {
      breaks: ['reassign-items/items-limit-accepts'],
      mayBreak: ['reassign-items/ownership-moves', 'reassign-items/items-limit-rejects'],
    },
  ],
  'five-items-with-folder-refused': [
    'Where a folder is named, more than four items are refused.',
    (call) => itemIdsIn(call).length > 4 && namesFolder(call),
    metBy('reassign-items/items-limit-accepts', 'reassign-items'),
  ],
  'owners-give-25-at-most': [
    'An owner without administrative privileges may give 25 items away at most.',
    (call) => itemIdsIn(call).length > 25 && isOwner(call),
    { breaks: ['reassign-items/allows-owner'], mayBreak: ['reassign-items/items-limit-accepts'] },
  ],
})

/** Any later update of a participant meets the fault, also one that shows what a delete leaves. */
const metInOthers = (requirement: RequirementId): Broken => ({
  ...metBy(requirement, 'update-participant', 'protocol', 'delete-collaboration'),
  dependsOn: 'earlier requests',
})

const participantFaults = rowsOf(
  refusing('update-participant'),
  metByAny('update-participant/contact-text'),
  {
    'same-first-and-last-name-refused': [
      'A contact whose first name is also the last name is refused.',
      ({ form }) => form.get('contactFirstname') === form.get('contactLastname'),
    ],
    'contact-addresses-only-once': [
      'An e-mail address that is that of a contact in another collaboration is refused.',
      ({ form, store, params }) => {
        const others = [...store.collaborations.values()].filter(({ id }) => id !== params.collaborationID)
        const contacts = others.flatMap(({ participants }) => [...participants.values()])
        return contacts.some(({ email }) => email === form.get('contactEmailAddress'))
      },
      metInOthers('update-participant/contact-text'),
    ],
    'participants-updated-only-once': [
      'A participant that was updated refuses every further update.',
      (call) => participantIn(call)?.email !== undefined,
      metInOthers('update-participant/updates'),
    ],
  },
)

/** Whether the collaboration has more than this many workspaces. */
const hasMoreThan =
  (workspaces: number) =>
  (call: Call): boolean =>
    (collaborationIn(call)?.workspaces.size ?? 0) > workspaces

const groupsIn = ({ form }: Call): string[] =>
  form.getAll('groups').flatMap((value) => groupIdsOf(value) ?? [])

/** Limits and lists of allowed values that are too short. */
const shortListFaults = rowsOf((alter: Alter) => alter, metByAny('add-workspace/name-limit-accepts'), {
  'name-limit-99': ['A name of exactly 100 characters is refused.', replacingIn('limits', { name: 99 })],
  'description-limit-249': [
    'A description of exactly 250 characters is refused.',
    replacingIn('limits', { description: 249 }),
    metByAny('add-workspace/description-limit-accepts'),
  ],
  'hundred-items-refused': [
    'A request with exactly 100 items is refused.',
    replacingIn('limits', { items: 99 }),
    'reassign-items/items-limit-accepts',
  ],
  'automatic-sign-up-refused': [
    'signUpMode=Automatic is refused.',
    replacing({ signUpModes: ['Invitation'] }),
    metByAny('update-federation/sign-up-mode'),
  ],
  'platform-only-refused': [
    'userType=platformonly is refused.',
    replacing({ userTypes: ['both'] }),
    metByAny('update-federation/user-type'),
  ],
})

const otherFaults = faultsOf({
  'delete-refused-with-workspaces': {
    sentence: 'A collaboration that has a workspace cannot be deleted.',
    breaks: ['delete-collaboration/deletes'],
    dependsOn: 'earlier requests',
    alter: refuseWhen('delete-collaboration', 'bad-value', hasMoreThan(0)),
  },
  'delete-of-many-workspaces-refused': {
    sentence: 'A collaboration with more than two workspaces is not deleted.',
    breaks: ['delete-collaboration/deletes'],
    dependsOn: 'earlier requests',
    alter: refuseWhen('delete-collaboration', 'bad-value', hasMoreThan(2)),
  },
  'second-workspace-not-synced': {
    sentence: 'Of the workspaces of a collaboration only the first can be synced.',
    ...metBy('sync-workspace/starts', 'sync-workspace', 'delete-collaboration', 'add-workspace', 'protocol'),
    dependsOn: 'earlier requests',
    alter: refuseWhen('sync-workspace', 'bad-value', (call) => {
      const [first] = collaborationIn(call)?.workspaces.keys() ?? []
      return first !== undefined && first !== call.params.workspaceID
    }),
  },
  'several-groups-refused': {
    sentence: 'groups may hold one id only: several are refused.',
    ...metByAny('update-federation/groups-array'),
    alter: refuseWhen('update-federation', 'bad-value', (call) => groupsIn(call).length > 1),
  },
  'four-groups-refused': {
    sentence: 'More than three groups are refused.',
    breaks: ['update-federation/groups-array'],
    alter: refuseWhen('update-federation', 'bad-value', (call) => groupsIn(call).length > 3),
  },
})

/** Faults that refuse valid requests. */
export const refusalFaults: readonly WrittenFault[] = [
  ...textFaults,
  ...workspaceFaults,
  ...runFaults,
  ...reassignmentFaults,
  ...participantFaults,
  ...shortListFaults,
  ...otherFaults,
]
