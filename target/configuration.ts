/** The configuration of a run after loading: defaults filled in, environment resolved, durations in milliseconds. */
import type { Edition, OperationId } from '../specs/operations.ts'
import type { Authentication, ProfileErrors, ProfilePoint, Settlements } from '../specs/profile.ts'

export type { Authentication, Settlements } from '../specs/profile.ts'

export const actorNames = [
  'hostAdministrator',
  'hostMember',
  'guestAdministrator',
  'organizationAdministrator',
  'contentAdministrator',
  'customAdministrator',
  'itemOwner',
  'itemOwnerUnprivileged',
  'outsider',
  'taskOwner',
  'syncInitiator',
  'syncNonInitiator',
] as const

/** A caller that the configuration offers, by the part it plays. */
export type ActorName = (typeof actorNames)[number]

export const portalNames = ['host', 'guest', 'otherGuest'] as const

export type PortalName = (typeof portalNames)[number]

export interface Portal {
  readonly id: string
  /** Where this portal answers; absent: at the base URL of the target. No trailing slash. */
  readonly baseUrl?: string
}

export interface Actor {
  readonly credential: string
  readonly username?: string
  readonly portal: PortalName
}

/** Where fixtures come from. `url`: an HTTP provider; `module`: a path to an ES module; `static`: pools by kind. */
export type FixtureSource =
  | { readonly url: string }
  | { readonly module: string }
  | { readonly static: Readonly<Record<string, readonly Record<string, unknown>[]>> }

export interface HttpSettings {
  /** Longest wait for one complete answer, in milliseconds. A conforming target may need up to this long. */
  readonly timeoutMs: number
  readonly concurrency: number
  /** Absent: not limited. */
  readonly requestsPerSecond?: number
  /** Longest total wait for a target that throttles one request, in milliseconds. */
  readonly throttleWaitMs: number
  /** Largest answer that is read, in bytes. */
  readonly maxAnswerBytes: number
  /** Paths of PEM files. */
  readonly ca?: string
  readonly cert?: string
  readonly key?: string
  readonly insecure: boolean
  readonly proxy?: string
  /** Sent with every request. */
  readonly headers: Readonly<Record<string, string>>
}

export interface RunSettings {
  readonly seed: number
  /** Cases of each generated check. */
  readonly runs: number
  /** How long consequences may take to show, in milliseconds. */
  readonly settleMs: number
  /** Longest time until a guest loses a deleted collaboration, in milliseconds; absent: not known, not judged. */
  readonly guestRefreshMs?: number
  /** How far the clock of the target may be off, in milliseconds. */
  readonly clockToleranceMs: number
  /** Budget of requests; absent: none. */
  readonly maxRequests?: number
}

/** A profile as a run uses it: its values are in `contract` and `authentication` already. */
export interface ProfileInUse {
  readonly name: string
  readonly points: readonly ProfilePoint[]
  readonly errors: ProfileErrors
}

export interface Configuration {
  readonly target: {
    /** No trailing slash. */
    readonly baseUrl: string
    /** Release of the deployment; absent: every operation is judged. */
    readonly version?: string
    readonly edition?: Edition
    readonly profile: string
    /** Operations that this deployment offers although the contract shows no version for its edition. */
    readonly offers: readonly OperationId[]
  }
  readonly authentication: Authentication
  readonly portals: { readonly host: Portal } & Readonly<Partial<Record<PortalName, Portal>>>
  readonly actors: Readonly<Partial<Record<ActorName, Actor>>>
  /** Absent: no fixtures, so that hardly anything can be tested. */
  readonly fixtures?: FixtureSource
  readonly contract: Settlements
  /** Absent: no profile. */
  readonly profile?: ProfileInUse
  /** Operations that may be performed on this deployment. */
  readonly effects: readonly OperationId[]
  readonly http: HttpSettings
  readonly run: RunSettings
}
