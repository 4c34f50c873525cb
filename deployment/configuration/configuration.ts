/** The configuration of a run after loading: defaults filled in, environment resolved, durations in milliseconds. */
import type { Credential, Configuration as Settings } from '../../schemas/types/configuration.ts'
import type { OperationId } from '../../specs/operations.ts'
import type { Profile, Settlements, SlowRequest } from '../../specs/profile.ts'
import type { FixtureKind, FixtureProvider, ProviderPlace } from '../fixtures/fixture-kinds.ts'
import type { ActorName, PortalName } from './actors.ts'

export type { Settlements } from '../../specs/profile.ts'

export type Authentication = Settings['authentication']

export interface Portal {
  readonly id: string
  /** Base URL of this portal, without a trailing slash. Absent: that of the target. */
  readonly baseUrl?: string
  /** The address that the portal gives itself, without the path of its API. Absent: its base URL. */
  readonly ownUrl?: string
}

/** How an actor signs in. The actor sends the referer with every request. */
export type Login = Extract<Credential, { login: unknown }>['login']

/** The source of a credential that the configuration does not hold. The command runs in the folder. */
export type CredentialSource =
  | { readonly command: string; readonly folder: string }
  | { readonly login: Login }

export interface Actor {
  /** Empty until it is obtained from its source. */
  readonly credential: string
  /** The run obtains the credential there before it begins. Absent: the configuration holds it. */
  readonly source?: CredentialSource
  /** When the credential ends, in milliseconds since 1970. Absent: not known. */
  readonly expiresAt?: number
  /** A credential of this actor that has ended, or ends soon after it is obtained. Absent: none. */
  readonly expired?: Pick<Actor, 'credential' | 'source'>
  readonly username?: string
  readonly portal: PortalName
  /** For an actor of another portal: whether the host has a user of that name too. Absent: not known. */
  readonly alsoOfHost?: boolean
  /** The run makes this user before it begins. No one can sign in as this user earlier. */
  readonly made?: true
}

/** What the run needs to make fixtures and actors through the deployment's own operations. */
export interface Administration {
  /** Administrators of the portals, by their logins. */
  readonly logins: { readonly host: Actor } & Readonly<Partial<Record<PortalName, Actor>>>
  readonly createsUsers: boolean
  /** Every name that the run gives begins with it. */
  readonly prefix: string
  /** Id of the run, a part of every name. */
  readonly runId: string
  /** How long the suite waits for a run of a scheduled task before it counts as not available, in milliseconds. */
  readonly runsWithinMs: number
  /** Whether `effects` allows administration. */
  readonly permitted: boolean
  /** Kinds of fixtures that it cannot make on this deployment, with the reason. */
  readonly lacks: Readonly<Partial<Record<FixtureKind, string>>>
}

type Fixtures = NonNullable<Settings['fixtures']>

/** Where fixtures come from. The command runs in the folder. A program that calls us may hand over a provider. */
export type FixtureSource =
  | { readonly provider: FixtureProvider }
  | Exclude<Fixtures, { command: unknown }>
  | (Extract<Fixtures, { command: unknown }> & { readonly folder: string })

/** Fixtures of static lists that earlier runs used up. */
interface UsedFixtures {
  /** How many of each kind. Items count one by one. */
  readonly counts: Readonly<Record<string, number>>
  /** The file that lists them. */
  readonly rememberedIn: string
}

export interface NamedProxy {
  /** May hold a user name and a password. */
  readonly url: string
  /** The key of the configuration or the variable of the environment that names the proxy. */
  readonly from: string
}

/** The proxies for addresses at http:// and at https://. */
export interface ProxySettings {
  readonly http?: NamedProxy
  readonly https?: NamedProxy
  /** Hosts that are reached without a proxy, in the notation of NO_PROXY. */
  readonly except: readonly string[]
  /** Whether addresses on loopback go through a proxy, too. */
  readonly loopback: boolean
}

