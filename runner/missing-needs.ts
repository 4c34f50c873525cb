/** What a configuration lacks for a check. Pure. */

import type { ActorName, Configuration } from '../deployment/configuration/configuration.ts'
import type { FixtureKind } from '../deployment/fixtures/fixture-kinds.ts'
import type { OpenPointId } from '../specs/open-points.ts'
import { type OperationId, operationOf } from '../specs/operations.ts'
import type { CheckDefinition } from './check.ts'
import { missingInRelease } from './releases.ts'

/** Everything that would have to be added for the check, not only what its reason names. */
export function lacking(check: CheckDefinition, configuration: Configuration): string[] {
  const low = tooLowToOverlap(check, configuration)
  return [
    ...forbidden(check, configuration).map((operation) => `effects.${operation}`),
    ...missingActors(check, configuration).map((actor) =>
      configuration.absent?.[actor] === undefined ? `actors.${actor}` : `actors.${actor}.credential`,
    ),
    ...unsettled(check, configuration).map(({ key }) => key),
    ...missingFixtures(check, configuration).map((kind) => `fixtures.${kind}`),
    ...(wantsAnother(check, configuration) ? ['fixtures.collaboration'] : []),
    ...(low === undefined ? [] : [`http.${low}`]),
  ]
}

/** What a check deletes serves no other check: a list of one is not enough for both. */
const wantsAnother = ({ operations }: CheckDefinition, { fixtures }: Configuration): boolean =>
  operations.includes('delete-collaboration') &&
  fixtures !== undefined &&
  'static' in fixtures &&
  fixtures.static.collaboration?.length === 1

/** Operations of the check that may not be performed on this deployment. */
export function forbidden(check: CheckDefinition, { effects, target }: Configuration): OperationId[] {
  const there = (id: OperationId): boolean => missingInRelease(operationOf(id), id, target) === undefined
  return check.operations.filter((operation) => !effects.includes(operation) && there(operation))
}

export const missingActors = (check: CheckDefinition, { actors }: Configuration): ActorName[] =>
  check.actors.filter((actor) => actors[actor] === undefined)

interface Settling {
  readonly is: (configuration: Configuration) => boolean
  readonly key: string
  readonly how: string
  /** Where it is not settled, the clause says nothing of this deployment: not applicable, rather than not tested. */
  readonly otherwise?: 'not-applicable'
}

const settling: Partial<Record<OpenPointId, Settling>> = {
  'sync-mode': {
    is: ({ contract }) => contract.sync !== undefined,
    key: 'contract.sync',
    how: 'the sync mode parameter is not settled: add contract.sync with parameter, synchronous and asynchronous',
  },
  'run-statuses': {
    is: ({ contract }) => contract.run !== undefined,
    key: 'contract.run.statuses',
    otherwise: 'not-applicable',
    how: 'the run statuses are not settled: add contract.run.statuses',
  },
  'new-workspaces': {
    is: ({ contract }) => contract.newWorkspacesSync === true,
    key: 'contract.newWorkspacesSync',
    otherwise: 'not-applicable',
    how: 'whether a workspace can be synced as soon as it is added is not settled: add contract.newWorkspacesSync: true where it can',
  },
  'guest-refresh': {
    is: ({ run, profile }) => run.guestRefreshMs !== undefined || profile?.reads?.collaboration !== undefined,
    key: 'run.guestRefresh',
    how: 'the longest time until a guest refreshes is not known: add run.guestRefresh',
  },
}

/** Open points that the check needs settled and that are not. */
export function unsettled(check: CheckDefinition, configuration: Configuration): Settling[] {
  return check.settled
    .map((point) => {
      const known = settling[point]
      if (known === undefined) throw new Error(`${check.id}: nothing settles the open point ${point}`)
      return known
    })
    .filter(({ is }) => !is(configuration))
}

/** Whether the configuration says that a kind is not there; what other providers offer shows when they are asked. */
export const isOffered = ({ fixtures, administration }: Configuration, kind: FixtureKind): boolean =>
  (fixtures !== undefined && (!('static' in fixtures) || (fixtures.static[kind] ?? []).length > 0)) ||
  (administration?.permitted === true && administration.lacks[kind] === undefined)

export const missingFixtures = (check: CheckDefinition, configuration: Configuration): FixtureKind[] =>
  check.fixtures.filter((kind) => !isOffered(configuration, kind))

/** The setting that keeps requests from overlapping, where they must. */
export function tooLowToOverlap({ overlapping }: CheckDefinition, { http }: Configuration) {
  if (!overlapping) return undefined
  return (['concurrency', 'requestsPerSecond'] as const).find((key) => (http[key] ?? 2) < 2)
}
