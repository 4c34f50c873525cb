/** Fills the defaults of a configuration that is valid. */
import { randomInt } from 'node:crypto'
import { resolve } from 'node:path'
import { type OperationId, operationIds } from '../specs/operations.ts'
import {
  type Actor,
  type ActorName,
  type Authentication,
  type Configuration,
  type FixtureSource,
  type HttpSettings,
  type Portal,
  type PortalName,
  type ProfileInUse,
  portalNames,
  type RunSettings,
  type Settlements,
} from './configuration.ts'
import { parseDuration } from './duration.ts'
import { loadProfile, type WholeProfile } from './load-profile.ts'
import { defaultPortal } from './portal-of-actor.ts'

/** A configuration as its schema describes it. */
export interface WrittenConfiguration {
  readonly target: Partial<Configuration['target']> & { readonly baseUrl: string }
  readonly authentication?: Partial<Authentication>
  readonly portals: Configuration['portals']
  readonly actors?: Partial<Record<ActorName, Omit<Actor, 'portal'> & { readonly portal?: PortalName }>>
  readonly fixtures?: FixtureSource
  readonly contract?: Settlements
  readonly effects?: 'all' | readonly OperationId[]
  readonly http?: Partial<Omit<HttpSettings, 'timeoutMs' | 'throttleWaitMs'>> & {
    readonly timeout?: string
    readonly throttleWait?: string
  }
  readonly run?: Partial<Pick<RunSettings, 'seed' | 'runs' | 'maxRequests'>> & {
    readonly settle?: string
    readonly guestRefresh?: string
    readonly clockTolerance?: string
  }
}

interface Circumstances {
  /** Relative paths start here. */
  readonly folder: string
  readonly defaultRuns: number | undefined
  readonly onLoopback: boolean
}

export function completeConfiguration(written: WrittenConfiguration, known: Circumstances): Configuration {
  const { target, fixtures, effects = 'all' } = written
  const profile = loadProfile(target.profile ?? 'none', known.folder)
  return {
    target: {
      ...target,
      baseUrl: trimmed(target.baseUrl),
      profile: profile?.name ?? 'none',
      offers: target.offers ?? [],
    },
    authentication: {
      in: 'form',
      name: 'token',
      prefix: '',
      ...profile?.authentication,
      ...written.authentication,
    },
    portals: completePortals(written.portals),
    actors: completeActors(written),
    ...(fixtures === undefined ? {} : { fixtures: resolveFixtures(fixtures, known.folder) }),
    contract: settled(profile, written.contract),
    ...(profile === undefined ? {} : { profile: inUse(profile) }),
    effects: effects === 'all' ? operationIds : effects,
    http: completeHttp(written.http ?? {}, known),
    run: completeRun(written.run ?? {}, known),
  }
}

const trimmed = (url: string) => url.replace(/\/+$/, '')

const milliseconds = (duration: string) => parseDuration(duration)!

function completePortals(portals: Configuration['portals']): Configuration['portals'] {
  const complete = ({ id, baseUrl }: Portal): Portal => ({
    id,
    ...(baseUrl === undefined ? {} : { baseUrl: trimmed(baseUrl) }),
  })
  const { host, guest, otherGuest } = portals
  return {
    host: complete(host),
    ...(guest && { guest: complete(guest) }),
    ...(otherGuest && { otherGuest: complete(otherGuest) }),
  }
}

function completeActors({ actors = {}, portals }: WrittenConfiguration): Configuration['actors'] {
  const configured = portalNames.filter((name) => portals[name] !== undefined)
  return Object.fromEntries(
    Object.entries(actors).map(([name, actor]) => [
      name,
      { portal: defaultPortal(name as ActorName, configured), ...actor },
    ]),
  )
}

const inUse = ({ name, points, errors }: WholeProfile): ProfileInUse => ({ name, points, errors })

/** The configuration goes over the profile, value by value. */
function settled(profile: WholeProfile | undefined, written: Settlements = {}): Settlements {
  const { contract = {}, points = [] } = profile ?? {}
  const closed = points.some(({ point, effect }) => point === 'run-statuses' && effect === 'closes')
  const run = written.run ?? (contract.run && closed ? { ...contract.run, closed } : contract.run)
  const federation = { ...contract.federation, ...written.federation }
  return {
    ...contract,
    ...written,
    ...(run === undefined ? {} : { run }),
    ...(Object.keys(federation).length === 0 ? {} : { federation }),
  }
}

function resolveFixtures(source: FixtureSource, folder: string): FixtureSource {
  if ('module' in source) return { module: resolve(folder, source.module) }
  return 'url' in source ? { url: trimmed(source.url) } : source
}

function completeHttp(
  { timeout = '10s', throttleWait = '30s', ...http }: NonNullable<WrittenConfiguration['http']>,
  { folder, onLoopback }: Circumstances,
): HttpSettings {
  const { ca, cert, key } = http
  return {
    concurrency: onLoopback ? 8 : 4,
    maxAnswerBytes: 2 * 1024 * 1024,
    insecure: false,
    headers: {},
    ...http,
    ...(ca === undefined ? {} : { ca: resolve(folder, ca) }),
    ...(cert === undefined ? {} : { cert: resolve(folder, cert) }),
    ...(key === undefined ? {} : { key: resolve(folder, key) }),
    timeoutMs: milliseconds(timeout),
    throttleWaitMs: milliseconds(throttleWait),
  }
}

function completeRun(
  { settle = '2s', guestRefresh, clockTolerance = '1d', ...run }: NonNullable<WrittenConfiguration['run']>,
  { defaultRuns = 25 }: Circumstances,
): RunSettings {
  return {
    seed: randomInt(2 ** 31),
    runs: defaultRuns,
    ...run,
    settleMs: milliseconds(settle),
    ...(guestRefresh === undefined ? {} : { guestRefreshMs: milliseconds(guestRefresh) }),
    clockToleranceMs: milliseconds(clockTolerance),
  }
}
