/** Faults that show only in unusual values: other lengths and scripts, longer lists, absent parameters, odd times. */
import {
  afterEachDelete,
  all,
  around,
  changeAccepted,
  changeAdded,
  changeBytes,
  changeDetails,
  changeParts,
  changeView,
  mixedUp,
  refuseText,
  refuseWhen,
  remembering,
  replacing,
  wrapping,
} from '../alterations.ts'
import { isOwner, itemIdsIn } from '../handlers.ts'
import type { Alter, Call } from '../parts.ts'
import { escapeHtml } from '../rendering.ts'
import {
  anyRequestOf,
  faultsOf,
  hasNoDescription,
  limitsAccept,
  metByAny,
  namesFolder,
  requirementsOf,
} from './fault.ts'
import { takeAnyNumber } from './reassign-items.ts'
import { changed, places, refused } from './texts.ts'

const add = 'add-workspace'
const reassign = 'reassign-items'
const name = 'collaborationWorkspaceName'
const description = 'collaborationWorkspaceDescription'

const anyAdd = anyRequestOf(add)
const anyFederation = anyRequestOf('update-federation')

/** Faults in texts that have a special meaning elsewhere, and at limits. */
export const rareValueFaults = faultsOf({
  'scalar-names-become-scalars': {
    sentence: 'A name that reads like a number, a boolean or null comes back as one.',
    breaks: ['add-workspace/workspace-fields'],
    alter: changeView(({ name }) =>
      /^(?:true|false|null|[1-9]\d*)$/.test(name) ? { name: JSON.parse(name) } : {},
    ),
  },
  ...changed(anyAdd, {
    'placeholders-filled-in': [
      'What looks like a placeholder of printf vanishes from names and descriptions.',
      /%[sd]/g,
      '',
    ],
    'percent-signs-doubled': ['Percent signs of names and descriptions come back twice.', /%/g, '%%'],
  }),
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
      add,
      'name-too-long',
      ({ form, parts }) => parts.measure(`${form.get(name)}${form.get(description)}`) > 340,
    ),
  },
  'name-limit-needs-description': {
    sentence: 'The limit on names is checked only where a description is sent.',
    breaks: ['add-workspace/name-limit-rejects'],
    alter: changeParts(add, hasNoDescription, { fits: () => true }),
  },
  'astral-characters-as-surrogates': {
    sentence:
      'Characters beyond the Basic Multilingual Plane are written as two surrogates of three bytes each.',
    breaks: ['protocol/json-format'],
    mayBreak: anyAdd,
    alter: changeBytes(add, surrogatesApart),
  },
  'participant-answers-mixed-up': {
    sentence: 'Of simultaneous updates all are answered with the collaboration of the last one.',
    breaks: ['update-participant/identifiers'],
    alter: mixedUp('update-participant', ({ params }) => ({ collaborationId: params.collaborationID })),
  },
  ...refused(places.contactNames, {
    'one-letter-names-refused': ['A name of a contact person that has one character is refused.', /^.$/s],
  }),
  ...refused(places.certificates, {
    'certificate-over-1500-refused': ['A certificate of more than 1500 characters is refused.', /.{1501}/s],
    'certificate-padding-refused': [
      'A certificate whose Base64 text ends with an equals sign is refused.',
      /=$/,
    ],
  }),
  ...refused(places.entityIds, {
    'entity-id-must-be-url': ['An entity ID that is a URN is refused.', /^urn:/],
  }),
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

const hourMs = 3_600_000

/** Omits the type from the entries of `error.details`, for callers with this role. */
const detailsWithoutType = (role: string): Alter =>
  remembering(
    () => new Map<unknown, string | undefined>(),
    (roles) =>
      all(
        around(reassign, (call, honest) => {
          for (const id of itemIdsIn(call)) roles.set(id, call.user?.role)
          return honest()
        }),
        changeDetails(({ itemId }) => (roles.get(itemId) === role ? { type: undefined } : {})),
      ),
  )

/** Refuses a reassignment of more than this many items. */
const refuseMoreThan = (most: number, concerns: (call: Call) => boolean): Alter =>
  refuseWhen(reassign, 'too-many-items', (call) => itemIdsIn(call).length > most && concerns(call))

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
    alter: refuseMoreThan(4, namesFolder),
  },
  'owners-give-25-at-most': {
    sentence: 'An owner without administrative privileges may give 25 items away at most.',
    breaks: ['reassign-items/allows-owner'],
    mayBreak: ['reassign-items/items-limit-accepts'],
    alter: refuseMoreThan(25, isOwner),
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
    alter: changeAdded((call) => (hasNoDescription(call) ? { description: null } : {})),
  },
  'created-is-constant': {
    sentence: 'created and modified are the time at which the portal started.',
    breaks: ['add-workspace/timestamps'],
    alter: remembering(Date.now, (started) => changeView(() => ({ created: started, modified: started }))),
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
      afterEachDelete((_, { workspaces }) => void free.push(...workspaces.keys()))(parts)
      const { newId } = parts
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
  ...refused(places.longWorkspaceNames, {
    'names-over-255-bytes-refused': [
      'A name of more than 255 bytes in UTF-8 is refused.',
      (text) => Buffer.byteLength(text) > 255,
    ],
  }),
  'names-cut-inside-a-character': {
    sentence: 'Names are cut after 255 bytes of UTF-8, be that within a character.',
    ...metByAny('add-workspace/name-kept'),
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
    alter: changeBytes(add, (body) => Buffer.from(body.toString('utf8').replaceAll('\\"', '"'))),
  },
  'quotes-of-descriptions-not-escaped': {
    sentence: 'Quotes of a description stand in the answer without a backslash.',
    breaks: ['protocol/json-format'],
    mayBreak: anyAdd,
    alter: changeBytes(add, (body) => {
      const descriptions = /("description":\s*")((?:[^"\\]|\\.)*)/
      const unescaped = (_: string, field: string, text: string) => field + text.replaceAll('\\"', '"')
      return Buffer.from(body.toString('utf8').replace(descriptions, unescaped))
    }),
  },
  ...refused(places.results, {
    'astral-results-refused': [
      'A result with a character beyond the basic plane is refused.',
      /[\u{10000}-\u{10ffff}]/u,
    ],
    'results-over-400-refused': ['A result of more than 400 characters is refused.', /.{401}/s],
  }),
  'results-of-several-lines-refused': {
    sentence: 'A result that has a line break is refused.',
    breaks: ['update-task-run/result-text'],
    alter: refuseText('bad-value', ['result'], (text) => /[\r\n]/.test(text)),
  },
  ...refused(places.contactNames, {
    'contact-names-over-20-refused': [
      'A name of a contact person that is longer than 20 characters is refused.',
      /.{21}/s,
    ],
  }),
  ...refused(places.federationNames, {
    'federation-names-latin-only': [
      'A name of a federation that is not in Latin letters is refused.',
      /(?!\p{Script=Latin})\p{L}/u,
    ],
  }),
  'four-groups-refused': {
    sentence: 'More than three groups are refused.',
    breaks: ['update-federation/groups-array'],
    alter: refuseText('bad-setting', ['groups'], (text) => text.split(',').length > 3),
  },
  ...refused(places.credits, {
    'no-credits-refused': ['A credit allocation of 0 is refused.', /^0$/],
  }),
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
