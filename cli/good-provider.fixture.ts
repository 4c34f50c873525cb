/** A fixture provider that keeps every promise, for tests to take one away. */
import type { FixtureProvider } from '../target/fixtures/fixture-kinds.ts'

const actor = (username: string) => ({ credential: 'x', username, portal: 'host' as const })
/** What is known of the deployment of that provider. */
export const configuration = {
  actors: { itemOwner: actor('alice'), taskOwner: actor('tess') },
  portals: { host: { id: 'h' }, guest: { id: 'g' } },
}

let made = 0
/** Another id at each call. */
export function fresh(what: string): string {
  made += 1
  return `${what}${made}`
}

/** A provider that keeps every promise. */
export const good = {
  collaboration: () => ({ collaborationId: fresh('c') }),
  workspace: ({ collaborationId = fresh('c'), minimumSyncMs = 0 }) => {
    if (!/^c\d+$/.test(collaborationId)) throw new Error('there is no such collaboration')
    return { collaborationId, workspaceId: fresh('w'), minimumSyncMs }
  },
  scheduledSync: ({ remainingMs }) => ({
    collaborationId: fresh('c'),
    workspaceId: fresh('w'),
    remainingMs,
  }),
  participant: ({ collaborationId = fresh('c') }) => ({ collaborationId, participantPortalId: 'g' }),
  group: () => ({ groupId: 'one', reusable: true }),
  items: ({ count }) => ({ owner: 'alice', itemIds: Array.from({ length: count }, () => fresh('i')) }),
  eligibleUser: () => ({ username: fresh('receiver') }),
  ineligibleUser: () => ({ username: 'viewer' }),
  taskRun: () => ({ userName: 'tess', taskId: 't', runId: fresh('r') }),
  federation: () => ({ federationId: 'f' }),
  cleanup: () => undefined,
} satisfies FixtureProvider
