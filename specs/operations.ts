/** The operations of the contract (§4), in its order, and which of them a release or an edition has (§9). */
import type { Edition, Operation } from './operation.ts'
import { addWorkspace } from './operations/add-workspace.ts'
import { deleteCollaboration } from './operations/delete-collaboration.ts'
import { reassignItems } from './operations/reassign-items.ts'
import { syncWorkspace } from './operations/sync-workspace.ts'
import { updateFederation } from './operations/update-federation.ts'
import { updateParticipant } from './operations/update-participant.ts'
import { updateTaskRun } from './operations/update-task-run.ts'

export const operations = [
  addWorkspace,
  updateTaskRun,
  reassignItems,
  syncWorkspace,
  updateParticipant,
  deleteCollaboration,
  updateFederation,
] as const

/** One of the operations, with its literal values: an actor or a fixture that no one knows does not compile where it is used. */
export type KnownOperation = (typeof operations)[number]

export type OperationId = KnownOperation['id']

export const operationIds: readonly OperationId[] = operations.map(({ id }) => id)

/** The operation of that id. */
export function operationOf(id: OperationId): Operation & KnownOperation {
  return operations.find((operation) => operation.id === id) as KnownOperation
}

/** What a deployment is, if known. */
export interface ReleaseOf {
  readonly version?: string | undefined
  readonly edition?: Edition | undefined
}

/** Why a deployment does not have an operation. */
export type Absence = 'release' | 'edition'

/** Why the operation does not exist in that release and edition; undefined: it does, or nothing is known. */
export function absenceOf({ introduced }: Operation, { version, edition }: ReleaseOf): Absence | undefined {
  if (introduced === undefined) return undefined
  if (edition !== undefined && introduced.editions !== undefined && !introduced.editions.includes(edition))
    return 'edition'
  if (version === undefined || compareReleases(version, introduced.release) >= 0) return undefined
  return 'release'
}

/** Negative where release a is before b: numbers between the dots are compared. */
export function compareReleases(a: string, b: string): number {
  const [left, right] = [a, b].map((release) =>
    release.split('.').map((part) => Number.parseInt(part, 10) || 0),
  )
  for (let at = 0; at < Math.max(left!.length, right!.length); at += 1) {
    const difference = (left![at] ?? 0) - (right![at] ?? 0)
    if (difference !== 0) return difference
  }
  return 0
}

/** How many of the operations are judged, and why the others are not. */
export interface Coverage {
  readonly judged: number
  readonly of: number
  /** `release 10.5 has no reassign-items and no update-task-run`. */
  readonly why: string
}

/** The coverage where the release or the edition lacks operations that `isLeftOut` names; undefined: none is left out for that. */
export function coverageOf(target: ReleaseOf, isLeftOut: (id: OperationId) => boolean): Coverage | undefined {
  const without = (absence: Absence): readonly OperationId[] =>
    operationIds.filter((id) => absenceOf(operationOf(id), target) === absence && isLeftOut(id))
  const [byRelease, byEdition] = [without('release'), without('edition')]
  const count = byRelease.length + byEdition.length
  if (count === 0) return undefined
  const why = [
    ...(byRelease.length === 0 ? [] : [`release ${target.version} has ${noneOf(byRelease)}`]),
    ...(byEdition.length === 0 ? [] : [`the ${target.edition} edition has ${noneOf(byEdition)}`]),
  ]
  return { judged: operationIds.length - count, of: operationIds.length, why: why.join('; ') }
}

/** `no reassign-items, no sync-workspace and no update-task-run`. */
function noneOf(ids: readonly OperationId[]): string {
  const each = [...ids].sort().map((id) => `no ${id}`)
  return [each.slice(0, -1).join(', '), each.at(-1)].filter((part) => part !== '').join(' and ')
}
