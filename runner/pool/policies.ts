/** How the pool hands out each kind of fixture, and how many of each a run draws before checks share them. */
import { type Configuration, listedFixtures } from '../../deployment/configuration/configuration.ts'
import type { FixtureKind } from '../../deployment/fixtures/fixture-kinds.ts'

/**
 * - `used up`: each request draws another one.
 * - `serves again`: each request draws another one; when the provider has no more, an earlier one is used again.
 * - `lent`: one check has it at a time; after its syncs the next check gets it.
 * - `shared`: several checks add to it; a check that deletes it has its own.
 */
type Policy = 'used up' | 'serves again' | 'lent' | 'shared'

export const policies: Readonly<Record<FixtureKind, Policy>> = {
  collaboration: 'shared',
  guestHosted: 'used up',
  workspace: 'lent',
  scheduledSync: 'used up',
  participant: 'serves again',
  participantElsewhere: 'used up',
  group: 'serves again',
  items: 'used up',
  eligibleUser: 'serves again',
  ineligibleUser: 'serves again',
  partlyReceivable: 'used up',
  taskRun: 'used up',
  federation: 'serves again',
}

/** How many fixtures a run draws before checks share them or wait for each other. */
export interface Limits {
  readonly collaborations: number
  readonly workspaces: number
  /** Workspaces whose syncs have a wanted duration. */
  readonly workspacesOfLength: number
  /** Anything else that checks use one after the other. */
  readonly others: number
}

/** One more of these for this many generated cases. */
const casesForEach = 25

export function limitsOf(configuration: Pick<Configuration, 'run' | 'fixtures'>): Limits {
  const { runs, plentiful } = configuration.run
  const listed = listedFixtures(configuration)
  // Most of a short list is needed by checks that delete collaborations.
  const sparing = listed === undefined ? 12 : Math.max(1, Math.floor((listed.collaboration?.length ?? 0) / 6))
  return {
    collaborations: Math.min(sparing, 2 + Math.ceil(runs / 5)),
    workspaces: plentiful ? 24 : Math.max(2, Math.min(24, Math.ceil(runs * 0.3))),
    workspacesOfLength: plentiful ? 8 : 2,
    others: Math.ceil(runs / casesForEach),
  }
}
