/** Faults that show only in some requests and values: by parameters, caller or what was before; in texts that mean something elsewhere, at several limits. */
import {
  around,
  changeAccepted,
  changeBytes,
  changeDetails,
  changeParts,
  changeView,
  lastAsked,
  overlook,
  refuseText,
  refuseWhen,
  replacing,
  seenBefore,
  startBeside,
  wrapping,
} from '../alterations.ts'
import { isOwner, itemsIn } from '../handlers.ts'
import type { Call } from '../parts.ts'
import { escapeHtml } from '../rendering.ts'
import { faultsOf, limitsAccept, requirementsOf, textsKept } from './fault.ts'
import { takeAnyNumber } from './reassign-items.ts'
import { echo } from './update-task-run.ts'

const name = 'collaborationWorkspaceName'
const description = 'collaborationWorkspaceDescription'

/** Whatever valid request a check sends may carry a value that is wrongly treated. */
const anyAdd = requirementsOf('add-workspace', 'protocol')
const anyFederation = requirementsOf('update-federation', 'protocol')

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
    sentence: 'The limit on names is looked at only where a description is sent.',
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

/** The text with each astral character as two surrogates, which is no UTF-8. */
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

const namesFolder = ({ form }: Call) => form.get('targetFoldername') !== undefined

export const rareRequestFaults = faultsOf({
  'ineligible-target-accepted-with-folder': {
    sentence: 'Where a folder is named, items go to a user who may not receive them.',
    breaks: ['reassign-items/ineligible-target'],
    // Without a refusal there is no error to look at.
    mayBreak: requirementsOf(reassign).filter((id) => id.includes('/error-')),
    alter: changeParts(reassign, namesFolder, { eligible: () => true }),
  },
  'ineligible-target-accepted-for-owner': {
    sentence: 'An owner may give items to a user who may not receive them.',
    breaks: ['reassign-items/ineligible-target'],
    alter: changeParts(reassign, isOwner, { eligible: () => true }),
  },
  'too-many-items-with-folder': {
    sentence: 'Where a folder is named, more than 100 items are accepted.',
    breaks: ['reassign-items/items-limit-rejects'],
    alter: takeAnyNumber(namesFolder),
  },
  'item-id-missing-without-folder': {
    sentence: 'The answer has no itemId where no folder was named.',
    breaks: ['reassign-items/reassigns'],
    alter: changeAccepted(reassign, (call) => (namesFolder(call) ? {} : { itemId: undefined })),
  },
  'error-details-owner-is-former': {
    sentence: 'owner in error.details is the owner that the item had when somebody first asked for it.',
    breaks: ['reassign-items/error-details-owner'],
    alter(parts) {
      const first = new Map<unknown, string>()
      around(reassign, (call, honest) => {
        for (const { id, owner } of itemsIn(call)) if (!first.has(id)) first.set(id, owner)
        return honest()
      })(parts)
      changeDetails(({ itemId }) => ({ owner: first.get(itemId) }))(parts)
    },
  },
  'empty-run-status-accepted': {
    sentence: 'An empty status is accepted, although the list is closed.',
    breaks: ['update-task-run/statuses'],
    alter: overlook('update-task-run', 'missing-status', echo, ({ form }) => form.get('status') === ''),
  },
  'syncs-overlap-after-refusal': {
    sentence: 'Once a second sync was refused, a third one starts while the first is in progress.',
    breaks: ['sync-workspace/one-at-a-time'],
    alter: (parts) => startBeside(seenBefore())(parts),
  },
  'synchronous-sync-leaves-lock': {
    sentence: 'After a synchronous sync every further one is refused.',
    breaks: ['sync-workspace/after-finish'],
    alter: wrapping('syncGate', (honest, parts) => {
      const locked = new WeakSet<object>()
      return (call, workspace) => {
        if (locked.has(workspace)) return parts.refuse('sync-running')
        const instead = honest(call, workspace)
        if (instead === undefined && call.form.get(parts.sync.parameter) === parts.sync.synchronous)
          locked.add(workspace)
        return instead
      }
    }),
  },
})
