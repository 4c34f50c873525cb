import type { Requirement } from '../requirement.ts'

/** What a profile can add; judged only where it does, and apart from the contract. */
export const profileRequirements = [
  {
    id: 'profile/no-credential-code',
    level: 'must (profile)',
    section: '5',
    operation: 'profile',
    kind: 'roles',
    text: 'A request without credentials is refused with an error code that the profile lists for it.',
  },
  {
    id: 'profile/invalid-credential-code',
    level: 'must (profile)',
    section: '5',
    operation: 'profile',
    kind: 'roles',
    text: 'A credential that nobody was given is refused with an error code that the profile lists for it.',
  },
  {
    id: 'profile/not-permitted-code',
    level: 'must (profile)',
    section: '5',
    operation: 'profile',
    kind: 'roles',
    text: 'A caller who may not perform the operation is refused with an error code that the profile lists for it.',
  },
  {
    id: 'profile/sign-up-modes-closed',
    level: 'must (profile)',
    section: '4.7',
    operation: 'profile',
    kind: 'limits',
    text: 'A signUpMode that the profile does not list is refused.',
  },
  {
    id: 'profile/user-types-closed',
    level: 'must (profile)',
    section: '4.7',
    operation: 'profile',
    kind: 'limits',
    text: 'A userType that the profile does not list is refused.',
  },
  {
    id: 'profile/own-syncs-one-at-a-time',
    level: 'must (profile)',
    section: '4.4',
    operation: 'profile',
    kind: 'order',
    text: 'Where the profile says that syncs do not overlap: while a sync that somebody asked for is in progress a new one of that workspace is not started until it has finished.',
  },
] as const satisfies readonly Requirement[]
