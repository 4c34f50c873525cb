/** Careless rules for texts and other everyday values, which the portal refuses, changes, loses or rounds. */
import type { OperationId } from '../../specs/operations.ts'
import type { RequirementId } from '../../specs/requirements.ts'
import {
  changeAccepted,
  changeAdded,
  changeView,
  counter,
  refuseText,
  refuseWhen,
  remembering,
  replacing,
  wrapping,
} from '../alterations.ts'
import type { Reason } from '../answers.ts'
import {
  anyRequestOf,
  type Broken,
  type Fault,
  faultsOf,
  hasNoDescription,
  metByAny,
  namesSynchronous,
  requirementsOf,
  textsKept,
  type Written,
  words,
} from './fault.ts'

/** Where a text may be refused. */
interface Place extends Broken {
  readonly reason: Reason
  readonly parameters: readonly string[]
}

/** `requirement`: that the text is accepted. Any valid request of a check may contain a text that is refused. */
const place = (
  operation: OperationId,
  requirement: RequirementId,
  reason: Reason,
  ...parameters: string[]
): Place => ({ breaks: [requirement], mayBreak: anyRequestOf(operation), reason, parameters })

const inContacts = (...parameters: string[]): Place =>
  place('update-participant', 'update-participant/contact-text', 'bad-value', ...parameters)

const inFederations = (...parameters: string[]): Place =>
  place('update-federation', 'update-federation/updates', 'bad-setting', ...parameters)

const workspaceNames = place(
  'add-workspace',
  'add-workspace/name-limit-accepts',
  'bad-value',
  'collaborationWorkspaceName',
)

const certificates: Place = {
  breaks: ['update-federation/certificate'],
  reason: 'bad-setting',
  parameters: ['certificate'],
}

export const places = {
  results: place('update-task-run', 'update-task-run/result-text', 'bad-value', 'result'),
  folders: place('reassign-items', 'reassign-items/folder-created', 'bad-value', 'targetFoldername'),
  workspaceNames,
  longWorkspaceNames: { ...workspaceNames, reason: 'name-too-long' },
  descriptions: place(
    'add-workspace',
    'add-workspace/description-limit-accepts',
    'bad-value',
    'collaborationWorkspaceDescription',
  ),
  firstNames: inContacts('contactFirstname'),
  lastNames: inContacts('contactLastname'),
  contactNames: inContacts('contactFirstname', 'contactLastname'),
  addresses: inContacts('contactEmailAddress'),
  federationNames: inFederations('name'),
  entityIds: inFederations('entityId'),
  federationUrls: inFederations('discoveryServiceUrl', 'metadataServiceUrl', 'entityId'),
  credits: inFederations('userCreditAssignment'),
  certificates,
} as const

type Odd = RegExp | ((text: string) => boolean)

/** A fault that refuses some texts in a place. */
const refusing = ({ reason, parameters, ...broken }: Place, sentence: string, odd: Odd): Written => ({
  sentence,
  ...broken,
  alter: refuseText(reason, parameters, (text) => (odd instanceof RegExp ? odd.test(text) : odd(text))),
})

/** Faults that refuse some texts in a place. */
export const refused = (
  where: Place,
  rows: Readonly<Record<string, readonly [sentence: string, odd: Odd]>>,
): Readonly<Record<string, Written>> =>
  Object.fromEntries(
    Object.entries(rows).map(([id, [sentence, odd]]) => [id, refusing(where, sentence, odd)]),
  )

type Change = readonly [sentence: string, found: RegExp, instead: string | ((found: string) => string)]

/** Faults that change names and descriptions of workspaces. */
export const changed = (
  mayBreak: readonly RequirementId[],
  rows: Readonly<Record<string, Change>>,
): Readonly<Record<string, Written>> =>
  Object.fromEntries(
    Object.entries(rows).map(([id, [sentence, found, instead]]) => [
      id,
      {
        sentence,
        breaks: textsKept,
        mayBreak,
        alter: replacing({ keep: (text) => text.replace(found, instead as string) }),
      },
    ]),
  )

const anyAdd = anyRequestOf('add-workspace')

const apostrophe = /\p{L}'\p{L}/u

