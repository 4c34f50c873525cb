/** What the pool does with the fixtures of each kind, and how many of them a run draws before its checks share. */
import { type Configuration, listedFixtures } from '../../deployment/configuration/configuration.ts'
import type { FixtureKind } from '../../deployment/fixtures/fixture-kinds.ts'

/**
 * - `used up`: each request draws another one.
 * - `serves again`: each request draws another one; once the provider has no more, one from before serves again.
 * - `lent`: one check has it at a time; after its syncs the next check gets it.
 * - `shared`: several checks add to it; a check that deletes it has one of its own.
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

/** How many fixtures a run draws before its checks share them or wait for each other. */
export interface Limits {
  readonly collaborations: number
  readonly workspaces: number
  /** Of workspaces whose syncs take a length that a check wishes for. */
  readonly workspacesOfLength: number
  /** Of anything else that checks use one after the other. */
  readonly others: number
}

/** One more fixture for this many generated cases, where checks use it one after the other. */
const casesForEach = 25

export function limitsOf(configuration: Pick<Configuration, 'run' | 'fixtures'>): Limits {
  const { runs, plentiful } = configuration.run
  const listed = listedFixtures(configuration)
  // Of a short list most are for the checks that delete them.
  const sparing = listed === undefined ? 12 : Math.max(1, Math.floor((listed.collaboration?.length ?? 0) / 6))
  return {
    collaborations: Math.min(sparing, 2 + Math.ceil(runs / 5)),
    workspaces: plentiful ? 24 : Math.max(2, Math.min(24, Math.ceil(runs * 0.3))),
    workspacesOfLength: plentiful ? 8 : 2,
    others: Math.ceil(runs / casesForEach),
  }
}
