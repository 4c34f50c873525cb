/** What `doctor` finds out about a target and its configuration. */
import { internalNumberIn, releaseIn } from '../../deployment/administration/find-deployment.ts'
import {
  type ActorName,
  actorNames,
  type PortalName,
  portalNames,
} from '../../deployment/configuration/actors.ts'
import { type Configuration, listedFixtures } from '../../deployment/configuration/configuration.ts'
import { type FixtureKind, fixtureKinds, furtherKinds } from '../../deployment/fixtures/fixture-kinds.ts'
import { Client } from '../../deployment/http/client.ts'
import { type Answer, bodyFields, TransportError } from '../../deployment/http/exchange.ts'
import { type PlannedCheck, planChecks } from '../../runner/plan.ts'
import { everything } from '../../runner/run-input.ts'
import { withoutUndefined } from '../../schemas/values.ts'
import { type OperationId, operationIds } from '../../specs/operations.ts'
import { isGating } from '../../specs/outcomes.ts'
import { coverageOf } from '../../specs/releases.ts'
import { requirementOf } from '../../specs/requirements.ts'
import { declaredChecks } from '../../suites/declared-checks.ts'
import type { FixtureFinding } from '../fixtures/fixture-judgement.ts'
import { type Forecast, forecastOf } from './forecast.ts'

export interface Credential {
  readonly actor: ActorName
  /**
   * `not-tried`: no page distinguishes a credential that works from another. `made`: the run makes this user. `not-made`:
   * the run would make this user, but cannot here.
   */
  readonly outcome: 'works' | 'not-tried' | 'made' | 'not-made' | 'broken'
  readonly reason?: string
}

export interface Fixtures extends Pick<Forecast, 'needs' | 'made' | 'added'> {
  readonly source: 'none' | 'administration' | 'url' | 'module' | 'command' | 'static'
  /** The number of entries by kind, if the configuration lists fixtures. */
  readonly listed?: Readonly<Partial<Record<FixtureKind, number>>>
  /** What asking the provider showed; absent: not asked. */
  readonly findings?: readonly FixtureFinding[]
  /** What earlier runs used up of the lists, by kind, and the file that remembers it. */
  readonly used?: NonNullable<Configuration['usedFixtures']>
}

export interface Examination {
  readonly baseUrl: string
  readonly base: BaseAnswers
  /** The release that a run judges by, and its source. */
  readonly version?: string
  readonly versionFrom?: 'configuration' | 'deployment'
  /** What a run does not judge because of the release or the edition, one line each. */
  readonly leftOut: readonly string[]
  /** Guests that name another address than the configuration. */
  readonly ownAddresses: readonly { readonly portal: PortalName; readonly url: string }[]
  readonly credentials: readonly Credential[]
  /** Further mistakes, one line each. */
  readonly notices?: readonly string[]
  readonly notOffered: readonly ActorName[]
  readonly fixtures: Fixtures
  readonly effects: {
    readonly allowed: readonly string[]
    readonly notAllowed: readonly string[]
    readonly deletion?: string
  }
  readonly checks: { readonly judged: number; readonly all: number }
  /** Must and implied requirements that a check of the plan judges. */
  readonly requirements: { readonly judged: number; readonly all: number }
  /** Absent: the latency is not known. */
  readonly estimate?: { readonly requests: number; readonly durationMs: number }
  readonly add: Forecast['add']
  readonly outcome: 'ready' | 'broken'
}

interface Found {
  /** The release in the configuration file. */
  readonly configuredVersion?: string | undefined
  /** With the credentials that work. */
  readonly configuration: Configuration
  readonly base: BaseAnswers
  /** Whether a page distinguishes a credential that works from an invented one. */
  readonly credentialsTried: boolean
  /** What the fixture provider handed out; absent: not asked. */
  readonly findings?: readonly FixtureFinding[] | undefined
}

/** Puts together what was found with what follows from it. Sends nothing. */
export async function examination({
  configuration,
  configuredVersion,
  base,
  credentialsTried,
  findings,
}: Found): Promise<Examination> {
  const { target, effects } = configuration
  const whole = planChecks(await declaredChecks(), configuration, everything)
  const planned = findings === undefined ? whole : withFindings(whole, findings)
  const credentials = credentialsOf(configuration, credentialsTried)
  const broken =
    credentials.some(({ outcome }) => outcome === 'broken') ||
    findings?.some(({ outcome }) => outcome === 'failed') === true
  const { needs, made, added, deletion, judged, requests, durationMs, add } = forecastOf(
    planned,
    configuration,
  )
  const medianMs = base.latency?.medianMs
  return withoutUndefined({
    baseUrl: target.baseUrl,
    base,
    version: target.version,
    versionFrom: versionFrom(target, configuredVersion),
    leftOut: leftOutOf(target, configuredVersion),
    ownAddresses: ownAddressesOf(configuration),
    credentials,
    notices: configuration.notices,
    notOffered: actorNames.filter((name) => credentials.every(({ actor }) => actor !== name)),
    fixtures: withoutUndefined({ ...fixturesOf(configuration), needs, added, made, findings }),
    effects: withoutUndefined({
      allowed: effects,
      notAllowed: operationIds.filter((id) => !effects.includes(id)),
      deletion,
    }),
    checks: {
      judged,
      all: planned.filter(({ without }) => without?.outcome !== 'not-applicable').length,
    },
    requirements: countRequirements(planned),
    estimate: medianMs === undefined ? undefined : { requests, durationMs: durationMs(medianMs) },
    add,
    outcome: broken ? 'broken' : 'ready',
  })
}

