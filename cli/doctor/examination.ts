/** What `doctor` finds out about a target and its configuration. */
import { internalNumberIn, releaseIn } from '../../deployment/administration/find-deployment.ts'
import { type ActorName, actorNames, portalNames } from '../../deployment/configuration/actors.ts'
import { type Configuration, listedFixtures } from '../../deployment/configuration/configuration.ts'
import { fixtureKinds, furtherKinds } from '../../deployment/fixtures/fixture-kinds.ts'
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
import type { FixtureFinding } from '../fixtures/fixture-conformance.ts'
import { forecastOf } from './forecast.ts'

interface Found {
  /** With the credentials that work. */
  readonly configuration: Configuration
  /** The release in the configuration file. */
  readonly configuredVersion?: string | undefined
  readonly base: BaseAnswers
  /** Whether a page distinguishes a credential that works from an invented one. */
  readonly credentialsTried: boolean
  /** What the fixture provider handed out; absent: not asked. */
  readonly findings?: readonly FixtureFinding[] | undefined
}

/** What `doctor --json` prints. */
export type Examination = Awaited<ReturnType<typeof examination>>

/** Puts together what was found with what follows from it. Sends nothing. */
export async function examination({
  configuration,
  configuredVersion,
  base,
  credentialsTried,
  findings,
}: Found) {
  const { target, effects } = configuration
  const whole = planChecks(await declaredChecks(), configuration, everything)
  const planned = findings === undefined ? whole : withFindings(whole, findings)
  const credentials = credentialsOf(configuration, credentialsTried)
  const isBroken =
    credentials.some(({ outcome }) => outcome === 'broken') ||
    findings?.some(({ outcome }) => outcome === 'failed') === true
  const forecast = forecastOf(planned, configuration)
  const { needs, made, added, deletion, judged, requests, add } = forecast
  const medianMs = base.latency?.medianMs
  return withoutUndefined({
    baseUrl: target.baseUrl,
    base,
    version: target.version,
    versionFrom: target.version && (configuredVersion === undefined ? 'deployment' : 'configuration'),
    leftOut: leftOutOf(target, configuredVersion),
    ownAddresses: ownAddressesOf(configuration),
    credentials,
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
    // Absent: the latency is not known.
    estimate: medianMs === undefined ? undefined : { requests, durationMs: forecast.durationMs(medianMs) },
    add,
    outcome: isBroken ? 'broken' : 'ready',
  })
}

/** Guests that name another address than the configuration. */
function ownAddressesOf({ portals }: Configuration) {
  return portalNames.flatMap((portal) => {
    const url = portals[portal]?.ownUrl
    return url === undefined ? [] : [{ portal, url }]
  })
}

/** What a run does not judge because of the release or the edition, one line each. */
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

/** Must and implied requirements that a check of the plan judges. */
function countRequirements(planned: readonly PlannedCheck[]) {
  const gating = planned.filter(({ requirement, without }) => {
    return isGating(requirementOf(requirement).level) && without?.outcome !== 'not-applicable'
  })
  const judged = gating.filter(({ without }) => without === undefined)
  const count = (checks: readonly PlannedCheck[]): number =>
    new Set(checks.map(({ requirement }) => requirement)).size
  return { judged: count(judged), all: count(gating) }
}

export interface Credential {
  readonly actor: ActorName
  /**
   * `not-tried`: no page distinguishes a credential that works from another. `made`: the run makes this user. `not-made`:
   * the run would make this user, but cannot here.
   */
  readonly outcome: 'works' | 'not-tried' | 'made' | 'not-made' | 'broken'
  readonly reason?: string
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

/** Where fixtures come from. Of lists: the number of entries by kind, and what earlier runs used up. */
function fixturesOf(configuration: Configuration) {
  const { fixtures, administration, usedFixtures: used } = configuration
  const pools = listedFixtures(configuration)
  const counts = pools && fixtureKinds.map((kind) => [kind, pools[kind]?.length ?? 0] as const)
  const none = administration === undefined ? 'none' : 'administration'
  const kinds = ['url', 'module', 'command', 'static'] as const
  return {
    source: kinds.find((kind) => fixtures !== undefined && kind in fixtures) ?? none,
    listed: counts && Object.fromEntries(counts.filter(([, count]) => count > 0)),
    // A copy: a declaration cannot name the type of the original.
    used: pools && used && { ...used },
  }
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

type BaseAnswers = Awaited<ReturnType<typeof askBase>>

/** Sends GET requests that change nothing, until the signal is aborted. */
export async function askBase(configuration: Configuration, signal: AbortSignal) {
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
  const [median, largest] = [times[Math.floor(times.length / 2)], times.at(-1)]
  const roots = answers.map(bodyFields)
  return withoutUndefined({
    // Absent: no complete answer came.
    latency:
      median === undefined || largest === undefined
        ? undefined
        : { answers: times.length, medianMs: rounded(median), largestMs: rounded(largest) },
    // The release that the base URL names; may be wrong.
    release: roots.map(releaseIn).find((each) => each !== undefined),
    // `currentVersion`: an internal number, easily mistaken for the release.
    internalNumber: roots.map(internalNumberIn).find((each) => each !== undefined),
  })
}

const rounded = (ms: number): number => Math.round(ms * 10) / 10
