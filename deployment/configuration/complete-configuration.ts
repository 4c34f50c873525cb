/** Completes a valid configuration for a run: defaults, the profile, and what depends on the environment. */
import { randomInt } from 'node:crypto'
import type { Configuration as Settings } from '../../schemas/types/configuration.ts'
import { withoutUndefined } from '../../schemas/values.ts'
import { operationIds } from '../../specs/operations.ts'
import { actorsOf, completeAdministration } from '../administration/settings.ts'
import { readCredential } from '../credentials/ready-actors.ts'
import { type ActorName, ofActors, portalNames } from './actors.ts'
import {
  type Actor,
  type Configuration,
  defaultPortal,
  type HttpSettings,
  isLoopback,
  type Portal,
  type ProxySettings,
} from './configuration.ts'
import { ConfigurationError } from './configuration-error.ts'
import { addressesOf, portalAddressesOf, proxyOfEnvironment } from './connection-settings.ts'
import { authenticationOf, inUse, loadProfile, settledBy } from './load-profile.ts'
import { schemaSettings } from './schema-settings.ts'

interface Circumstances {
  readonly environment: NodeJS.ProcessEnv
  /** Relative paths start here. */
  readonly folder: string
  /** Used if the configuration does not set run.runs. */
  readonly defaultRuns?: number | undefined
}

/** Throws a ConfigurationError if the profile cannot be used, or lacks the administration that the configuration asks for. */
export function completeConfiguration(valid: object, known: Circumstances): Configuration {
  const { folder } = known
  const settings = schemaSettings(valid, folder)
  const { target, fixtures, effects = 'all' } = settings
  const profile = loadProfile(target.profile, folder)
  const administration = completeAdministration(settings, folder)
  if (administration !== undefined && profile?.administration === undefined)
    throw unknownOperations(target.profile)
  const named = completeActors(settings, folder)
  return withoutUndefined({
    target: { ...target, profile: profile?.name ?? 'none' },
    authentication: authenticationOf(
      settings.authentication,
      profile,
      (valid as Pick<Configuration, 'authentication'>).authentication,
    ),
    portals: completePortals(settings.portals),
    // An administration makes all actors itself.
    actors: administration === undefined ? withStandIns(named) : { ...actorsOf(administration), ...named },
    administration,
    fixtures: fixtures && ('command' in fixtures ? { ...fixtures, folder } : fixtures),
    contract: settledBy(profile, settings.contract),
    profile: profile && inUse(profile),
    effects: operationIds.filter((id) => effects === 'all' || effects.includes(id)),
    http: completeHttp(settings.http, known.environment, valid),
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
  return Object.fromEntries(complete)
}

/** Actors that another actor of the host can stand in for: the other one meets all that is required of them. */
const standIns = [
  ['outsider', 'hostMember'],
  ['hostMember', 'itemOwnerUnprivileged'],
] as const

/** Without actors that sign in: a second login might end the first. */
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
  environment: NodeJS.ProcessEnv,
  valid: object,
): HttpSettings {
  return withoutUndefined({
    concurrency: portalAddressesOf(valid).every(isLoopback) ? 8 : 4,
    ...http,
    // It has no effect if it is not shorter than the limit for the whole exchange.
    connectTimeoutMs: http.connectTimeoutMs < http.timeoutMs ? http.connectTimeoutMs : undefined,
    proxy:
      proxy === undefined
        ? proxyOfEnvironment(environment, addressesOf(valid), noProxy).proxy
        : configured(proxy, noProxy),
  })
}

/** One proxy for all targets: the environment does not count. */
function configured(url: string, except: readonly string[] = []): ProxySettings {
  const proxy = { url, from: 'http.proxy' }
  return { http: proxy, https: proxy, except, loopback: true }
}