/** Everyday texts that each text parameter should accept. */
const everydayRefused = (
  [
    ['with-apostrophes', 'results', places.results, apostrophe],
    ['with-apostrophes', 'folders', places.folders, apostrophe],
    ['with-apostrophes', 'workspace-names', places.workspaceNames, apostrophe],
    ['with-apostrophes', 'descriptions', places.descriptions, apostrophe],
    ['with-apostrophes', 'first-names', places.firstNames, apostrophe],
    ['with-apostrophes', 'last-names', places.lastNames, apostrophe],
    ['with-apostrophes', 'federation-names', places.federationNames, apostrophe],
    ['that-begin-with-a-brace', 'results', places.results, /^\{/],
    ['that-begin-with-a-bracket', 'results', places.results, /^\[/],
    ['that-begin-with-a-quote', 'results', places.results, /^"/],
    ['that-begin-with-a-digit', 'results', places.results, /^\d+[^\d]/],
    ['that-are-json-objects', 'results', places.results, /^\{.*\}$/s],
  ] as const
).map(([rule, texts, where, odd]): Fault => {
  const sentence = `${where.parameters[0]} is refused: texts ${words(rule)}.`
  return { id: `${texts}-${rule}-refused`, ...refusing(where, sentence, odd) }
})

const apostrophesChanged = (
  [
    ['doubled', 'name', "''"],
    ['doubled', 'description', "''"],
    ['escaped', 'name', '&#39;'],
    ['curled', 'name', '’'],
    ['lost', 'name', ''],
    ['behind-a-backslash', 'name', "\\'"],
  ] as const
).map(
  ([how, field, instead]): Fault => ({
    id: `apostrophes-${how}-in-${field}s`,
    sentence: `An apostrophe in the ${field} of a workspace comes back ${words(how)}.`,
    breaks: [`add-workspace/${field}-kept`],
    mayBreak: anyAdd,
    alter: replacing({ keep: (text, kept) => (kept === field ? text.replaceAll("'", instead) : text) }),
  }),
)

export const ordinaryTextFaults: readonly Fault[] = [...everydayRefused, ...apostrophesChanged]

export const ordinaryValueFaults = faultsOf({
  ...refused(places.folders, {
    'folders-of-digits-refused': [
      'A folder whose name is a number is taken for the id of one, and refused.',
      /^\d+$/,
    ],
  }),
  'capitals-written-small': {
    sentence: 'Names and descriptions in capitals alone come back with one capital.',
    breaks: textsKept,
    alter: replacing({
      keep: (text) => (/^[A-Z ]{2,}$/.test(text) ? text.charAt(0) + text.slice(1).toLowerCase() : text),
    }),
  },
  'created-in-fractions': {
    sentence: 'created and modified have microseconds behind a point.',
    breaks: ['add-workspace/workspace-fields'],
    alter: changeView(({ created, modified }) => ({ created: created + 0.125, modified: modified + 0.125 })),
  },
  'workspace-ids-from-a-small-space': {
    sentence: 'The ids of workspaces are drawn from 4096.',
    breaks: ['add-workspace/id-is-new'],
    // A made-up id may belong to an existing workspace.
    mayBreak: [
      'add-workspace/concurrent-ids-distinct',
      'add-workspace/id-works',
      ...requirementsOf('sync-workspace'),
    ],
    alter: wrapping(
      'newId',
      (honest) => (kind) =>
        kind === 'workspace' ? numbered(Math.floor(Math.random() * 4096)) : honest(kind),
    ),
  },
  'workspace-ids-count-in-each-collaboration': {
    sentence: 'The id of a workspace is its number in its collaboration.',
    breaks: ['add-workspace/id-is-new'],
    mayBreak: ['add-workspace/concurrent-ids-distinct', 'add-workspace/id-works'],
    alter: remembering(counter<string>, (count) =>
      changeView(({ collaborationId }) => ({ id: numbered(count(collaborationId)) })),
    ),
  },
  'same-first-and-last-name-refused': {
    sentence: 'A contact whose first name is also the last name is refused.',
    ...metByAny('update-participant/contact-text'),
    alter: refuseWhen(
      'update-participant',
      'bad-value',
      ({ form }) => form.get('contactFirstname') === form.get('contactLastname'),
    ),
  },
  ...refused(places.results, {
    'result-null-refused': ['A result that reads null is refused as a missing one.', /^null$/],
  }),
  'description-missing-where-none-was-sent': {
    sentence: 'Where no description was sent, the answer has none.',
    breaks: ['add-workspace/workspace-fields'],
    alter: changeAdded((call) => (hasNoDescription(call) ? { description: undefined } : {})),
  },
  'descriptions-beyond-latin-1-lost': {
    sentence: 'Characters of a description that Latin-1 has not come back as question marks.',
    ...metByAny('add-workspace/description-kept'),
    alter: replacing({
      keep: (text, field) => (field === 'description' ? text.replace(/[^\x00-\xff]/gu, '?') : text),
    }),
  },
  ...changed(anyAdd, {
    'combining-marks-dropped': [
      'Marks that stand above a letter and have no character together with it vanish.',
      /\p{Mn}/gu,
      '',
    ],
  }),
  'contact-addresses-only-once': {
    sentence: 'An e-mail address that is that of a contact in another collaboration is refused.',
    breaks: ['update-participant/contact-text'],
    mayBreak: requirementsOf('update-participant', 'protocol', 'delete-collaboration'),
    alter: refuseWhen('update-participant', 'bad-email', ({ form, store, params }) => {
      const others = [...store.collaborations.values()].filter(({ id }) => id !== params.collaborationID)
      const contacts = others.flatMap(({ participants }) => [...participants.values()])
      return contacts.some(({ email }) => email === form.get('contactEmailAddress'))
    }),
  },
  ...refused(places.contactNames, {
    'hyphens-in-names-refused': ['A name of a contact person that has a hyphen is refused.', /-/],
    'spaces-in-names-refused': ['A name of a contact person of two words is refused.', / /],
  }),
  ...refused(places.addresses, {
    'capitals-in-addresses-refused': ['An e-mail address with a capital letter is refused.', /[A-Z]/],
    'long-addresses-refused': ['An e-mail address of more than 40 characters is refused.', /.{41}/s],
  }),
  ...refused(places.credits, {
    'credits-over-1000-refused': [
      'A credit allocation of more than 1000 is refused.',
      (text) => Number(text) > 1000,
    ],
  }),
  ...refused(places.federationNames, {
    'federation-names-over-64-refused': [
      'A name of a federation of more than 64 characters is refused.',
      /.{65}/s,
    ],
  }),
  ...refused(places.federationUrls, {
    'federation-addresses-over-100-refused': [
      'An address of a federation of more than 100 characters is refused.',
      /.{101}/s,
    ],
  }),
  'key-missing-in-synchronous-mode': {
    sentence: 'The answer to a synchronous sync has no key.',
    breaks: ['sync-workspace/starts'],
    alter: changeAccepted('sync-workspace', (call) => (namesSynchronous(call) ? { key: undefined } : {})),
  },
  ...refused(places.results, {
    'results-with-percent-refused': ['A result with a percent sign is refused.', /%/],
    'numeric-results-refused': ['A result that is a number is refused.', /^\d+$/],
    'results-with-addresses-refused': ['A result in which an address of the web stands is refused.', /:\/\//],
    'one-letter-results-refused': ['A result of one letter is refused.', /^\p{L}$/u],
  }),
  ...refused(places.folders, {
    'folders-beyond-latin-1-refused': [
      'A folder with a character in its name that Latin-1 does not have is refused.',
      /[^\0-\xff]/,
    ],
    'folders-over-50-refused': ['A folder with a name of more than 50 characters is refused.', /.{51}/s],
  }),
  'workspaces-named-beyond-ascii-unknown-to-syncs': {
    sentence: 'The id of a workspace whose name has letters beyond ASCII is not that of the workspace.',
    breaks: ['add-workspace/id-works'],
    alter: (parts) =>
      changeView(({ name }) => (/[^\0-\x7f]/.test(name) ? { id: parts.newId('workspace') } : {}))(parts),
  },
  ...refused(places.longWorkspaceNames, {
    'long-words-refused': [
      'A name of a workspace with more than 80 characters and no space is refused.',
      /^\S{81,}$/,
    ],
  }),
  'run-ids-capitalised-beside-letters-beyond-ascii': {
    sentence: 'Where the result has letters beyond ASCII, runId is answered in capitals.',
    breaks: ['update-task-run/identifiers'],
    alter: changeAccepted('update-task-run', ({ form }, { runId }) =>
      /[^\0-\x7f]/.test(form.get('result') ?? '') ? { runId: String(runId).toUpperCase() } : {},
    ),
  },
  ...changed(anyAdd, {
    'number-signs-at-the-beginning-cut': ['A number sign at the beginning of a text is lost.', /^#/, ''],
    'signs-at-the-end-cut': ['A semicolon or an equals sign at the end of a text is lost.', /[;=]$/, ''],
    'plus-lost-beside-ampersand': [
      'Where a text has an ampersand its plus signs come back as spaces.',
      /^.*&.*$/s,
      (text) => text.replaceAll('+', ' '),
    ],
    'flags-lost': ['Flags are lost from names and descriptions.', /[\u{1f1e6}-\u{1f1ff}]/gu, ''],
    'first-letters-beyond-ascii-small': [
      'A text that begins with a capital beyond ASCII comes back with a small letter there.',
      /^[^\0-\x7f]/,
      (first) => first.toLowerCase(),
    ],
  }),
  ...refused(places.federationNames, {
    'ampersands-in-federation-names-refused': [
      'A name of a federation that has an ampersand is refused.',
      /&/,
    ],
  }),
  ...refused(places.addresses, {
    'capitals-in-domains-refused': [
      'An e-mail address with a capital letter in its domain is refused.',
      /@.*[A-Z]/,
    ],
    'long-mailboxes-refused': [
      'An e-mail address with more than 30 characters before its at sign is refused.',
      /^[^@]{31,}@/,
    ],
    'several-dots-in-mailboxes-refused': [
      'An e-mail address with more than one dot before its at sign is refused.',
      /\..*\..*@/,
    ],
  }),
})

/** An id with this number at its end. */
const numbered = (value: number): string => value.toString(16).padStart(32, '0')