/** The time-out for connecting is absent if it is not shorter than the one for the whole exchange. */
export type HttpSettings = Omit<Settings['http'], 'connectTimeoutMs' | 'noProxy' | 'proxy'> & {
  readonly connectTimeoutMs?: number
  readonly concurrency: number
  /** Absent: none. */
  readonly proxy?: ProxySettings
}

export type RunSettings = Settings['run'] & { readonly seed: number; readonly runs: number }

/** The parts of a profile that a run uses besides `contract` and `authentication`, which have its values already. */
export type ProfileInUse = Required<Pick<Profile, 'name' | 'points' | 'errors'>> &
  Pick<Profile, 'reads' | 'jsonFormats' | 'shapes'> & {
    /** How long slow requests may take, in milliseconds. */
    readonly longestMs?: Readonly<Partial<Record<SlowRequest, number>>> | undefined
  }

export interface Configuration {
  readonly target: Settings['target']
  readonly authentication: Authentication
  readonly portals: { readonly host: Portal } & Readonly<Partial<Record<PortalName, Portal>>>
  readonly actors: Readonly<Partial<Record<ActorName, Actor>>>
  /** Actors that are configured but cannot act, with the reason. */
  readonly absent?: Readonly<Partial<Record<ActorName, string>>>
  /** Absent: no fixtures. Then the suite can test hardly anything. */
  readonly fixtures?: FixtureSource
  /** Fixtures that were taken out of the static lists, since earlier runs used them up. */
  readonly usedFixtures?: UsedFixtures
  /** Absent: the run makes nothing itself. Configured actors and fixtures take precedence. */
  readonly administration?: Administration
  readonly contract: Settlements
  /** Absent: no profile. */
  readonly profile?: ProfileInUse
  /** Operations that may be performed on this deployment. */
  readonly effects: readonly OperationId[]
  readonly http: HttpSettings
  readonly run: RunSettings
}

/** How long a slow request may take, in milliseconds: what the profile says, and at least http.timeout. */
export function longestOf(
  { http, profile }: Pick<Configuration, 'http' | 'profile'>,
  what: SlowRequest,
): number {
  return Math.max(http.timeoutMs, profile?.longestMs?.[what] ?? 0)
}

/** Base URL of that portal, without a trailing slash; that of the target if the portal has none of its own. */
export function baseUrlOf(
  { portals, target }: Pick<Configuration, 'portals' | 'target'>,
  portal: PortalName,
): string {
  return portals[portal]?.baseUrl ?? target.baseUrl
}

export type FixturePools = Extract<FixtureSource, { static: unknown }>['static']

/** The static lists of fixtures, by kind; undefined if fixtures have another source, or none. */
export function listedFixtures({ fixtures }: Pick<Configuration, 'fixtures'>): FixturePools | undefined {
  return fixtures !== undefined && 'static' in fixtures ? fixtures.static : undefined
}

/** The fixture provider that runs already; undefined if there is none, or if the run itself opens it. */
export function runningProvider({ fixtures }: Pick<Configuration, 'fixtures'>): ProviderPlace | undefined {
  if (fixtures === undefined) return undefined
  if ('provider' in fixtures) return fixtures.provider
  return 'url' in fixtures ? fixtures.url : undefined
}

/** The login of an actor; undefined if the credential has another source. */
export function loginOf({ source }: Pick<Actor, 'source'>): Login | undefined {
  return source !== undefined && 'login' in source ? source.login : undefined
}

/** True for localhost, 127.0.0.0/8 and ::1. Throws if the text is no URL. */
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

/** The portal of an actor that names none: a guest for the actors of guests, the host for all others. */
export function defaultPortal(actor: ActorName, configured: readonly PortalName[]): PortalName {
  // Typically the guest is the one designated to initiate syncs (§4.4).
  if (actor === 'guestAdministrator' || actor === 'syncInitiator') return 'guest'
  if (actor === 'syncNonInitiator' && configured.includes('otherGuest')) return 'otherGuest'
  return 'host'
}
