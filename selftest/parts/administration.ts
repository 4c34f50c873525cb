/** Self-test with logins alone: deployments that must draw no finding, and faults that only read-back finds. */
import { type Fault, faults, readBackFaults } from '../../reference/faults/index.ts'
import { administrationVariants } from '../../reference/variants/administration.ts'
import { variants } from '../../reference/variants/index.ts'
import type { Opening, Variant } from '../../reference/variants/variant.ts'
import { codeOf, textOf } from '../../reporters/nodes.ts'
import { explains, type Judged, type Logins, linesOf } from '../judgement.ts'
import { faultRow } from './faults.ts'
import {
  type Columns,
  cleanCell,
  codesOf,
  countOf,
  fewRuns,
  isClean,
  type Part,
  rowOf,
  sectionOf,
  tableOf,
  timeCell,
} from './part.ts'

/** A deployment, and the logins that the run gets. */
interface Deployment {
  readonly id: string
  readonly sentence: string
  readonly logins: Logins
  readonly variants?: readonly string[]
  /** What a run must find and blame exactly. Absent: the deployment conforms. */
  readonly fault?: Fault
  /** Checks that may stay untested, and the true reasons. */
  readonly untested?: readonly Opening[]
}

/** Every login that can be given. */
export const twoLogins: Logins = { guest: true, users: 'create' }

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
  {
    id: 'three-logins',
    sentence: 'Logins of the host and of two guests.',
    logins: { ...twoLogins, otherGuest: true },
  },
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

const withFaults = faultsToRead.map((fault): Deployment => {
  const { id, sentence } = fault
  return { id, sentence, logins: { ...twoLogins, otherGuest: true }, fault }
})

export const administrationPart: Part<AdministrationRow> = {
  name: 'administration',
  trials: ({ seed }, judge) =>
    [...administered, ...withFaults].map((deployment) => ({
      name: `administration ${deployment.id}`,
      run: async () => {
        const { logins, variants = [], fault } = deployment
        const faults = fault === undefined ? [] : [fault.id]
        return administrationRow(deployment, await judge({ logins, variants, faults, seed, runs: fewRuns }))
      },
    })),
  restsOnTime: () => true,
  summary(rows) {
    const { kept, broken } = byBreaks(rows)
    return [
      ...(kept.length === 0
        ? []
        : [`Deployments with logins alone: ${countOf(kept, isClean)} clean, with nothing left`]),
      ...(broken.length === 0
        ? []
        : [`Faults that only reading finds: ${countOf(broken, isClean)} found and blamed exactly`]),
    ]
  },
  sections(rows) {
    const { kept, broken } = byBreaks(rows)
    const columns: Columns<AdministrationRow> = {
      Deployment: ({ id }) => codeOf(id),
      'What it is': ({ sentence }) => sentence,
      'Checks passed': ({ passed }) => String(passed),
      'Not tested': ({ untested }) => String(untested),
      Clean: cleanCell,
      Time: timeCell,
    }
    const faults = tableOf('Faults of portals with logins and nothing else', broken, {
      Fault: ({ id }) => codeOf(id),
      'What the portal does': ({ sentence }) => sentence,
      Breaks: ({ breaks }) => codesOf(breaks),
      'Found and blamed': cleanCell,
      Time: timeCell,
    })
    return [
      sectionOf(
        'Logins and nothing else',
        'The run makes its fixtures and users itself. Before and after it all that is there is compared, with things of others that are called like its own: nothing may be left, gone or changed. Deployments that keep the contract: nothing may fail, and what is left untested has the reason that is true there.',
        kept,
        columns,
        [
          textOf(
            'Faults that show where the documented pages are read, in nothing else but the times and ids of answers: each is found, and nothing else is blamed.',
          ),
          faults,
        ],
      ),
    ]
  },
}

type AdministrationRow = ReturnType<typeof administrationRow>

const byBreaks = (rows: readonly AdministrationRow[]) => ({
  kept: rows.filter(({ breaks }) => breaks.length === 0),
  broken: rows.filter(({ breaks }) => breaks.length > 0),
})

/** The row of a deployment with logins alone. */
export function administrationRow(
  { id, sentence, fault, untested = [] }: Omit<Deployment, 'logins'>,
  judged: Judged,
) {
  const { passed, left = ['nothing was compared'] } = judged
  const open = judged.open.filter(({ outcome, why }) => outcome !== 'not-applicable' || why === '')
  const wrong = open.filter(
    (check) =>
      check.outcome !== 'not-tested' ||
      ![alwaysUntested, ...untested].some((opening) => explains(opening, check)),
  )
  const facts = {
    id,
    sentence,
    passed,
    /** The requirements that it breaks. Empty: it conforms. */
    breaks: fault?.breaks ?? [],
    untested: open.filter(({ outcome }) => outcome === 'not-tested').length,
  }
  // Leftovers do not count if the deployment has a fault.
  const problems = fault === undefined ? [...linesOf(wrong), ...left] : faultRow(fault, judged).problems
  return rowOf(judged, facts, problems)
}
