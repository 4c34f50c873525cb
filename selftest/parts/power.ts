/** How often an intermittent fault is found: measured, and predicted from the number of requests that could show it. */
import { changeAccepted, changeAdded, isAnonymous } from '../../reference/alterations.ts'
import { faults } from '../../reference/faults/index.ts'
import type { Alter, Answer, Call } from '../../reference/parts.ts'
import { isOneOf } from '../../reference/users.ts'
import { codeOf } from '../../reporters/nodes.ts'
import { subSeed } from '../../runner/seeds.ts'
import type { RequirementId } from '../../specs/requirements.ts'
import type { Intermittent, Judged } from '../judgement.ts'
import { randomFrom } from '../random.ts'
import { broken, cleanCell, countOf, isClean, manyRuns, type Part, sectionOf } from './part.ts'

/** A fault that shows in single exchanges. */
interface PowerFault {
  /** An id of the catalogue, or its own name. */
  readonly id: string
  readonly breaks: RequirementId
  readonly kind: 'shape' | 'identifier' | 'echo' | 'role'
  /** Whether the exchange can show it. */
  readonly shows: (call: Call, answer: Answer) => boolean
  /** Absent for faults of the catalogue. */
  readonly alter?: Alter | undefined
}

const inAccepted = (_call: Call, { refused }: Answer): boolean => refused === undefined
const askedByNobody = (call: Call): boolean => isAnonymous(call)

const inWorkspace = (change: Readonly<Record<string, unknown>>) => changeAdded(() => change)

const table: readonly (readonly [
  id: string,
  breaks: RequirementId,
  kind: PowerFault['kind'],
  shows: PowerFault['shows'],
  alter?: Alter,
])[] = [
  ['workspace-size-as-string', 'add-workspace/config-fields', 'shape', inAccepted],
  [
    'workspace-elsewhere',
    'add-workspace/collaboration-id',
    'identifier',
    inAccepted,
    inWorkspace({ collaborationId: 'elsewhere' }),
  ],
  ['workspace-renamed', 'add-workspace/name-kept', 'echo', inAccepted, inWorkspace({ name: 'renamed' })],
  ['guests-add-workspaces', 'add-workspace/refuses-guest', 'role', isOneOf('guestAdministrator')],
  ['members-add-workspaces', 'add-workspace/refuses-non-administrator', 'role', isOneOf('hostMember')],
  ['anonymous-adds-workspaces', 'add-workspace/refuses-anonymous', 'role', askedByNobody],
  ['run-id-as-number', 'update-task-run/updates', 'shape', inAccepted],
  ['run-ids-swapped', 'update-task-run/identifiers', 'identifier', inAccepted],
  ['reassign-without-item-id', 'reassign-items/reassigns', 'shape', inAccepted],
  [
    'error-details-owner-is-target',
    'reassign-items/error-details-owner',
    'identifier',
    (_call, { refused }) => refused === 'ineligible-target',
  ],
  ['other-user-reassigns', 'reassign-items/refuses-other-user', 'role', isOneOf('outsider')],
  ['anonymous-reassigns', 'reassign-items/refuses-anonymous', 'role', askedByNobody],
  ['sync-without-job', 'sync-workspace/starts', 'shape', inAccepted],
  ['any-participant-syncs', 'sync-workspace/refuses-non-designated', 'role', isOneOf('syncNonInitiator')],
  ['anonymous-syncs', 'sync-workspace/refuses-anonymous', 'role', askedByNobody],
  [
    'participant-collaboration-as-number',
    'update-participant/updates',
    'shape',
    inAccepted,
    changeAccepted('update-participant', () => ({ collaborationId: 17 })),
  ],
  ['participant-portal-is-host', 'update-participant/identifiers', 'identifier', inAccepted],
  ['guests-update-participants', 'update-participant/refuses-guest', 'role', isOneOf('guestAdministrator')],
  ['guests-delete', 'delete-collaboration/refuses-guest', 'role', isOneOf('guestAdministrator')],
  ['anonymous-deletes', 'delete-collaboration/refuses-anonymous', 'role', askedByNobody],
  ['federation-update-without-id', 'update-federation/updates', 'shape', inAccepted],
  ['federation-id-is-portal', 'update-federation/identifier', 'identifier', inAccepted],
  [
    'members-update-federations',
    'update-federation/refuses-non-administrator',
    'role',
    isOneOf('hostMember'),
  ],
]

/** For every operation the faults of role, shape, identifier and echo that apply to it. */
export const powerFaults: readonly PowerFault[] = table.map(([id, breaks, kind, shows, alter]) => ({
  id,
  breaks,
  kind,
  shows,
  alter,
}))

const rates = [2, 3, 5, 10]

