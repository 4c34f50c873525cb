import { advice, clausesOf, implied, must, type Operation, open } from '../operation.ts'

/** §4.7 with §5. */
export const updateFederation = {
  id: 'update-federation',
  title: 'Update SAML federation',
  section: '4.7',
  conformanceClass: 'federation',
  path: '/portals/{portalID}/idp/federation/{federationID}/update',
  parameters: [
    open('name'),
    open('discoveryServiceUrl'),
    open('metadataServiceUrl'),
    open('certificate'),
    open('entityId'),
    open('userCreditAssignment'),
    open('groups'),
    open('signUpMode'),
    open('roleId'),
    open('userLicenseType'),
    open('userType'),
    open('f'),
  ],
  callers: 'an organization administrator',
  calledBy: 'organizationAdministrator',
  on: 'federation',
  effect: 'overwrites the settings of the enterprise login federation that the fixture provider names',
  requirements: clausesOf({
    'update-federation/updates': {
      ...must('4.7', 'shape'),
      text: 'An organization administrator can update the federation; the answer has federationId as a string.',
    },
    'update-federation/identifier': {
      ...must('4.7', 'relations'),
      echoes: [['federationId', 'federationID']],
      text: 'federationId is the federation of the path.',
    },
    'update-federation/groups-array': {
      ...must('4.7', 'limits'),
      text: 'groups is given as an array of group ids in a form field: one id and several ids are accepted.',
    },
    'update-federation/sign-up-mode': {
      ...must('4.7', 'limits'),
      text: 'signUpMode=Automatic is accepted, or each value that the profile lists.',
    },
    'update-federation/user-type': {
      ...must('4.7', 'limits'),
      text: 'userType=platformonly is accepted, or each value that the profile lists.',
    },
    'update-federation/certificate': {
      ...must('4.7', 'limits'),
      text: 'The Base64 text of a certificate, with its + / =, is accepted.',
    },
    'update-federation/idempotent': {
      ...advice('4.7', 'order'),
      text: 'The same settings sent twice are accepted twice.',
    },
    'update-federation/refuses-non-administrator': {
      ...must('5', 'roles'),
      refuses: ['hostMember'],
      text: 'A member of the organization without administrative rights is refused.',
    },
    'update-federation/refuses-anonymous': {
      ...must('5', 'roles'),
      refuses: ['anonymous'],
      text: 'A request without credentials is refused.',
    },
    'update-federation/refuses-invalid-credential': {
      ...implied('5', 'roles'),
      refuses: ['impostor'],
      text: 'An invalid credential is refused.',
      follows: 'Only an organization administrator may update the federation (§5).',
    },
    'update-federation/refuses-other-organization': {
      ...implied('5', 'roles'),
      refuses: ['guestAdministrator'],
      text: 'The administrator of another organization is refused.',
      follows: 'The federation belongs to one organization (§4.7), and its administrator may update it (§5).',
    },
    'update-federation/unknown-federation': {
      ...implied('4.7', 'relations'),
      mustExist: ['federationID'],
      text: 'A federation that does not exist is refused.',
      follows: 'The operation edits the federation of the path (§4.7).',
    },
    'update-federation/bad-input': {
      ...advice('4.7', 'limits'),
      text: 'No URL where a URL belongs, no integer where credits belong, no Base64 where a certificate belongs: refused.',
    },
  }),
} as const satisfies Operation
