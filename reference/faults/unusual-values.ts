/** Faults that show only in unusual values. */
import {
  around,
  changeAccepted,
  changeAdded,
  changeBytes,
  changeDetails,
  changeParts,
  changeView,
  lastAsked,
  refuseText,
  refuseWhen,
  replacing,
  wrapping,
} from '../alterations.ts'
import { itemIdsIn } from '../handlers.ts'
import type { Alter } from '../parts.ts'
import { escapeHtml } from '../rendering.ts'
import { faultsOf, limitsAccept, requirementsOf, textsKept } from './fault.ts'
import { takeAnyNumber } from './reassign-items.ts'

const name = 'collaborationWorkspaceName'
const description = 'collaborationWorkspaceDescription'

/** Any valid request of a check may contain such a value. */
const anyAdd = requirementsOf('add-workspace', 'protocol')
const anyFederation = requirementsOf('update-federation', 'protocol')

/** Faults in texts that have a special meaning elsewhere, and at limits. */
export const rareValueFaults = faultsOf({
  'scalar-names-become-scalars': {
    sentence: 'A name that reads like a number, a boolean or null comes back as one.',
    breaks: ['add-workspace/workspace-fields'],
    alter: changeView(({ name }) =>
      /^(?:true|false|null|[1-9]\d*)$/.test(name) ? { name: JSON.parse(name) } : {},
    ),
  },
  'placeholders-filled-in': {
    sentence: 'What looks like a placeholder of printf vanishes from names and descriptions.',
    breaks: textsKept,
    mayBreak: anyAdd,
    alter: replacing({ keep: (text) => text.replace(/%[sd]/g, '') }),
  },
  'percent-signs-doubled': {
    sentence: 'Percent signs of names and descriptions come back twice.',
    breaks: textsKept,
    mayBreak: anyAdd,
    alter: replacing({ keep: (text) => text.replaceAll('%', '%%') }),
  },
  'limits-count-escaped': {
    sentence: 'Limits count what a text is once it is escaped for a page.',
    breaks: limitsAccept,
    mayBreak: anyAdd,
    alter: wrapping('measure', (honest) => (text) => honest(escapeHtml(text))),
  },
  'both-limits-together-refused': {
    sentence: 'Name and description may have 340 characters together.',
    breaks: limitsAccept,
    mayBreak: anyAdd,
    alter: refuseWhen(
      'add-workspace',
      'name-too-long',
      ({ form, parts }) => parts.measure(`${form.get(name)}${form.get(description)}`) > 340,
    ),
  },
  'name-limit-needs-description': {
    sentence: 'The limit on names is checked only where a description is sent.',
    breaks: ['add-workspace/name-limit-rejects'],
    alter: changeParts('add-workspace', ({ form }) => form.get(description) === undefined, {
      fits: () => true,
    }),
  },
  'astral-characters-as-surrogates': {
    sentence:
      'Characters beyond the Basic Multilingual Plane are written as two surrogates of three bytes each.',
    breaks: ['protocol/json-format'],
    mayBreak: anyAdd,
    alter: changeBytes('add-workspace', surrogatesApart),
  },
  'participant-answers-mixed-up': {
    sentence: 'Of simultaneous updates all are answered with the collaboration of the last one.',
    breaks: ['update-participant/identifiers'],
    alter(parts) {
      const last = lastAsked(parts, 'update-participant')
      changeAccepted('update-participant', () => ({ collaborationId: last().params.collaborationID }))(parts)
    },
  },
  'one-letter-names-refused': {
    sentence: 'A name of a contact person that has one character is refused.',
    breaks: ['update-participant/contact-text'],
    mayBreak: requirementsOf('update-participant', 'protocol'),
    alter: refuseText('bad-value', ['contactFirstname', 'contactLastname'], (text) => text.length === 1),
  },
  'certificate-over-1500-refused': {
    sentence: 'A certificate of more than 1500 characters is refused.',
    breaks: ['update-federation/certificate'],
    alter: refuseText('bad-setting', ['certificate'], (text) => text.length > 1500),
  },
  'certificate-padding-refused': {
    sentence: 'A certificate whose Base64 text ends with an equals sign is refused.',
    breaks: ['update-federation/certificate'],
    alter: refuseText('bad-setting', ['certificate'], (text) => text.endsWith('=')),
  },
  'entity-id-must-be-url': {
    sentence: 'An entity ID that is a URN is refused.',
    breaks: ['update-federation/updates'],
    mayBreak: anyFederation,
    alter: refuseText('bad-setting', ['entityId'], (text) => text.startsWith('urn:')),
  },
})

/** Encodes each astral character as two surrogates, which is invalid UTF-8. */
function surrogatesApart(body: Buffer): Buffer {
  const pieces = [...body.toString('utf8')].map((character) =>
    character.length === 1 ? Buffer.from(character) : Buffer.concat([0, 1].map((at) => alone(character, at))),
  )
  return Buffer.concat(pieces)
}

