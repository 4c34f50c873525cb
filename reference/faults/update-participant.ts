/** Faults of update-participant. */
import {
  alsoMay,
  changeAccepted,
  changeBytes,
  hasInvalidCredential,
  isAnonymous,
  overlook,
  refuseText,
} from '../alterations.ts'
import type { Call } from '../parts.ts'
import { isGuestAdministrator, isOfHost } from '../users.ts'
import { acceptancesOf, faultsOf, requirementsOf } from './fault.ts'

const operation = 'update-participant'

const echo = ({ params }: Call) => ({
  collaborationId: params.collaborationID,
  portalId: params.participantPortalID,
})

export const updateParticipantFaults = faultsOf({
  'participant-portal-is-host': {
    sentence: "portalId is the id of the host where it is the participant's.",
    breaks: ['update-participant/identifiers'],
    alter: changeAccepted(operation, ({ store }) => ({ portalId: store.portals.host })),
  },
  'participant-success-as-string': {
    sentence: 'success is the string "true".',
    breaks: ['update-participant/updates', 'protocol/success-boolean'],
    // Without a valid `success`, no request of the operation counts as accepted.
    mayBreak: requirementsOf(operation, 'protocol'),
    alter: changeAccepted(operation, () => ({ success: 'true' })),
  },
  'answer-with-trailing-text': {
    sentence: 'Something stands behind the JSON object of the answer to an accepted update.',
    breaks: ['protocol/form-post', 'protocol/json-format', ...acceptancesOf(operation)],
    alter: changeBytes(operation, (body) => Buffer.concat([body, Buffer.from('\nserved in 3 ms')])),
  },
  'guests-update-participants': {
    sentence: "A guest's administrator may update a participant.",
    breaks: ['update-participant/refuses-guest'],
    alter: alsoMay('updateParticipant', isGuestAdministrator),
  },
  'members-update-participants': {
    sentence: 'Any member of the host may update a participant.',
    breaks: ['update-participant/refuses-non-administrator'],
    alter: alsoMay('updateParticipant', isOfHost),
  },
  'anonymous-updates-participants': {
    sentence: 'A participant can be updated without credentials.',
    breaks: ['update-participant/refuses-anonymous'],
    alter: alsoMay('updateParticipant', isAnonymous),
  },
  'any-credential-updates-participants': {
    sentence: 'A participant can be updated with an invalid credential.',
    breaks: ['update-participant/refuses-invalid-credential'],
    alter: alsoMay('updateParticipant', hasInvalidCredential),
  },
  'plus-addresses-refused': {
    sentence: 'An e-mail address with a plus sign is refused.',
    breaks: ['update-participant/contact-text'],
    mayBreak: requirementsOf(operation, 'protocol'),
    alter: refuseText('bad-email', ['contactEmailAddress'], (text) => text.includes('+')),
  },
  'contact-names-ascii-only': {
    sentence: 'Names of contact persons are refused where they hold anything beyond ASCII.',
    breaks: ['update-participant/contact-text'],
    mayBreak: requirementsOf(operation, 'protocol'),
    alter: refuseText('bad-value', ['contactFirstname', 'contactLastname'], (text) =>
      /[^\x00-\x7f]/.test(text),
    ),
  },
  'unknown-participant-accepted': {
    sentence: 'An update of a participant that the collaboration does not have is accepted.',
    breaks: ['update-participant/unknown-participant'],
    alter: overlook(operation, 'unknown-participant', echo),
  },
  'participant-of-other-collaboration-updated': {
    sentence: 'An update of a participant of another collaboration than that of the path is accepted.',
    breaks: ['update-participant/unknown-participant'],
    alter: overlook(operation, 'unknown-participant', echo, ({ store, params }) =>
      [...store.collaborations.values()].some(({ participants }) =>
        participants.has(params.participantPortalID as string),
      ),
    ),
  },
  'participant-of-unknown-collaboration': {
    sentence: 'An update of a participant of a collaboration that does not exist is accepted.',
    breaks: ['update-participant/unknown-collaboration', 'delete-collaboration/gone-after-delete'],
    alter: overlook(operation, 'unknown-collaboration', echo),
  },
})
