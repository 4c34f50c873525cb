/** The configuration of a run after loading: defaults filled in, environment resolved, durations in milliseconds. */
import type { Edition } from '../../specs/operation.ts'
import type { OperationId } from '../../specs/operations.ts'
import type { Authentication, Profile, Settlements, SlowRequest } from '../../specs/profile.ts'
import type { FixtureKind } from '../fixtures/fixture-kinds.ts'
import type { ActorName, PortalName } from './actors.ts'

export type { Authentication, Settlements } from '../../specs/profile.ts'

export interface Portal {
  readonly id: string
  /** Where this portal answers; absent: at the base URL of the target. No trailing slash. */
  readonly baseUrl?: string
  /** Where it is found by what it says of itself, without the path of its API; absent: where it answers, as far as is known. */
  readonly ownUrl?: string
}

export interface Login {
  readonly username: string
  readonly password: string
  /** Where tokens are had; absent: generateToken below the base URL of the actor's portal. */
  readonly url?: string
  /** Sent with every request of the actor. */
  readonly referer?: string
  readonly expirationMs: number
}

/** Where a credential comes from that the configuration does not hold. The command runs in the folder. */
export type CredentialSource =
  | { readonly command: string; readonly folder: string }
  | { readonly login: Login }

export interface Actor {
  /** Empty until it is obtained, where it comes from a source. */
  readonly credential: string
  /** Where it is obtained before the run. */
  readonly source?: CredentialSource
  /** When it ends, in milliseconds since 1970; absent: not known. */
  readonly expiresAt?: number
  /** A credential that has ended, or will have soon after it was obtained; absent: none is known. */
  readonly expired?: Pick<Actor, 'credential' | 'source'>
  readonly username?: string
  readonly portal: PortalName
  /** Of another portal: whether the host has a user of that name as well; absent: not known. */
  readonly alsoOfHost?: boolean
  /** The run makes this user before it begins; until then nobody can sign in as him. */
  readonly made?: true
}

/** Who makes fixtures and actors through the deployment's own operations, and within which bounds. */
export interface Administration {
  /** Administrators of the portals, by their logins. */
  readonly logins: { readonly host: Actor } & Readonly<Partial<Record<PortalName, Actor>>>
  readonly createsUsers: boolean
  /** Begins every name of what is made. */
  readonly prefix: string
  /** Of the run that makes them; stands in every name. */
  readonly runId: string
  /** How long no run of a scheduled task may come before it counts as not to be had, in milliseconds. */
  readonly runsWithinMs: number
  /** Whether effects allow it. */
  readonly permitted: boolean
  /** Kinds of fixtures that it cannot make here, with the reason. */
  readonly lacks: Readonly<Partial<Record<FixtureKind, string>>>
}

/**
 * Where fixtures come from. `url`: an HTTP provider; `module`: a path to an ES module; `command`: a program that is
 * started in the folder; `static`: pools by kind.
 */
export type FixtureSource =
  | { readonly url: string }
  | { readonly module: string }
  | { readonly command: string; readonly folder: string }
  | { readonly static: Readonly<Record<string, readonly Record<string, unknown>[]>> }

/** What was left out of static lists, since earlier runs used it up. */
interface UsedFixtures {
  /** How many of each kind; items are counted one by one. */
  readonly counts: Readonly<Record<string, number>>
  /** The file that says which. */
  readonly rememberedIn: string
}

export interface NamedProxy {
  /** May hold a user name and a password. */
  readonly url: string
  /** The key or the variable that names it. */
  readonly from: string
}

/** The proxies for targets at http:// and at https://. */
export interface ProxySettings {
  readonly http?: NamedProxy
  readonly https?: NamedProxy
  /** Hosts that are asked without them, in the notation of NO_PROXY. */
  readonly except: readonly string[]
  /** Whether they hold for this machine, too. */
  readonly loopback: boolean
}

export interface HttpSettings {
  /** Longest wait for one complete answer, in milliseconds. A conforming target may need up to this long. */
  readonly timeoutMs: number
  /** Longest wait for a connection, with all that belongs to it. Absent, as the next two: as timeoutMs. */
  readonly connectTimeoutMs?: number
  /** Longest wait from the last byte of a request to the head of its answer. */
  readonly headersTimeoutMs?: number
  /** Longest silence between two parts of an answer. */
  readonly bodyTimeoutMs?: number
  readonly concurrency: number
  /** Absent: not limited. */
  readonly requestsPerSecond?: number
  /** Longest total wait for a target that puts one request off, in milliseconds. */
  readonly throttleWaitMs: number
  /** Largest answer that is read, in bytes. */
  readonly maxAnswerBytes: number
  /** Paths of PEM files. */
  readonly ca?: string
  readonly cert?: string
  readonly key?: string
  /** True, or the hosts (some with a port) whose certificates are not checked. */
  readonly insecure: boolean | readonly string[]
  /** Absent: none. */
  readonly proxy?: ProxySettings
  /** 2 is spoken where the target offers it over TLS. Absent: 1.1. */
  readonly version?: '1.1' | '2'
  /** Sent with every request. */
  readonly headers: Readonly<Record<string, string>>
}

