/** Faults in everyday values, which a careless rule refuses, loses or rounds. */
import {
  changeAccepted,
  changeAdded,
  changeView,
  refuseText,
  refuseWhen,
  replacing,
  wrapping,
} from '../alterations.ts'
import { faultsOf, requirementsOf, textsKept } from './fault.ts'

const anyParticipant = requirementsOf('update-participant', 'protocol')
const anyFederation = requirementsOf('update-federation', 'protocol')
const anyAdd = requirementsOf('add-workspace', 'protocol')
const anyUpdateOfRun = requirementsOf('update-task-run', 'protocol')
const anyReassignment = requirementsOf('reassign-items', 'protocol')

const names = ['contactFirstname', 'contactLastname']
const address = ['contactEmailAddress']

export const ordinaryValueFaults = faultsOf({
  'folders-of-digits-refused': {
    sentence: 'A folder whose name is a number is taken for the id of one, and refused.',
    breaks: ['reassign-items/folder-created'],
    mayBreak: anyReassignment,
    alter: refuseText('bad-value', ['targetFoldername'], (text) => /^\d+$/.test(text)),
  },
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
    alter: changeView(({ created, modified }) => ({
      created: created + 0.125,
      modified: modified + 0.125,
    })),
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
        kind === 'workspace'
          ? Math.floor(Math.random() * 4096)
              .toString(16)
              .padStart(32, '0')
          : honest(kind),
    ),
  },
  'workspace-ids-count-in-each-collaboration': {
    sentence: 'The id of a workspace is its number in its collaboration.',
    breaks: ['add-workspace/id-is-new'],
    mayBreak: ['add-workspace/concurrent-ids-distinct', 'add-workspace/id-works'],
    alter(parts) {
      const counts = new Map<string, number>()
      changeView(({ collaborationId }) => {
        const count = (counts.get(collaborationId) ?? 0) + 1
        counts.set(collaborationId, count)
        return { id: count.toString(16).padStart(32, '0') }
      })(parts)
    },
  },
  'same-first-and-last-name-refused': {
    sentence: 'A contact whose first name is also the last name is refused.',
    breaks: ['update-participant/contact-text'],
    mayBreak: anyParticipant,
    alter: refuseWhen(
      'update-participant',
      'bad-value',
      ({ form }) => new Set(names.map((name) => form.get(name))).size < names.length,
    ),
  },
  'result-null-refused': {
    sentence: 'A result that reads null is refused as a missing one.',
    breaks: ['update-task-run/result-text'],
    mayBreak: anyUpdateOfRun,
    alter: refuseText('bad-value', ['result'], (text) => text === 'null'),
  },
  'description-missing-where-none-was-sent': {
    sentence: 'Where no description was sent, the answer has none.',
    breaks: ['add-workspace/workspace-fields'],
    alter: changeAdded(({ form }) =>
      form.get('collaborationWorkspaceDescription') === undefined ? { description: undefined } : {},
    ),
  },
  'descriptions-beyond-latin-1-lost': {
    sentence: 'Characters of a description that Latin-1 has not come back as question marks.',
    breaks: ['add-workspace/description-kept'],
    mayBreak: anyAdd,
    alter: replacing({
      keep: (text, field) => (field === 'description' ? text.replace(/[^\x00-\xff]/gu, '?') : text),
    }),
  },
  'combining-marks-dropped': {
    sentence: 'Marks that stand above a letter and have no character together with it vanish.',
    breaks: textsKept,
    mayBreak: anyAdd,
    alter: replacing({ keep: (text) => text.replace(/\p{Mn}/gu, '') }),
  },
  'contact-addresses-only-once': {
    sentence: 'An e-mail address that is that of a contact in another collaboration is refused.',
    breaks: ['update-participant/contact-text'],
    mayBreak: requirementsOf('update-participant', 'protocol', 'delete-collaboration'),
    alter: refuseWhen('update-participant', 'bad-email', ({ form, store, params }) => {
      const email = form.get('contactEmailAddress')
      return [...store.collaborations.values()].some(
        ({ id, participants }) =>
          id !== params.collaborationID &&
          [...participants.values()].some((contact) => contact.email === email),
      )
    }),
  },
  'hyphens-in-names-refused': {
    sentence: 'A name of a contact person that has a hyphen is refused.',
    breaks: ['update-participant/contact-text'],
    mayBreak: anyParticipant,
    alter: refuseText('bad-value', names, (text) => text.includes('-')),
  },
  'spaces-in-names-refused': {
    sentence: 'A name of a contact person of two words is refused.',
    breaks: ['update-participant/contact-text'],
    mayBreak: anyParticipant,
    alter: refuseText('bad-value', names, (text) => text.includes(' ')),
  },
  'capitals-in-addresses-refused': {
    sentence: 'An e-mail address with a capital letter is refused.',
    breaks: ['update-participant/contact-text'],
    mayBreak: anyParticipant,
    alter: refuseText('bad-value', address, (text) => /[A-Z]/.test(text)),
  },
  'long-addresses-refused': {
    sentence: 'An e-mail address of more than 40 characters is refused.',
    breaks: ['update-participant/contact-text'],
    mayBreak: anyParticipant,
    alter: refuseText('bad-value', address, (text) => text.length > 40),
  },
  'credits-over-1000-refused': {
    sentence: 'A credit allocation of more than 1000 is refused.',
    breaks: ['update-federation/updates'],
    mayBreak: anyFederation,
    alter: refuseText('bad-setting', ['userCreditAssignment'], (text) => Number(text) > 1000),
  },
  'federation-names-over-64-refused': {
    sentence: 'A name of a federation of more than 64 characters is refused.',
    breaks: ['update-federation/updates'],
    mayBreak: anyFederation,
    alter: refuseText('bad-setting', ['name'], (text) => text.length > 64),
  },
  'federation-addresses-over-100-refused': {
    sentence: 'An address of a federation of more than 100 characters is refused.',
    breaks: ['update-federation/updates'],
    mayBreak: anyFederation,
    alter: refuseText(
      'bad-setting',
      ['discoveryServiceUrl', 'metadataServiceUrl', 'entityId'],
      (text) => text.length > 100,
    ),
  },
  'key-missing-in-synchronous-mode': {
    sentence: 'The answer to a synchronous sync has no key.',
    breaks: ['sync-workspace/starts'],
    alter: changeAccepted('sync-workspace', ({ form, parts }) =>
      form.get(parts.sync.parameter) === parts.sync.synchronous ? { key: undefined } : {},
    ),
  },
  'results-with-percent-refused': {
    sentence: 'A result with a percent sign is refused.',
    breaks: ['update-task-run/result-text'],
    mayBreak: anyUpdateOfRun,
    alter: refuseText('bad-value', ['result'], (text) => text.includes('%')),
  },
  'numeric-results-refused': {
    sentence: 'A result that is a number is refused.',
    breaks: ['update-task-run/result-text'],
    mayBreak: anyUpdateOfRun,
    alter: refuseText('bad-value', ['result'], (text) => /^\d+$/.test(text)),
  },
  'results-with-addresses-refused': {
    sentence: 'A result in which an address of the web stands is refused.',
    breaks: ['update-task-run/result-text'],
    mayBreak: anyUpdateOfRun,
    alter: refuseText('bad-value', ['result'], (text) => text.includes('://')),
  },
  'one-letter-results-refused': {
    sentence: 'A result of one letter is refused.',
    breaks: ['update-task-run/result-text'],
    mayBreak: anyUpdateOfRun,
    alter: refuseText('bad-value', ['result'], (text) => /^\p{L}$/u.test(text)),
  },
  'folders-beyond-latin-1-refused': {
    sentence: 'A folder with a character in its name that Latin-1 does not have is refused.',
    breaks: ['reassign-items/folder-created'],
    mayBreak: anyReassignment,
    alter: refuseText('bad-value', ['targetFoldername'], (text) => /[^\0-\xff]/.test(text)),
  },
  'folders-over-50-refused': {
    sentence: 'A folder with a name of more than 50 characters is refused.',
    breaks: ['reassign-items/folder-created'],
    mayBreak: anyReassignment,
    alter: refuseText('bad-value', ['targetFoldername'], (text) => text.length > 50),
  },
  'workspaces-named-beyond-ascii-unknown-to-syncs': {
    sentence: 'The id of a workspace whose name has letters beyond ASCII is not that of the workspace.',
    breaks: ['add-workspace/id-works'],
    alter: (parts) =>
      changeView(({ name }) => (/[^\0-\x7f]/.test(name) ? { id: parts.newId('workspace') } : {}))(parts),
  },
  'long-words-refused': {
    sentence: 'A name of a workspace with more than 80 characters and no space is refused.',
    breaks: ['add-workspace/name-limit-accepts'],
    mayBreak: anyAdd,
    alter: refuseText('name-too-long', ['collaborationWorkspaceName'], (text) => /^\S{81,}$/.test(text)),
  },
  'run-ids-capitalised-beside-letters-beyond-ascii': {
    sentence: 'Where the result has letters beyond ASCII, runId is answered in capitals.',
    breaks: ['update-task-run/identifiers'],
    alter: changeAccepted('update-task-run', ({ form }, { runId }) =>
      /[^\0-\x7f]/.test(form.get('result') ?? '') ? { runId: String(runId).toUpperCase() } : {},
    ),
  },
  'number-signs-at-the-beginning-cut': {
    sentence: 'A number sign at the beginning of a text is lost.',
    breaks: textsKept,
    mayBreak: anyAdd,
    alter: replacing({ keep: (text) => text.replace(/^#/, '') }),
  },
  'signs-at-the-end-cut': {
    sentence: 'A semicolon or an equals sign at the end of a text is lost.',
    breaks: textsKept,
    mayBreak: anyAdd,
    alter: replacing({ keep: (text) => text.replace(/[;=]$/, '') }),
  },
  'plus-lost-beside-ampersand': {
    sentence: 'Where a text has an ampersand its plus signs come back as spaces.',
    breaks: textsKept,
    mayBreak: anyAdd,
    alter: replacing({ keep: (text) => (text.includes('&') ? text.replaceAll('+', ' ') : text) }),
  },
  'flags-lost': {
    sentence: 'Flags are lost from names and descriptions.',
    breaks: textsKept,
    mayBreak: anyAdd,
    alter: replacing({ keep: (text) => text.replace(/[\u{1f1e6}-\u{1f1ff}]/gu, '') }),
  },
  'first-letters-beyond-ascii-small': {
    sentence: 'A text that begins with a capital beyond ASCII comes back with a small letter there.',
    breaks: textsKept,
    mayBreak: anyAdd,
    alter: replacing({ keep: (text) => text.replace(/^[^\0-\x7f]/, (first) => first.toLowerCase()) }),
  },
  'ampersands-in-federation-names-refused': {
    sentence: 'A name of a federation that has an ampersand is refused.',
    breaks: ['update-federation/updates'],
    mayBreak: anyFederation,
    alter: refuseText('bad-setting', ['name'], (text) => text.includes('&')),
  },
  'capitals-in-domains-refused': {
    sentence: 'An e-mail address with a capital letter in its domain is refused.',
    breaks: ['update-participant/contact-text'],
    mayBreak: anyParticipant,
    alter: refuseText('bad-value', address, (text) => /@.*[A-Z]/.test(text)),
  },
  'long-mailboxes-refused': {
    sentence: 'An e-mail address with more than 30 characters before its at sign is refused.',
    breaks: ['update-participant/contact-text'],
    mayBreak: anyParticipant,
    alter: refuseText('bad-value', address, (text) => text.indexOf('@') > 30),
  },
  'several-dots-in-mailboxes-refused': {
    sentence: 'An e-mail address with more than one dot before its at sign is refused.',
    breaks: ['update-participant/contact-text'],
    mayBreak: anyParticipant,
    alter: refuseText('bad-value', address, (text) => /\..*\..*@/.test(text)),
  },
})
