/** Fills in what a configuration that is valid leaves out: from its profile, with all that it extends, and from the defaults. */
import { randomInt } from 'node:crypto'
import { resolve } from 'node:path'
import { closest } from 'fastest-levenshtein'
import { issuesOf } from '../../schemas/validators.ts'
import { withoutUndefined } from '../../schemas/without-undefined.ts'
import { openPoints } from '../../specs/open-points.ts'
import { type OperationId, operationIds } from '../../specs/operations.ts'
import { closablePoints, type Profile, type ProfilePoint } from '../../specs/profile.ts'
import { profileOf, profiles } from '../../specs/profiles.ts'
import { actorsOf, completeAdministration, type WrittenAdministration } from '../administration/settings.ts'
import { readCredential, type WrittenCredential } from '../credentials/ready-actors.ts'
import { type ActorName, ofActors, type PortalName, portalNames } from './actors.ts'
import {
  type Actor,
  type Authentication,
  type Configuration,
  type CredentialSource,
  defaultPortal,
  type FixtureSource,
  type HttpSettings,
  loginOf,
  type Portal,
  type ProfileInUse,
  type ProxySettings,
  type RunSettings,
  type Settlements,
} from './configuration.ts'
import { ConfigurationError } from './configuration-error.ts'
import { readSource } from './configuration-source.ts'
import { parseDuration } from './duration.ts'
import { addressesOf } from './network-rules.ts'
import { proxyOfEnvironment } from './proxy-environment.ts'

/** A profile with everything that it extends in it. */
type WholeProfile = Profile & Required<Pick<Profile, 'points' | 'errors'>>

const none = 'none'

/** Whether a profile is named by the path of a file. */
const isPath = (name: string): boolean => /[/\\]|\.(?:ya?ml|json)$/i.test(name)

/**
 * The profile of that name, or in that file, seen from the folder; undefined for `none`.
 * Throws a ConfigurationError that says what is wrong, and in which file.
 */
export function loadProfile(name: string, folder: string): WholeProfile | undefined {
  return name === none ? undefined : load(name, folder, [])
}

function load(name: string, folder: string, through: readonly string[]): WholeProfile {
  const key = isPath(name) ? resolve(folder, name) : name
  if (through.includes(key)) {
    throw new ConfigurationError([`${key}: extends itself: ${[...through, key].join(' extends ')}`])
  }
  const { profile, at } = isPath(name) ? readProfile(key) : { profile: builtIn(name), at: folder }
  const below = profile.extends === undefined ? undefined : load(profile.extends, at, [...through, key])
  return below === undefined ? whole(profile) : merged(below, profile)
}

function builtIn(name: string): Profile {
  const profile = profileOf(name)
  if (profile !== undefined) return profile
  const known = [none, ...profiles.map((each) => each.name)]
  throw new ConfigurationError([
    `there is no profile "${name}"; did you mean ${closest(name, known)}? Known are ${known.join(', ')}; a file is named by its path, such as ./${name}.yaml`,
  ])
}

function readProfile(file: string): { profile: Profile; at: string } {
  const document = readSource({ file })
  const problems = issuesOf('profile', document.value).map(
    ({ path, message }) => `${document.placeOf(path).name}: ${message}`,
  )
  if (problems.length > 0) throw new ConfigurationError(problems)
  const profile = document.value as Profile
  const wrong = (profile.points ?? []).flatMap((point, index) => {
    const problem = problemOf(point)
    return problem === undefined ? [] : [`${document.placeOf(`points[${index}]`).name}: ${problem}`]
  })
  if (wrong.length > 0) throw new ConfigurationError(wrong)
  return { profile, at: document.folder }
}

function problemOf({ point, effect }: ProfilePoint): string | undefined {
  const known = openPoints.map(({ id }) => id as string)
  if (!known.includes(point)) {
    return `there is no open point "${point}"; did you mean ${closest(point, known)}? Known are ${known.join(', ')}`
  }
  if (effect === 'closes' && !closablePoints.some((closable) => closable === point)) {
    return `${point} cannot be closed; what can are ${closablePoints.join(', ')}`
  }
  return undefined
}

const whole = (profile: Profile): WholeProfile => ({ points: [], errors: {}, ...profile })

/** What a profile says goes over what it extends: value by value, point by point. */
function merged(below: WholeProfile, above: Profile): WholeProfile {
  const points = new Map([...below.points, ...(above.points ?? [])].map((point) => [point.point, point]))
  return {
    ...below,
    ...above,
    authentication: { ...below.authentication, ...above.authentication },
    contract: {
      ...below.contract,
      ...above.contract,
      federation: { ...below.contract?.federation, ...above.contract?.federation },
    },
    points: [...points.values()],
    shapes: [...(above.shapes ?? []), ...(below.shapes ?? [])],
    errors: { ...below.errors, ...above.errors },
    durations: { ...below.durations, ...above.durations },
  }
}