function alone(character: string, at: number): Buffer {
  const unit = character.charCodeAt(at)
  return Buffer.from([0xe0 | (unit >> 12), 0x80 | ((unit >> 6) & 0x3f), 0x80 | (unit & 0x3f)])
}

const reassign = 'reassign-items'

const hourMs = 3_600_000

/** Omits the type from the entries of `error.details`, for callers with this role. */
const detailsWithoutType =
  (role: string): Alter =>
  (parts) => {
    const roles = new Map<unknown, string | undefined>()
    around(reassign, (call, honest) => {
      for (const id of itemIdsIn(call)) roles.set(id, call.user?.role)
      return honest()
    })(parts)
    changeDetails(({ itemId }) => (roles.get(itemId) === role ? { type: undefined } : {}))(parts)
  }

/** Faults in longer lists, other lengths and scripts, absent parameters, and times that are slightly wrong. */
export const unusualValueFaults = faultsOf({
  'item-id-missing-from-three-items-on': {
    sentence: 'The answer to a reassignment of three items or more has no itemId.',
    breaks: ['reassign-items/reassigns'],
    alter: changeAccepted(reassign, (call) => (itemIdsIn(call).length > 2 ? { itemId: undefined } : {})),
  },
  'five-items-with-folder-refused': {
    sentence: 'Where a folder is named, more than four items are refused.',
    breaks: ['reassign-items/items-limit-accepts'],
    mayBreak: requirementsOf(reassign),
    alter: refuseWhen(
      reassign,
      'too-many-items',
      (call) => itemIdsIn(call).length > 4 && call.form.get('targetFoldername') !== undefined,
    ),
  },
  'owners-give-25-at-most': {
    sentence: 'An owner without administrative privileges may give 25 items away at most.',
    breaks: ['reassign-items/allows-owner'],
    mayBreak: ['reassign-items/items-limit-accepts'],
    alter: refuseWhen(
      reassign,
      'too-many-items',
      (call) => itemIdsIn(call).length > 25 && call.user?.username === call.params.userName,
    ),
  },
  'items-over-160-accepted': {
    sentence: 'More than 160 items are accepted.',
    breaks: ['reassign-items/items-limit-rejects'],
    alter: takeAnyNumber((call) => itemIdsIn(call).length > 160),
  },
  'error-details-untyped-for-owner': {
    sentence: 'Where the owner asks, the entries of error.details have no type.',
    breaks: ['reassign-items/error-details-fields'],
    alter: detailsWithoutType('user'),
  },
  'error-details-untyped-for-custom-administrator': {
    sentence: 'Where a custom administrator asks, the entries of error.details have no type.',
    breaks: ['reassign-items/error-details-fields'],
    alter: detailsWithoutType('custom'),
  },
  'description-null-where-none-was-sent': {
    sentence: 'Where no description was sent, description is null in the answer.',
    breaks: ['add-workspace/workspace-fields'],
    alter: changeAdded(({ form }) =>
      form.get('collaborationWorkspaceDescription') === undefined ? { description: null } : {},
    ),
  },
  'created-is-constant': {
    sentence: 'created and modified are the time at which the portal started.',
    breaks: ['add-workspace/timestamps'],
    alter(parts) {
      const started = Date.now()
      changeView(() => ({ created: started, modified: started }))(parts)
    },
  },
  'created-in-another-time-zone': {
    sentence: 'created and modified are local times, two hours ahead of Unix time.',
    breaks: ['add-workspace/timestamps'],
    alter: changeView(({ created, modified }) => ({
      created: created + 2 * hourMs,
      modified: modified + 2 * hourMs,
    })),
  },
  'ids-of-the-deleted-given-again': {
    sentence: 'New workspaces get the ids of those that went with a deleted collaboration.',
    breaks: ['add-workspace/id-is-new'],
    mayBreak: ['add-workspace/concurrent-ids-distinct'],
    alter(parts) {
      const free: string[] = []
      const remove = parts.remove
      parts.remove = (store, collaboration) => {
        free.push(...collaboration.workspaces.keys())
        remove(store, collaboration)
      }
      const newId = parts.newId
      parts.newId = (kind) => (kind === 'workspace' ? free.pop() : undefined) ?? newId(kind)
    },
  },
  'limits-count-escapes-of-json': {
    sentence: 'Limits count what a text is in JSON that escapes all but ASCII.',
    breaks: limitsAccept,
    mayBreak: anyAdd,
    alter: replacing({
      measure: (text) => JSON.stringify(text).replace(/[^\x20-\x7e]/g, '\\u0000').length - '""'.length,
    }),
  },
  'names-over-255-bytes-refused': {
    sentence: 'A name of more than 255 bytes in UTF-8 is refused.',
    breaks: ['add-workspace/name-limit-accepts'],
    mayBreak: anyAdd,
    alter: refuseText(
      'name-too-long',
      ['collaborationWorkspaceName'],
      (text) => Buffer.byteLength(text) > 255,
    ),
  },
  'names-cut-inside-a-character': {
    sentence: 'Names are cut after 255 bytes of UTF-8, be that within a character.',
    breaks: ['add-workspace/name-kept'],
    mayBreak: anyAdd,
    alter: replacing({
      keep: (text, field) => (field === 'name' ? Buffer.from(text).subarray(0, 255).toString('utf8') : text),
    }),
  },
  'names-over-6000-accepted': {
    sentence: 'Names of more than 6000 characters are accepted.',
    breaks: ['add-workspace/name-limit-rejects'],
    alter: wrapping(
      'fits',
      (honest) => (text, field) => (field === 'name' && text.length > 6000) || honest(text, field),
    ),
  },
  'quotes-not-escaped': {
    sentence: 'Quotes of a name stand in the answer without a backslash.',
    breaks: ['protocol/json-format'],
    mayBreak: anyAdd,
    alter: changeBytes('add-workspace', (body) => Buffer.from(body.toString('utf8').replaceAll('\\"', '"'))),
  },
  'quotes-of-descriptions-not-escaped': {
    sentence: 'Quotes of a description stand in the answer without a backslash.',
    breaks: ['protocol/json-format'],
    mayBreak: anyAdd,
    alter: changeBytes('add-workspace', (body) =>
      Buffer.from(
        body
          .toString('utf8')
          .replace(
            /("description":\s*")((?:[^"\\]|\\.)*)/,
            (_, field: string, text: string) => field + text.replaceAll('\\"', '"'),
          ),
      ),
    ),
  },
  'astral-results-refused': {
    sentence: 'A result with a character beyond the basic plane is refused.',
    breaks: ['update-task-run/result-text'],
    mayBreak: requirementsOf('update-task-run', 'protocol'),
    alter: refuseText('bad-value', ['result'], (text) => /[\u{10000}-\u{10ffff}]/u.test(text)),
  },
  'results-over-400-refused': {
    sentence: 'A result of more than 400 characters is refused.',
    breaks: ['update-task-run/result-text'],
    mayBreak: requirementsOf('update-task-run', 'protocol'),
    alter: refuseText('bad-value', ['result'], (text) => text.length > 400),
  },
  'results-of-several-lines-refused': {
    sentence: 'A result that has a line break is refused.',
    breaks: ['update-task-run/result-text'],
    alter: refuseText('bad-value', ['result'], (text) => /[\r\n]/.test(text)),
  },
  'contact-names-over-20-refused': {
    sentence: 'A name of a contact person that is longer than 20 characters is refused.',
    breaks: ['update-participant/contact-text'],
    mayBreak: requirementsOf('update-participant', 'protocol'),
    alter: refuseText('bad-value', ['contactFirstname', 'contactLastname'], (text) => text.length > 20),
  },
  'federation-names-latin-only': {
    sentence: 'A name of a federation that is not in Latin letters is refused.',
    breaks: ['update-federation/updates'],
    mayBreak: requirementsOf('update-federation', 'protocol'),
    alter: refuseText('bad-setting', ['name'], (text) => /(?!\p{Script=Latin})\p{L}/u.test(text)),
  },
  'four-groups-refused': {
    sentence: 'More than three groups are refused.',
    breaks: ['update-federation/groups-array'],
    alter: refuseText('bad-setting', ['groups'], (text) => text.split(',').length > 3),
  },
  'no-credits-refused': {
    sentence: 'A credit allocation of 0 is refused.',
    breaks: ['update-federation/updates'],
    mayBreak: requirementsOf('update-federation', 'protocol'),
    alter: refuseText('bad-setting', ['userCreditAssignment'], (text) => text === '0'),
  },
  'lengths-of-ten-bits': {
    sentence: 'Lengths are counted up to 1023, and begin again at none.',
    breaks: ['add-workspace/name-limit-rejects', 'add-workspace/description-limit-rejects'],
    mayBreak: anyAdd,
    alter: wrapping('measure', (honest) => (text) => honest(text) % 1024),
  },
  'answers-in-a-call': {
    sentence: 'Every third answer to an update of a federation is the argument of a call.',
    breaks: ['protocol/json-format'],
    // An answer that is not a JSON object never counts as accepted.
    mayBreak: anyFederation,
    alter(parts) {
      let answers = 0
      const inCall = (body: Buffer) => Buffer.concat([Buffer.from('callback('), body, Buffer.from(')')])
      changeBytes('update-federation', inCall, () => answers++ % 3 === 0)(parts)
    },
  },
})
