/** From the settings of a valid configuration to what a run works with: with its profile, and with what circumstances decide. */
import { randomInt } from 'node:crypto'
import { textAt } from '../../schemas/any-value.ts'
import { withoutUndefined } from '../../schemas/without-undefined.ts'
import { type OperationId, operationIds } from '../../specs/operations.ts'
import { type AdministrationSettings, actorsOf, completeAdministration } from '../administration/settings.ts'
import { type CredentialSettings, readCredential } from '../credentials/ready-actors.ts'
import { type ActorName, ofActors, type PortalName, portalNames } from './actors.ts'
import {
  type Actor,
  type Configuration,
  type CredentialSource,
  defaultPortal,
  type FixtureSource,
  type HttpSettings,
  loginOf,
  type Portal,
  type ProxySettings,
  type RunSettings,
} from './configuration.ts'
import { ConfigurationError } from './configuration-error.ts'
import { inUse, loadProfile, settledBy } from './load-profile.ts'
import { addressesOf } from './network-rules.ts'
import { proxyOfEnvironment } from './proxy-environment.ts'
import { schemaSettings } from './schema-settings.ts'

/** A valid configuration as `schemaSettings` reads it. What is the same in the end has the type that it has there. */
interface Settings extends Pick<Configuration, 'target' | 'authentication'> {
  readonly contract?: Configuration['contract']
  /** Ids may be missing where there is an administration, which finds them out. */
  readonly portals: Readonly<Partial<Record<PortalName, Partial<Portal>>>>
  readonly actors: Readonly<Partial<Record<ActorName, ActorSettings>>>
  readonly fixtures?: FixtureSource
  readonly administration?: AdministrationSettings
  readonly effects?: 'all' | readonly (OperationId | 'administration')[]
  readonly http: Omit<HttpSettings, 'proxy' | 'concurrency'> & {
    readonly concurrency?: number
    readonly proxy?: string
    readonly noProxy?: readonly string[]
  }
  readonly run: Omit<RunSettings, 'seed' | 'runs'> & Partial<RunSettings>
}

interface ActorSettings extends Partial<Pick<Actor, 'username' | 'portal'>> {
  readonly credential: CredentialSettings
  readonly expired?: CredentialSettings
}

interface Circumstances {
  readonly environment: NodeJS.ProcessEnv
  /** Relative paths start here. */
  readonly folder: string
  readonly defaultRuns: number | undefined
  readonly onLoopback: boolean
}

/** Throws a ConfigurationError where its profile cannot be used, or does not know the administration of its deployment. */
export function completeConfiguration(valid: object, known: Circumstances): Configuration {
  const { folder } = known
  const profile = loadProfile(textAt(valid, 'target', 'profile') ?? 'none', folder)
  const { authentication, contract, ...others } = valid as Partial<Settings>
  const beneath = { authentication: { ...profile?.authentication, ...authentication } }
  const settings = schemaSettings({ ...others, ...beneath }, folder) as Settings
  const { target, fixtures, effects = 'all' } = settings
  const administration = completeAdministration(settings, folder)
  if (administration !== undefined && profile?.administration === undefined)
    throw unknownOperations(target.profile)
  const named = completeActors(settings, folder)
  return withoutUndefined({
    target: { ...target, profile: profile?.name ?? 'none' },
    authentication: settings.authentication,
    portals: completePortals(settings.portals),
    // What makes actors itself makes them all.
    actors: administration === undefined ? withStandIns(named) : { ...actorsOf(administration), ...named },
    administration,
    fixtures: fixtures && ('command' in fixtures ? { ...fixtures, folder } : fixtures),
    // Without the defaults of the schema: an absent point is one that nobody settled.
    contract: settledBy(profile, contract),
    profile: profile && inUse(profile),
    effects: operationIds.filter((id) => effects === 'all' || effects.includes(id)),
    http: completeHttp(settings.http, known, addressesOf(valid)),
    run: { seed: randomInt(2 ** 31), runs: known.defaultRuns ?? 25, ...settings.run },
  })
}

function unknownOperations(profile: string): ConfigurationError {
  return new ConfigurationError([
    `administration: the profile ${profile} does not say which administrative operations the deployment has; name one that does: target.profile: arcgis`,
  ])
}

function completePortals({ host, guest, otherGuest }: Settings['portals']): Configuration['portals'] {
  const complete = (portal: Partial<Portal> | undefined): Portal | undefined =>
    portal && { id: '', ...portal }
  return withoutUndefined({
    host: { id: '', ...host },
    guest: complete(guest),
    otherGuest: complete(otherGuest),
  })
}

function completeActors({ actors, portals }: Settings, folder: string): Configuration['actors'] {
  const configured = portalNames.filter((name) => portals[name] !== undefined)
  const complete = ofActors(actors).map(([name, { expired, ...actor }]): [ActorName, Actor] => [
    name,
    withoutUndefined({
      portal: defaultPortal(name, configured),
      ...actor,
      ...readCredential(actor.credential, folder),
      expired: expired === undefined ? undefined : readCredential(expired, folder),
    }),
  ])
  return Object.fromEntries(signingInOnce(complete))
}

/** Who sign in alike at one portal have one source, and with it one token: a portal may end the older ones of a user. */
function signingInOnce(actors: readonly [ActorName, Actor][]): [ActorName, Actor][] {
  const sources = new Map<string, CredentialSource>()
  return actors.map(([name, actor]) => {
    const login = loginOf(actor)
    if (login === undefined || actor.source === undefined) return [name, actor]
    const alike = JSON.stringify([actor.portal, login])
    const source = sources.get(alike) ?? actor.source
    sources.set(alike, source)
    return [name, { ...actor, source }]
  })
}

/** Parts that another one of the actors can play as well, if he is of the host: he is all that they have to be. */
const standIns = [
  ['outsider', 'hostMember'],
  ['hostMember', 'itemOwnerUnprivileged'],
] as const

/** Where a login gives the credential, a second one might end the first. */
function withStandIns(named: Configuration['actors']): Configuration['actors'] {
  const played = standIns.flatMap(([absent, other]) => {
    const actor = named[other]
    const fits = named[absent] === undefined && actor?.portal === 'host' && actor.source === undefined
    return fits ? [[absent, actor]] : []
  })
  return { ...named, ...Object.fromEntries(played) }
}

function completeHttp(
  { proxy, noProxy, ...http }: Settings['http'],
  { environment, onLoopback }: Circumstances,
  addresses: readonly string[],
): HttpSettings {
  // A phase that may last as long as the whole can never end anything.
  const phase = (ms: number | undefined) => (ms === undefined || ms < http.timeoutMs ? ms : undefined)
  return withoutUndefined({
    concurrency: onLoopback ? 8 : 4,
    ...http,
    connectTimeoutMs: phase(http.connectTimeoutMs),
    headersTimeoutMs: phase(http.headersTimeoutMs),
    bodyTimeoutMs: phase(http.bodyTimeoutMs),
    proxy:
      proxy === undefined
        ? proxyOfEnvironment(environment, addresses, noProxy).proxy
        : configured(proxy, noProxy),
  })
}

/** One for all, which the environment does not touch. */
function configured(url: string, except: readonly string[] = []): ProxySettings {
  const proxy = { url, from: 'http.proxy' }
  return { http: proxy, https: proxy, except, loopback: true }
}
