/** Self-test with logins alone: deployments that must draw no finding, and faults that only read-back finds. */

import type { Opening, Variant } from '../reference/alterations.ts'
import type { Fault } from '../reference/faults/fault.ts'
import { faults } from '../reference/faults/index.ts'
import { readBackFaults } from '../reference/faults/read-back.ts'
import { administrationVariants } from '../reference/variants/administration.ts'
import { variants } from '../reference/variants/index.ts'
import { withoutUndefined } from '../schemas/values.ts'
import type { Logins } from './judge-portal.ts'

/** A conforming deployment, and the logins for it. */
interface Administered {
  readonly id: string
  readonly sentence: string
  readonly logins: Logins
  readonly variants: readonly string[]
  /** Checks that may stay untested, and the true reasons. */
  readonly untested?: Opening
}

/** Every login that can be given. */
export const twoLogins: Logins = { guest: true, users: 'create' }

/** Nothing promises how long syncs take, and it is advice that a workspace's own syncs do not overlap. */
export const alwaysUntested: Opening = {
  requirements: ['sync-workspace/own-syncs-one-at-a-time'],
  because: /has no minimumSyncMs/,
}

const noGuest: Opening = {
  requirements: ['**'],
  because: /^no actor (?:\w+, )*(?:syncInitiator|guestAdministrator)\b/,
}
const noUsers: Opening = {
  requirements: ['**'],
  because: /^no actor (?:\w+, )*(?:hostMember|customAdministrator|itemOwner\w*|outsider)\b|users is none/,
}
const neither: Opening = {
  requirements: ['**'],
  because: new RegExp(`${noGuest.because.source}|${noUsers.because.source}`),
}

const ofVariant = ({ id, sentence, may }: Variant): Administered =>
  withoutUndefined({ id, sentence, logins: twoLogins, variants: [id], untested: may?.['not-tested'] })

/** Variants that every run can see. */
const alsoByLogins = ['single-use-groups', 'administrators-update-runs']

export const administered: readonly Administered[] = [
  { id: 'two-logins', sentence: 'Logins of the host and of a guest.', logins: twoLogins, variants: [] },
  {
    id: 'three-logins',
    sentence: 'Logins of the host and of two guests.',
    logins: { ...twoLogins, otherGuest: true },
    variants: [],
  },
  {
    id: 'host-alone',
    sentence: 'The login of the host alone.',
    logins: { guest: false, users: 'create' },
    variants: [],
    untested: noGuest,
  },
  {
    id: 'host-alone-with-two-ids',
    sentence: 'The login of the host alone, which has another id among participants than in paths.',
    logins: { guest: false, users: 'create' },
    variants: ['participants-have-ids-of-their-own'],
    untested: noGuest,
  },
  {
    id: 'without-users',
    sentence: 'No users may be made.',
    logins: { guest: true, users: 'none' },
    variants: [],
    untested: noUsers,
  },
  {
    id: 'host-alone-without-users',
    sentence: 'The login of the host alone, and no users may be made.',
    logins: { guest: false, users: 'none' },
    variants: [],
    untested: neither,
  },
  ...administrationVariants.map(ofVariant),
  ...variants.filter(({ id }) => alsoByLogins.includes(id)).map(ofVariant),
]

/** Other faults that show in recorded syncs or at a guest. */
const alsoByReading = [
  'synchronous-sync-returns-at-once',
  'asynchronous-sync-blocks',
  'scheduled-sync-overlapped',
  'asynchronous-sync-ends-scheduled',
  'sync-in-unknown-collaboration',
]

export const faultsToRead: readonly Fault[] = [
  ...readBackFaults,
  ...faults.filter(({ id }) => alsoByReading.includes(id)),
]