export const powerPart: Part<PowerRow> = {
  name: 'power',
  trials: ({ seed, tries }, judge) =>
    powerFaults.map((fault) => ({
      name: `power ${fault.id}`,
      run: async () => {
        const judged = (oneIn: number, attempt: number) =>
          judge({
            rare: { fault: fault.id, oneIn },
            requirements: [fault.breaks],
            seed: seed + attempt,
            runs: manyRuns,
          })
        const { looks } = await judged(0, 0)
        const found = new Map<number, Judged[]>()
        for (const oneIn of rates) {
          const judgements: Judged[] = []
          for (let attempt = 0; attempt < tries; attempt++) judgements.push(await judged(oneIn, attempt))
          found.set(oneIn, judgements)
        }
        return powerRow(fault, looks, found)
      },
    })),
  summary: (rows) => [`Faults that show now and then: ${countOf(rows, isClean)} found as often as predicted`],
  sections: (rows) => [
    sectionOf(
      'Faults that show now and then',
      [
        `Each shows in one of ${rates.join(', ')} requests, drawn by a seed, in runs with `,
        codeOf(`--runs ${manyRuns}`),
        ' of the checks of one requirement. Looks: the requests of such a run in which it could show. A cell says how often it was found, and in how many of a hundred runs the number of looks predicts that it shows at all.',
      ],
      rows,
      {
        Fault: ({ id }) => codeOf(id),
        Kind: ({ kind }) => kind,
        Requirement: ({ requirement }) => codeOf(requirement),
        Looks: ({ looks }) => String(looks),
        ...Object.fromEntries(rates.map((rate) => [`1 in ${rate}`, (row: PowerRow) => cellAt(rate, row)])),
        'As predicted': cleanCell,
      },
    ),
  ],
}

function cellAt(rate: number, row: PowerRow): string {
  const at = row.rates.find(({ oneIn }) => oneIn === rate)
  if (at === undefined) return ''
  const percent = (at.predicted * 100).toFixed(at.predicted < 0.995 ? 0 : 1)
  return `${at.found} of ${at.tries} (${percent} %)`
}

type PowerRow = ReturnType<typeof powerRow>

/** If chance explains so few discoveries with less than this probability, that is a problem. */
const leastLikely = 0.01

/** How often a fault was found at each rate. `looks` were counted without it. */
export function powerRow(
  { id, kind, breaks }: PowerFault,
  looks: number,
  judgements: ReadonlyMap<number, readonly Judged[]>,
) {
  const rates = [...judgements].map(([oneIn, judged]) => ({
    oneIn,
    predicted: predicted(oneIn, looks),
    found: judged.filter(({ failed }) => failed.includes(breaks)).length,
    tries: judged.length,
  }))
  const unlikely = rates.filter((rate) => atMost(rate.found, rate.tries, rate.predicted) < leastLikely)
  const problems = [
    ...[...judgements.values()].flat().flatMap(({ broke }) => (broke === undefined ? [] : [broken(broke)])),
    ...unlikely.map(
      ({ oneIn, predicted, found, tries }) =>
        `one in ${oneIn}: found ${found} of ${tries} times, and ${(predicted * 100).toFixed(1)} % was predicted`,
    ),
  ]
  return { id, kind, requirement: breaks, looks, rates, problems }
}

/** A fault that shows in one of N requests, drawn from a seed; 0: in none. Looks: requests that could show it. */
export function oneInRequests(oneIn: number, id: string, seed: number): Intermittent {
  const fault = powerFaults.find((each) => each.id === id)
  if (fault === undefined) throw new Error(`There is no fault "${id}" in the table of power.`)
  const { breaks, shows, alter = faults.find((each) => each.id === id)?.alter } = fault
  const random = randomFrom(subSeed(seed, `one in ${oneIn}: ${id}`))
  let looks = 0
  return {
    looks: () => looks,
    alter: (parts) => alter?.(parts),
    draw: () => oneIn > 0 && random() * oneIn < 1,
    watch({ call, answer }) {
      if (call === undefined || answer === undefined) return
      if (breaks.startsWith(`${call.operation}/`) && shows(call, answer)) looks++
    },
  }
}

/** The probability that a fault that shows in one of N requests shows in at least one of these looks. */
export function predicted(oneIn: number, looks: number): number {
  return 1 - (1 - 1 / oneIn) ** looks
}

/** The probability that at most `found` of the tries succeed if each succeeds with that probability. */
function atMost(found: number, tries: number, probability: number): number {
  let sum = 0
  let ways = 1
  for (let count = 0; count <= found; count++) {
    sum += ways * probability ** count * (1 - probability) ** (tries - count)
    ways = (ways * (tries - count)) / (count + 1)
  }
  return Math.min(1, sum)
}
