/** Self-test with logins alone: deployments that must draw no finding, and faults that pages of the deployment show. */
import { faults, readBackFaults } from '../../reference/faults/index.ts'
import { administrationVariants } from '../../reference/variants/administration.ts'
import { variants } from '../../reference/variants/index.ts'
import type { Opening, Variant } from '../../reference/variants/variant.ts'
import {
  everyLogin,
  explains,
  fewRuns,
  type Judged,
  type Logins,
  linesOf,
  type Part,
  twoLogins,
} from '../trial.ts'
import { wrongWith } from './faults.ts'

/** A deployment that keeps the contract, and the logins that the run gets. */
interface Deployment {
  readonly id: string
  readonly sentence: string
  readonly logins: Logins
  readonly variants?: readonly string[]
  /** Checks that may stay untested, and the true reasons. */
  readonly untested?: readonly Opening[]
}

/** Nothing promises how long syncs take, and it is advice that a workspace's own syncs do not overlap. */
const alwaysUntested: Opening = {
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

const ofVariant = ({ id, sentence, may }: Variant): Deployment => ({
  id,
  sentence,
  logins: twoLogins,
  variants: [id],
  untested: [may?.['not-tested'] ?? []].flat(),
})

/** Variants that every run can see. */
const alsoByLogins = ['single-use-groups', 'administrators-update-runs']

export const administered: readonly Deployment[] = [
  { id: 'two-logins', sentence: 'Logins of the host and of a guest.', logins: twoLogins },
  { id: 'three-logins', sentence: 'Logins of the host and of two guests.', logins: everyLogin },
  {
    id: 'host-alone',
    sentence: 'The login of the host alone.',
    logins: { guest: false, users: 'create' },
    untested: [noGuest],
  },
  {
    id: 'host-alone-with-two-ids',
    sentence: 'The login of the host alone, which has another id among participants than in paths.',
    logins: { guest: false, users: 'create' },
    variants: ['participants-have-ids-of-their-own'],
    untested: [noGuest],
  },
  {
    id: 'without-users',
    sentence: 'No users may be made.',
    logins: { guest: true, users: 'none' },
    untested: [noUsers],
  },
  {
    id: 'host-alone-without-users',
    sentence: 'The login of the host alone, and no users may be made.',
    logins: { guest: false, users: 'none' },
    untested: [noGuest, noUsers],
  },
  ...administrationVariants.map(ofVariant),
  ...variants.filter(({ id }) => alsoByLogins.includes(id)).map(ofVariant),
]

/** Faults that pages about recorded syncs, pages of a guest, or plain requests at the end of the run show. */
const foundByLogins = [
  'synchronous-sync-returns-at-once',
  'asynchronous-sync-blocks',
  'scheduled-sync-overlapped',
  'asynchronous-sync-ends-scheduled',
  'short-sync-beside-scheduled-one',
  'sync-in-unknown-collaboration',
  'sync-workspace-failed-with-500-one-time-in-four',
]

export const administrationPart: Part = {
  name: 'administration',
  title: 'Logins and nothing else',
  clean: 'as it should be, with nothing left',
  lead: 'The run makes its fixtures and users itself. Deployments that keep the contract: nothing may fail, what is left untested has the reason that is true there, and nothing may be left, gone or changed, with things of others that are called like its own. Faults that pages of the deployment show: each is found, and nothing else is blamed.',
  trials({ seed }) {
    const run = { seed, runs: fewRuns }
    return [
      ...administered.map(({ id, sentence, logins, variants = [], untested = [] }) => ({
        name: `administration ${id}`,
        sentence,
        alteration: { logins, variants, ...run },
        problemsIn: (judged: Judged) => wrongWhereAdministered(untested, judged),
      })),
      ...[...faults, ...readBackFaults]
        .filter(({ id }) => foundByLogins.includes(id))
        .map((fault) => ({
          name: `administration ${fault.id}`,
          sentence: fault.sentence,
          breaks: fault.breaks,
          alteration: { logins: everyLogin, faults: [fault.id], ...run },
          problemsIn: (judged: Judged) => wrongWith(fault, judged),
        })),
    ]
  },
}

/** What is wrong with a run on a deployment that keeps the contract, and where checks may stay untested. */
export function wrongWhereAdministered(untested: readonly Opening[], { open, wrongs }: Judged): string[] {
  const isTrue = (check: Judged['open'][number]) =>
    check.outcome === 'not-applicable'
      ? check.why !== ''
      : check.outcome === 'not-tested' &&
        [alwaysUntested, ...untested].some((opening) => explains(opening, check))
  return [...linesOf(open.filter((check) => !isTrue(check))), ...wrongs]
}
