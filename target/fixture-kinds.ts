/** The fixtures that a provider hands out: kinds, options and answers. */
import type { ActorName } from './configuration.ts'

/** What the suite asks of a provider, by kind. Options that a provider does not know are to be left alone. */
export interface FixtureOptions {
  collaboration: {
    /** What will be asked for in it next; a provider that makes things on demand need not look at it. */
    with?: 'participant' | 'workspace'
  }
  workspace: {
    /** The collaboration to make it in; absent: any. */
    collaborationId?: string
    /** Milliseconds that each of its syncs should take at least; absent: any time will do. */
    minimumSyncMs?: number
  }
  scheduledSync: {
    /** Milliseconds that the sync should still be running for. */
    remainingMs: number
  }
  participant: {
    /** The collaboration that it should take part in; absent: any. */
    collaborationId?: string
  }
  group: Record<string, never>
  items: {
    /** Whose items, by the name of the actor in the configuration. */
    owner: ActorName
    /** How many, from 1 to 160. */
    count: number
  }
  eligibleUser: Record<string, never>
  ineligibleUser: Record<string, never>
  taskRun: Record<string, never>
  federation: Record<string, never>
}

/** What a provider hands out, by kind. */
export interface FixtureAnswers {
  /** Hosted by the host portal, the guest takes part. Disposable: the suite adds to it and deletes it. */
  collaboration: {
    collaborationId: string
  }
  /** A workspace of a collaboration that the guest takes part in; the suite syncs it. */
  workspace: {
    collaborationId: string
    workspaceId: string
    /** Milliseconds that each of its syncs takes at least; 0: not known. */
    minimumSyncMs: number
    /** Milliseconds that each of its syncs takes at most; absent: not known. */
    maximumSyncMs?: number
  }
  /** A workspace whose scheduled sync is running now. */
  scheduledSync: {
    collaborationId: string
    workspaceId: string
    /** Milliseconds that the sync goes on for, counted from the answer. */
    remainingMs: number
  }
  /** A participant whose contact person the suite may change. */
  participant: {
    collaborationId: string
    /** The portal ID of the guest, as paths name it. */
    participantPortalId: string
  }
  /** A group of the host portal that workspaces can be linked with. */
  group: {
    groupId: string
    /** Whether it takes more than one workspace; absent: it does. */
    reusable?: boolean
  }
  /** Items that the suite gives to other users. Disposable. */
  items: {
    /** User name of the owner. */
    owner: string
    itemIds: string[]
  }
  /** A user who may receive items; another one at each call where there are several. */
  eligibleUser: {
    username: string
  }
  /** A user who lacks the privileges to receive items. */
  ineligibleUser: {
    username: string
  }
  /** A run of a scheduled task. Disposable: its status is set, once. */
  taskRun: {
    /** The user whom the task belongs to. */
    userName: string
    taskId: string
    runId: string
  }
  /** A federation of the organization whose configuration the suite changes. */
  federation: {
    federationId: string
  }
}

/** The name of a kind: the last part of its address over HTTP, and the name of the function of a module. */
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

/** For whom a fixture is: its id marks what is made, so that this and nothing else can be removed later. */
export interface ForRun {
  readonly runId?: string
}

/** Carries the run's id with every request to a provider. */
export const runHeader = 'x-portal-conformance-run'

/** There is no such fixture (any more), for that reason: the checks that need it are not tested. */
export interface NotOffered {
  readonly notOffered: string
}

/** The fixture, or why there is none. What is thrown is a failure of the provider. */
export type FixtureReply<Kind extends FixtureKind> = FixtureAnswers[Kind] | NotOffered

/** A provider: each kind is a function that hands out a fixture; a kind that is missing is not offered. */
export type FixtureProvider = {
  readonly [Kind in FixtureKind]?: (
    options: FixtureOptions[Kind],
    run: ForRun,
  ) => Promise<FixtureReply<Kind>> | FixtureReply<Kind>
} & {
  /** Removes what was handed out for that run, also when it is asked by a later process; all where none is named. */
  readonly cleanup?: (run: ForRun) => Promise<unknown> | unknown
}
