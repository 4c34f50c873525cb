/** The fixtures that a provider hands out: kinds, options and answers. */
import type { ActorName } from './configuration.ts'

export interface FixtureOptions {
  collaboration: Record<string, never>
  workspace: { collaborationId?: string; minimumSyncMs?: number }
  scheduledSync: { remainingMs: number }
  participant: { collaborationId?: string }
  group: Record<string, never>
  items: { owner: ActorName; count: number }
  eligibleUser: Record<string, never>
  ineligibleUser: Record<string, never>
  taskRun: Record<string, never>
  federation: Record<string, never>
}

export interface FixtureAnswers {
  /** Hosted by host, guest takes part; the suite may add to it and delete it. */
  collaboration: { collaborationId: string }
  /** Each of its syncs takes at least `minimumSyncMs` (0: unknown) and at most `maximumSyncMs` where given. */
  workspace: {
    collaborationId: string
    workspaceId: string
    minimumSyncMs: number
    maximumSyncMs?: number
  }
  /** Its scheduled sync is running now, for `remainingMs` more. */
  scheduledSync: { collaborationId: string; workspaceId: string; remainingMs: number }
  participant: { collaborationId: string; participantPortalId: string }
  /** `reusable: false`: one workspace a group. */
  group: { groupId: string; reusable?: boolean }
  items: { owner: string; itemIds: string[] }
  eligibleUser: { username: string }
  ineligibleUser: { username: string }
  taskRun: { userName: string; taskId: string; runId: string }
  federation: { federationId: string }
}

export type FixtureKind = keyof FixtureAnswers

export const fixtureKinds = [
  'collaboration',
  'workspace',
  'scheduledSync',
  'participant',
  'group',
  'items',
  'eligibleUser',
  'ineligibleUser',
  'taskRun',
  'federation',
] as const satisfies readonly FixtureKind[]

/** A provider: each kind is a function that hands out a fixture; a kind that is missing is not offered. */
export type FixtureProvider = {
  readonly [Kind in FixtureKind]?: (
    options: FixtureOptions[Kind],
  ) => Promise<FixtureAnswers[Kind]> | FixtureAnswers[Kind]
} & {
  /** Removes all that was handed out. */
  readonly cleanup?: () => Promise<unknown> | unknown
}