export interface RunSettings {
  readonly seed: number
  /** Cases of each generated check. */
  readonly runs: number
  /** How long consequences may take to show, in milliseconds. */
  readonly settleMs: number
  /** Fixtures cost nothing: rather more of them than waiting. */
  readonly plentiful?: boolean
  /** Longest time until a guest loses a deleted collaboration, in milliseconds; absent: not known, not judged. */
  readonly guestRefreshMs?: number
  /** How far the clock of the target may be off, in milliseconds. */
  readonly clockToleranceMs: number
  /** Budget of requests; absent: none. */
  readonly maxRequests?: number
  /** Longest time of the run, in milliseconds; absent: by what it may be expected to take. */
  readonly timeLimitMs?: number
}

/** A profile as a run uses it: its values are in `contract` and `authentication` already. */
export type ProfileInUse = Required<Pick<Profile, 'name' | 'points' | 'errors'>> &
  Pick<Profile, 'reads' | 'jsonFormats' | 'shapes'> & {
    /** How long slow requests may take, in milliseconds. */
    readonly longestMs?: Readonly<Partial<Record<SlowRequest, number>>> | undefined
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
  /** Actors that are configured but cannot act, with the reason. */
  readonly absent?: Readonly<Partial<Record<ActorName, string>>>
  /** What was found that the user should correct or know, one line each; the run goes on all the same. */
  readonly notices?: readonly string[]
  /** Absent: no fixtures, so that hardly anything can be tested. */
  readonly fixtures?: FixtureSource
  /** Fixtures of static lists that earlier runs used up, which are left out of the lists. */
  readonly usedFixtures?: UsedFixtures
  /** Absent: the run makes nothing itself. What actors and fixtures name goes before it. */
  readonly administration?: Administration
  readonly contract: Settlements
  /** Absent: no profile. */
  readonly profile?: ProfileInUse
  /** Operations that may be performed on this deployment. */
  readonly effects: readonly OperationId[]
  readonly http: HttpSettings
  readonly run: RunSettings
}

/** How long such a request may take, in milliseconds: as the profile says it, and never less than any other. */
export function longestOf(
  { http, profile }: Pick<Configuration, 'http' | 'profile'>,
  what: SlowRequest,
): number {
  return Math.max(http.timeoutMs, profile?.longestMs?.[what] ?? 0)
}

/** The address of that portal's API, without a trailing slash: its own, or else that of the target. */
export function baseUrlOf(
  { portals, target }: Pick<Configuration, 'portals' | 'target'>,
  portal: PortalName,
): string {
  return portals[portal]?.baseUrl ?? target.baseUrl
}

export type FixturePools = Extract<FixtureSource, { static: unknown }>['static']

/** The static lists of fixtures, by kind; undefined where fixtures come from elsewhere, or there are none. */
export function listedFixtures({ fixtures }: Pick<Configuration, 'fixtures'>): FixturePools | undefined {
  return fixtures !== undefined && 'static' in fixtures ? fixtures.static : undefined
}

/** Where a provider hands fixtures out over HTTP; undefined where none does. */
export function fixturesUrl({ fixtures }: Pick<Configuration, 'fixtures'>): string | undefined {
  return fixtures !== undefined && 'url' in fixtures ? fixtures.url : undefined
}

/** How an actor signs in; undefined where his credential comes from elsewhere. */
export function loginOf({ source }: Pick<Actor, 'source'>): Login | undefined {
  return source !== undefined && 'login' in source ? source.login : undefined
}

/** True for localhost, 127.0.0.0/8 and ::1. Throws where the text is no URL. */
export function isLoopback(url: string): boolean {
  const host = new URL(url).hostname.toLowerCase()
  return (
    host === 'localhost' ||
    host.endsWith('.localhost') ||
    /^127\.\d+\.\d+\.\d+$/.test(host) ||
    host === '[::1]' ||
    host.startsWith('[::ffff:7f')
  )
}

/** Guests for the parts that guests play, as far as such a portal is configured; the host for all others. */
export function defaultPortal(actor: ActorName, configured: readonly PortalName[]): PortalName {
  // Typically the guest is the one designated to initiate syncs (§4.4).
  if (actor === 'guestAdministrator' || actor === 'syncInitiator') return 'guest'
  if (actor === 'syncNonInitiator' && configured.includes('otherGuest')) return 'otherGuest'
  return 'host'
}