interface WrittenActor {
  readonly credential: WrittenCredential
  readonly expired?: WrittenCredential
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
  readonly run?: Partial<Pick<RunSettings, 'seed' | 'runs' | 'maxRequests' | 'plentiful'>> & {
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
  const named = completeActors(written, known.folder)
  return withoutUndefined({
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
    // What makes actors itself makes them all.
    actors: administration === undefined ? withStandIns(named) : { ...actorsOf(administration), ...named },
    administration,
    fixtures: fixtures && resolveFixtures(fixtures, known.folder),
    contract: settled(profile, written.contract),
    profile: profile && inUse(profile),
    effects: operationIds.filter((id) => effects === 'all' || effects.includes(id)),
    http: completeHttp(written.http ?? {}, known, addressesOf(written)),
    run: completeRun(written.run ?? {}, known),
  })
}

function unknownOperations({ profile = 'none' }: WrittenConfiguration['target']): ConfigurationError {
  return new ConfigurationError([
    `administration: the profile ${profile} does not say which administrative operations the deployment has; name one that does: target.profile: arcgis`,
  ])
}

const trimmed = (url: string) => url.replace(/\/+$/, '')

const milliseconds = (duration: string) => parseDuration(duration)!

function completePortals(portals: WrittenConfiguration['portals'] = {}): Configuration['portals'] {
  const complete = ({ id = '', baseUrl }: Partial<Portal>): Portal =>
    withoutUndefined({ id, baseUrl: baseUrl && trimmed(baseUrl) })
  const { host = {}, guest, otherGuest } = portals
  return withoutUndefined({
    host: complete(host),
    guest: guest && complete(guest),
    otherGuest: otherGuest && complete(otherGuest),
  })
}

function completeActors(
  { actors = {}, portals = {} }: WrittenConfiguration,
  folder: string,
): Configuration['actors'] {
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

/** The profile as a run uses it. */
export const inUse = ({ durations = {}, ...profile }: WholeProfile): ProfileInUse => {
  const { name, points, errors, reads, jsonFormats, shapes } = profile
  return withoutUndefined({
    name,
    points,
    errors,
    reads,
    jsonFormats,
    shapes,
    longestMs: longestIn(durations),
  })
}

function longestIn(durations: NonNullable<Profile['durations']>): ProfileInUse['longestMs'] {
  const longest = Object.entries(durations).map(([what, { upTo }]) => [what, milliseconds(upTo)])
  return longest.length === 0 ? undefined : Object.fromEntries(longest)
}

/** The configuration goes over the profile, value by value. */
function settled(profile: WholeProfile | undefined, written: Settlements = {}): Settlements {
  const { contract = {}, points = [] } = profile ?? {}
  const closed = points.some(({ point, effect }) => point === 'run-statuses' && effect === 'closes')
  const run = written.run ?? (contract.run && closed ? { ...contract.run, closed } : contract.run)
  const federation = { ...contract.federation, ...written.federation }
  return withoutUndefined({
    ...contract,
    ...written,
    run,
    federation: Object.keys(federation).length === 0 ? undefined : federation,
  })
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
  return withoutUndefined({
    seed: randomInt(2 ** 31),
    runs: defaultRuns,
    ...run,
    settleMs: milliseconds(settle),
    guestRefreshMs: guestRefresh === undefined ? undefined : milliseconds(guestRefresh),
    clockToleranceMs: milliseconds(clockTolerance),
    timeLimitMs: timeLimit === undefined ? undefined : milliseconds(timeLimit),
  })
}

/** The section http as its schema describes it. */
interface WrittenHttp
  extends Partial<
    Pick<HttpSettings, 'concurrency' | 'requestsPerSecond' | 'maxAnswerBytes' | 'insecure' | 'headers'>
  > {
  readonly timeout?: string
  readonly connectTimeout?: string
  readonly headersTimeout?: string
  readonly bodyTimeout?: string
  readonly throttleWait?: string
  readonly ca?: string
  readonly cert?: string
  readonly key?: string
  readonly proxy?: string
  readonly noProxy?: readonly string[]
  readonly version?: '1.1' | '2'
}

function completeHttp(
  written: WrittenHttp,
  known: Circumstances,
  addresses: readonly string[],
): HttpSettings {
  const {
    timeout = '10s',
    connectTimeout = '5s',
    headersTimeout,
    bodyTimeout,
    throttleWait = '30s',
    ...http
  } = written
  const { ca, cert, key, proxy, noProxy, version, ...others } = http
  const timeoutMs = milliseconds(timeout)
  // What is no shorter than the time-out of the whole can never end anything.
  const phase = (duration = timeout) => {
    const ms = milliseconds(duration)
    return ms < timeoutMs ? ms : undefined
  }
  const file = (path: string | undefined) => path && resolve(known.folder, path)
  return withoutUndefined({
    concurrency: known.onLoopback ? 8 : 4,
    maxAnswerBytes: 2 * 1024 * 1024,
    insecure: false,
    headers: {},
    ...others,
    ca: file(ca),
    cert: file(cert),
    key: file(key),
    proxy:
      proxy === undefined
        ? proxyOfEnvironment(known.environment, addresses, noProxy).proxy
        : configured(proxy, noProxy),
    version: version === '2' ? version : undefined,
    timeoutMs,
    connectTimeoutMs: phase(connectTimeout),
    headersTimeoutMs: phase(headersTimeout),
    bodyTimeoutMs: phase(bodyTimeout),
    throttleWaitMs: milliseconds(throttleWait),
  })
}

/** One for all, which the environment does not touch. */
function configured(url: string, except: readonly string[] = []): ProxySettings {
  const proxy = { url, from: 'http.proxy' }
  return { http: proxy, https: proxy, except, loopback: true }
}
