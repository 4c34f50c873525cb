import { advice, clausesOf, implied, must, type Operation, open } from '../operation.ts'

/** §4.6 with §5. */
export const deleteCollaboration = {
  id: 'delete-collaboration',
  title: 'Delete collaboration',
  section: '4.6',
  conformanceClass: 'host',
  path: '/portals/{portalID}/collaborations/{collaborationID}/delete',
  parameters: [open('f')],
  callers: 'an administrator of the host',
  calledBy: 'hostAdministrator',
  on: 'collaboration',
  usesUp: true,
  effect: 'deletes collaborations of the fixture provider, with what they share',
  requirements: clausesOf({
    'delete-collaboration/deletes': {
      ...must('4.6', 'shape'),
      text: 'A host administrator can delete a collaboration.',
    },
    'delete-collaboration/refuses-guest': {
      ...must('4.6', 'roles'),
      refuses: ['guestAdministrator'],
      text: "Guests cannot delete collaborations: a guest's administrator is refused.",
    },
    'delete-collaboration/refuses-non-administrator': {
      ...must('5', 'roles'),
      refuses: ['hostMember'],
      text: 'A member of the host without administrative rights is refused.',
    },
    'delete-collaboration/refuses-anonymous': {
      ...must('5', 'roles'),
      refuses: ['anonymous'],
      text: 'A request without credentials is refused.',
    },
    'delete-collaboration/refused-delete-has-no-effect': {
      ...implied('4.6', 'consequences'),
      text: 'After a refused delete the collaboration lives: it still takes a workspace.',
      follows: 'Guests cannot delete collaborations (§4.6), so what they ask has no effect.',
    },
    'delete-collaboration/gone-after-delete': {
      ...implied('4.6', 'consequences'),
      text: 'After the delete the collaboration takes no workspace and no participant update.',
      follows: 'The operation deletes the collaboration from the host portal (§4.6).',
    },
    'delete-collaboration/refuses-invalid-credential': {
      ...implied('5', 'roles'),
      refuses: ['impostor'],
      text: 'An invalid credential is refused, and the request has no effect.',
      follows: 'Only an administrator of the host may delete a collaboration (§5).',
    },
    'delete-collaboration/delete-twice': {
      ...advice('4.6', 'consequences'),
      text: 'A second delete of the same collaboration is refused.',
    },
    'delete-collaboration/sharing-stops': {
      ...must('4.6', 'consequences'),
      text: 'Deleting stops the sharing: after the next refresh of the guest none of the workspaces can be synced.',
      settledBy: 'guest-refresh',
    },
    'delete-collaboration/others-unaffected': {
      ...implied('4.6', 'consequences'),
      text: 'Another collaboration lives on.',
      follows: 'The operation deletes the collaboration of the path (§4.6) and no other.',
    },
    'delete-collaboration/unknown-collaboration': {
      ...advice('4.6', 'relations'),
      mustExist: ['collaborationID'],
      text: 'A collaboration that does not exist is refused.',
    },
    'delete-collaboration/concurrent-once': {
      ...advice('4.6', 'races'),
      text: 'Of simultaneous deletes of one collaboration one is accepted.',
    },
  }),
} as const satisfies Operation