function versionFrom(
  { version }: Configuration['target'],
  configured: string | undefined,
): 'configuration' | 'deployment' | undefined {
  if (version === undefined) return undefined
  return configured === undefined ? 'deployment' : 'configuration'
}

function ownAddressesOf({ portals }: Configuration): Examination['ownAddresses'] {
  return portalNames.flatMap((portal) => {
    const url = portals[portal]?.ownUrl
    return url === undefined ? [] : [{ portal, url }]
  })
}

/** Why a run does not judge some operations, as warnings. */
function leftOutOf(
  { version, edition, offers }: Configuration['target'],
  configured: string | undefined,
): string[] {
  const isLeftOut = (id: OperationId): boolean => !offers.includes(id)
  const named = configured === undefined ? 'the release is' : 'target.version is'
  return [
    [`${named} ${version}`, coverageOf({ version }, isLeftOut)] as const,
    [`target.edition is ${edition}`, coverageOf({ edition }, isLeftOut)] as const,
  ].flatMap(([said, coverage]) => {
    if (coverage === undefined) return []
    const count = coverage.of - coverage.judged
    const operations = count === 1 ? '1 operation is' : `${count} operations are`
    return [`${said}: ${operations} not judged (${coverage.why})`]
  })
}

function countRequirements(planned: readonly PlannedCheck[]): Examination['requirements'] {
  const gating = planned.filter(({ requirement, without }) => {
    return isGating(requirementOf(requirement).level) && without?.outcome !== 'not-applicable'
  })
  const judged = gating.filter(({ without }) => without === undefined)
  const count = (checks: readonly PlannedCheck[]): number =>
    new Set(checks.map(({ requirement }) => requirement)).size
  return { judged: count(judged), all: count(gating) }
}

function credentialsOf({ actors, absent = {}, administration }: Configuration, tried: boolean): Credential[] {
  const noUsers = administration?.createsUsers === false ? administration.lacks.eligibleUser : undefined
  return actorNames.flatMap((actor): Credential[] => {
    const reason = absent[actor]
    if (reason !== undefined) return [{ actor, outcome: reason === noUsers ? 'not-made' : 'broken', reason }]
    if (actors[actor]?.made === true) return [{ actor, outcome: 'made' }]
    return actors[actor] === undefined ? [] : [{ actor, outcome: tried ? 'works' : 'not-tried' }]
  })
}

function fixturesOf(configuration: Configuration): Omit<Fixtures, 'needs'> {
  const { fixtures, administration, usedFixtures: used } = configuration
  if (fixtures === undefined) return { source: administration === undefined ? 'none' : 'administration' }
  const pools = listedFixtures(configuration)
  if (pools === undefined) {
    return { source: 'url' in fixtures ? 'url' : 'module' in fixtures ? 'module' : 'command' }
  }
  const counts = fixtureKinds.map((kind) => [kind, pools[kind]?.length ?? 0] as const)
  const listed = Object.fromEntries(counts.filter(([, count]) => count > 0))
  return withoutUndefined({ source: 'static', listed, used })
}

/** The plan without the checks whose fixtures the provider turned out not to hand out. */
function withFindings(planned: readonly PlannedCheck[], findings: readonly FixtureFinding[]): PlannedCheck[] {
  const had = findings.filter(({ outcome }) => outcome === 'passed' || outcome === 'warned')
  return planned.map((check) => {
    const missing = check.fixtures.filter(
      (kind) => !furtherKinds.includes(kind) && had.every((each) => each.kind !== kind),
    )
    if (missing.length === 0 || check.without?.outcome === 'not-applicable') return check
    const reason = check.without?.reason ?? `the fixture provider hands out no ${missing.join(', ')}`
    const add = [...new Set([...(check.without?.add ?? []), ...missing.map((kind) => `fixtures.${kind}`)])]
    return { ...check, without: { outcome: 'not-tested', reason, add } }
  })
}

/** Few, because a slow target must not delay `doctor`. */
const tries = 7

interface Latency {
  /** The number of answers. */
  readonly answers: number
  /** In milliseconds. */
  readonly medianMs: number
  readonly largestMs: number
}

export interface BaseAnswers {
  /** Absent: no complete answer came. */
  readonly latency?: Latency
  /** The release that the base URL names; may be wrong. */
  readonly release?: string
  /** `currentVersion` at the base URL: an internal number, easily mistaken for the release. */
  readonly internalNumber?: string
}

/** Sends GET requests that change nothing, until the signal is aborted. */
export async function askBase(configuration: Configuration, signal: AbortSignal): Promise<BaseAnswers> {
  const client = new Client(configuration, { signal })
  const answers: Answer[] = []
  try {
    while (answers.length < tries && !signal.aborted)
      answers.push(await client.send({ portal: 'host', path: '', fields: [['f', 'json']], method: 'GET' }))
  } catch (error) {
    if (!(error instanceof TransportError)) throw error
  } finally {
    await client.close()
  }
  const times = answers.map(({ sentAt, answeredAt }) => answeredAt - sentAt).sort((a, b) => a - b)
  if (times.length === 0) return {}
  const roots = answers.map(bodyFields)
  const release = roots.map(releaseIn).find((each) => each !== undefined)
  const internalNumber = roots.map(internalNumberIn).find((each) => each !== undefined)
  const latency = {
    answers: times.length,
    medianMs: rounded(times[Math.floor(times.length / 2)] as number),
    largestMs: rounded(times.at(-1) as number),
  }
  return withoutUndefined({ latency, release, internalNumber })
}

const rounded = (ms: number): number => Math.round(ms * 10) / 10
