/** Fills the defaults of a configuration that is valid. */
import { randomInt } from 'node:crypto'
import { resolve } from 'node:path'
import { type OperationId, operationIds } from '../../specs/operations.ts'
import { actorsOf, completeAdministration, type WrittenAdministration } from '../administration/settings.ts'
import { readCredential, type WrittenCredential } from '../credentials/written-credential.ts'
import {
  type ActorName,
  type Authentication,
  type Configuration,
  type FixtureSource,
  type Portal,
  type PortalName,
  type ProfileInUse,
  portalNames,
  type RunSettings,
  type Settlements,
} from './configuration.ts'
import { ConfigurationError } from './configuration-error.ts'
import { parseDuration } from './duration.ts'
import { completeHttp, type WrittenHttp } from './http-defaults.ts'
import { loadProfile, type WholeProfile } from './load-profile.ts'
import { addressesOf } from './network-rules.ts'
import { defaultPortal } from './portal-of-actor.ts'

interface WrittenActor {
  readonly credential: WrittenCredential
  readonly username?: string
  readonly portal?: PortalName
}

type WrittenFixtures = Exclude<FixtureSource, { command: string }> | { readonly command: string }

/** A configuration as its schema describes it. */
export interface WrittenConfiguration {
  readonly target: Partial<Configuration['target']> & { readonly baseUrl: string }
  readonly authentication?: Partial<Authentication>
  /** Ids may be missing where there is an administration, which finds them out. */
  readonly portals?: Partial<Record<PortalName, { readonly id?: string; readonly baseUrl?: string }>>
  readonly actors?: Partial<Record<ActorName, WrittenActor>>
  readonly fixtures?: WrittenFixtures
  readonly administration?: WrittenAdministration
  readonly contract?: Settlements
  readonly effects?: 'all' | readonly (OperationId | 'administration')[]
  readonly http?: WrittenHttp
  readonly run?: Partial<Pick<RunSettings, 'seed' | 'runs' | 'maxRequests'>> & {
    readonly settle?: string
    readonly guestRefresh?: string
    readonly clockTolerance?: string
    readonly timeLimit?: string
  }
}

interface Circumstances {
  readonly environment: NodeJS.ProcessEnv
  /** Relative paths start here. */
  readonly folder: string
  readonly defaultRuns: number | undefined
  readonly onLoopback: boolean
}

export function completeConfiguration(written: WrittenConfiguration, known: Circumstances): Configuration {
  const { target, fixtures, effects = 'all' } = written
  const profile = loadProfile(target.profile ?? 'none', known.folder)
  const portals = completePortals(written.portals)
  const administration = completeAdministration(written, known.folder)
  if (administration !== undefined && profile?.administration === undefined) throw unknownOperations(target)
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
    portals,
    actors: {
      ...(administration === undefined ? {} : actorsOf(administration)),
      ...completeActors(written, known.folder),
    },
    ...(administration === undefined ? {} : { administration }),
    ...(fixtures === undefined ? {} : { fixtures: resolveFixtures(fixtures, known.folder) }),
    contract: settled(profile, written.contract),
    ...(profile === undefined ? {} : { profile: inUse(profile) }),
    effects: operationIds.filter((id) => effects === 'all' || effects.includes(id)),
    http: completeHttp(written.http ?? {}, { ...known, addresses: addressesOf(written) }),
    run: completeRun(written.run ?? {}, known),
  }
}

function unknownOperations({ profile = 'none' }: WrittenConfiguration['target']): ConfigurationError {
  return new ConfigurationError([
    `administration: the profile ${profile} does not say which administrative operations the deployment has; name one that does: target.profile: arcgis`,
  ])
}

const trimmed = (url: string) => url.replace(/\/+$/, '')

const milliseconds = (duration: string) => parseDuration(duration)!

function completePortals(portals: WrittenConfiguration['portals'] = {}): Configuration['portals'] {
  const complete = ({ id = '', baseUrl }: Partial<Portal>): Portal => ({
    id,
    ...(baseUrl === undefined ? {} : { baseUrl: trimmed(baseUrl) }),
  })
  const { host = {}, guest, otherGuest } = portals
  return {
    host: complete(host),
    ...(guest && { guest: complete(guest) }),
    ...(otherGuest && { otherGuest: complete(otherGuest) }),
  }
}

function completeActors(
  { actors = {}, portals = {} }: WrittenConfiguration,
  folder: string,
): Configuration['actors'] {
  const configured = portalNames.filter((name) => portals[name] !== undefined)
  return Object.fromEntries(
    Object.entries(actors).map(([name, actor]) => [
      name,
      {
        portal: defaultPortal(name as ActorName, configured),
        ...actor,
        ...readCredential(actor.credential, folder),
      },
    ]),
  )
}

const inUse = ({ name, points, errors, reads }: WholeProfile): ProfileInUse => ({
  name,
  points,
  errors,
  ...(reads === undefined ? {} : { reads }),
})

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

function resolveFixtures(source: WrittenFixtures, folder: string): FixtureSource {
  if ('command' in source) return { command: source.command, folder }
  if ('module' in source) return { module: resolve(folder, source.module) }
  return 'url' in source ? { url: trimmed(source.url) } : source
}

function completeRun(
  {
    settle = '2s',
    guestRefresh,
    clockTolerance = '1d',
    timeLimit,
    ...run
  }: NonNullable<WrittenConfiguration['run']>,
  { defaultRuns = 25 }: Circumstances,
): RunSettings {
  return {
    seed: randomInt(2 ** 31),
    runs: defaultRuns,
    ...run,
    settleMs: milliseconds(settle),
    ...(guestRefresh === undefined ? {} : { guestRefreshMs: milliseconds(guestRefresh) }),
    clockToleranceMs: milliseconds(clockTolerance),
    ...(timeLimit === undefined ? {} : { timeLimitMs: milliseconds(timeLimit) }),
  }
}
