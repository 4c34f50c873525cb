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
  portalNames,
  type RunSettings,
  type Settlements,
} from './configuration.ts'
import { parseDuration } from './duration.ts'
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
  return {
    target: {
      ...target,
      baseUrl: trimmed(target.baseUrl),
      profile: resolveProfile(target.profile ?? 'none', known.folder),
      offers: target.offers ?? [],
    },
    authentication: { in: 'form', name: 'token', prefix: '', ...written.authentication },
    portals: completePortals(written.portals),
    actors: completeActors(written),
    ...(fixtures === undefined ? {} : { fixtures: resolveFixtures(fixtures, known.folder) }),
    contract: written.contract ?? {},
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

// A name is looked up among the built-in profiles, a path starts at the configuration.
function resolveProfile(profile: string, folder: string): string {
  return /[/\\]|\.(?:ya?ml|json)$/i.test(profile) ? resolve(folder, profile) : profile
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
