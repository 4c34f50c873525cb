/** How often an intermittent fault is found: measured, and predicted from the number of requests that could show it. */
import { changeAccepted, changeAdded, isAnonymous } from '../reference/alterations.ts'
import type { Served } from '../reference/application.ts'
import { faults } from '../reference/faults/index.ts'
import type { Alter, Answer, Call, Parts } from '../reference/parts.ts'
import { isOneOf } from '../reference/users.ts'
import { subSeed } from '../runner/seeds.ts'
import { withoutUndefined } from '../schemas/values.ts'
import type { OperationId } from '../specs/operations.ts'
import type { RequirementId } from '../specs/requirements.ts'
import { randomFrom } from './random.ts'

type Kind = 'shape' | 'identifier' | 'echo' | 'role'

/** A fault that shows in single exchanges. */
export interface PowerFault {
  /** An id of the catalogue, or its own name. */
  readonly id: string
  readonly operation: OperationId
  readonly kind: Kind
  readonly breaks: RequirementId
  /** Absent for faults of the catalogue. */
  readonly alter?: Alter
  /** Whether the exchange can show it. */
  readonly shows: (call: Call, answer: Answer) => boolean
}

const inAccepted = (_call: Call, { refused }: Answer): boolean => refused === undefined
const askedByNobody = (call: Call): boolean => isAnonymous(call)

const inWorkspace = (change: Readonly<Record<string, unknown>>) => changeAdded(() => change)

type Row = readonly [
  id: string,
  breaks: RequirementId,
  kind: Kind,
  shows: PowerFault['shows'],
  alter?: PowerFault['alter'],
]

const rows: readonly Row[] = [
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
export const powerFaults: readonly PowerFault[] = rows.map(([id, breaks, kind, shows, alter]) =>
  withoutUndefined({ id, breaks, kind, shows, operation: breaks.split('/')[0] as OperationId, alter }),
)

/** A fault that shows in one of N requests, drawn from a seed. Counts the requests that could show it. */
export class Rarity {
  looks = 0
  readonly #fault: PowerFault
  readonly #oneIn: number
  readonly #random: () => number

  /** `oneIn` 0: never. */
  constructor(id: string, oneIn: number, seed: number) {
    const fault = powerFaults.find((each) => each.id === id)
    if (fault === undefined) throw new Error(`There is no fault "${id}" in the table of power.`)
    this.#fault = fault
    this.#oneIn = oneIn
    this.#random = randomFrom(subSeed(seed, `one in ${oneIn}: ${id}`))
  }

  readonly alter = (parts: Parts): void => {
    const { id, alter = faults.find((fault) => fault.id === id)?.alter } = this.#fault
    alter?.(parts)
  }

  readonly draw = (): boolean => this.#oneIn > 0 && this.#random() * this.#oneIn < 1

  readonly watch = ({ call, answer }: Served): void => {
    if (call?.operation !== this.#fault.operation || answer === undefined) return
    if (this.#fault.shows(call, answer)) this.looks++
  }
}

/** The probability that a fault that shows in one of N requests shows in at least one of these looks. */
export function predicted(oneIn: number, looks: number): number {
  return 1 - (1 - 1 / oneIn) ** looks
}

/** The probability that at most `found` of the tries succeed if each succeeds with that probability. */
export function atMost(found: number, tries: number, probability: number): number {
  let sum = 0
  let ways = 1
  for (let count = 0; count <= found; count++) {
    sum += ways * probability ** count * (1 - probability) ** (tries - count)
    ways = (ways * (tries - count)) / (count + 1)
  }
  return Math.min(1, sum)
}
