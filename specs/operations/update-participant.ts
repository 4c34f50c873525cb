import { advice, clausesOf, implied, must, type Operation, open } from '../operation.ts'

/** §4.5 with §5. */
export const updateParticipant = {
  id: 'update-participant',
  title: 'Update participant information',
  section: '4.5',
  conformanceClass: 'host',
  path: '/portals/{portalID}/collaborations/{collaborationID}/participants/{participantPortalID}/updateInfo',
  parameters: [open('contactFirstname'), open('contactLastname'), open('contactEmailAddress'), open('f')],
  introduced: { release: '10.5' },
  callers: 'an administrator of the host',
  calledBy: 'hostAdministrator',
  on: 'participant',
  effect: 'overwrites the contact of participants in collaborations of the fixture provider',
  requirements: clausesOf({
    'update-participant/updates': {
      ...must('4.5', 'shape'),
      text: 'An update of first name, last name and e-mail address is accepted on the path with one participants segment.',
    },
    'update-participant/identifiers': {
      ...must('4.5', 'relations'),
      echoes: [
        ['collaborationId', 'collaborationID'],
        ['portalId', 'participantPortalID'],
      ],
      text: 'collaborationId and portalId are the collaboration and the participant of the path.',
    },
    'update-participant/contact-text': {
      ...implied('4.5', 'limits'),
      text: 'Ordinary names in any script and ordinary addresses, plus-addressing included, are accepted.',
      follows: 'Names and address of a contact person are strings, and no rule narrows them (§4.5).',
    },
    'update-participant/refuses-guest': {
      ...must('5', 'roles'),
      refuses: ['guestAdministrator'],
      text: "Only an administrator of the host updates a participant: a guest's administrator is refused.",
    },
    'update-participant/refuses-non-administrator': {
      ...must('5', 'roles'),
      refuses: ['hostMember'],
      text: 'A member of the host without administrative rights is refused.',
    },
    'update-participant/refuses-anonymous': {
      ...must('5', 'roles'),
      refuses: ['anonymous'],
      text: 'A request without credentials is refused.',
    },
    'update-participant/refuses-invalid-credential': {
      ...implied('5', 'roles'),
      refuses: ['impostor'],
      text: 'An invalid credential is refused.',
      follows: 'Only an administrator of the host may update a participant (§5).',
    },
    'update-participant/unknown-participant': {
      ...implied('4.5', 'relations'),
      mustExist: ['participantPortalID'],
      belongs: 'participantPortalID',
      text: 'A participant that the collaboration does not have is refused, also one who takes part in another only.',
      follows: 'The operation updates one participant of the collaboration (§4.5).',
    },
    'update-participant/unknown-collaboration': {
      ...implied('4.5', 'relations'),
      mustExist: ['collaborationID'],
      text: 'A collaboration that does not exist is refused.',
      follows: 'The operation updates one participant of the collaboration (§4.5).',
    },
    'update-participant/bad-email': {
      ...advice('4.5', 'limits'),
      text: 'An address that cannot be an e-mail address is refused.',
    },
  }),
} as const satisfies Operation
