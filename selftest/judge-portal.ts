/** Runs the suite in this process on a portal with faults, variants or scarce fixtures. */
import type { Exchange } from '../clauses/exchange.ts'
import { type Configuration, fixturesUrl } from '../deployment/configuration/configuration.ts'
import type { ConfigurationSource } from '../deployment/configuration/configuration-source.ts'
import { loadConfiguration } from '../deployment/configuration/load-configuration.ts'
import {
  type FixtureKind,
  FixtureNotOffered,
  type FixtureProvider,
  fixtureKinds,
} from '../deployment/fixtures/fixture-kinds.ts'
import { serveFixtures } from '../deployment/fixtures/fixture-sources.ts'
import { staticFixtures } from '../deployment/fixtures/static-fixtures.ts'
import type { Served } from '../reference/application.ts'
import { startWatchedPortal } from '../reference/portal.ts'
import type { CheckResult } from '../runner/check-result.ts'
import { runAll } from '../runner/run-all.ts'
import { inputOf } from '../runner/run-input.ts'
import { subSeed } from '../runner/seeds.ts'
import { judgeTraffic } from '../runner/traffic/judge-traffic.ts'
import { exchangeIn } from '../runner/traffic/recordings.ts'
import { withoutUndefined } from '../schemas/values.ts'
import { isGating } from '../specs/outcomes.ts'
import { type RequirementId, requirementOf } from '../specs/requirements.ts'
import { declaredChecks } from '../suites/declared-checks.ts'
import { Rarity } from './power.ts'
import { startPythonPortal } from './python-portal.ts'
import { randomFrom } from './random.ts'
import { Situated, type SituatedFault } from './situations.ts'

/** The logins besides the host's, and whether users may be created. */
export interface Logins {
  readonly guest: boolean
  readonly otherGuest?: true
  readonly users: 'create' | 'none'
}

/** How the portal is altered, and how thoroughly it is judged. */
export interface Alteration {
  /** Takes the portal of examples/portal-python instead of the embedded one. It has no faults or variants. */
  readonly python?: true
  readonly faults?: readonly string[]
  readonly variants?: readonly string[]
  /** A fault of the power table that shows in one of this many requests. 0: never. */
  readonly rare?: { readonly fault: string; readonly oneIn: number }
  /** A fault that shows in one situation only. */
  readonly situated?: SituatedFault
  /** Limits the fixtures. Absent: no limit. */
  readonly scarcity?: Scarcity
  /** Whether an earlier run uses up the fixtures. */
  readonly usedUp?: boolean
  /** Judges the recorded traffic of the run as well. */
  readonly recorded?: true
  readonly seed: number
  readonly runs: number
  /** The name or path of a profile. Default: none. */
  readonly profile?: string
  /** Globs of requirement ids. Default: all. */
  readonly requirements?: readonly string[]
  /** Gives the run nothing but these logins, so that it makes its fixtures. */
  readonly logins?: Logins
}

export interface PortalJudgement {
  readonly checks: readonly CheckResult[]
  /** Failed must and implied requirements, in the order of the contract. */
  readonly failed: readonly RequirementId[]
  /** Advice that was not kept. */
  readonly warned: readonly RequirementId[]
  /** Breaches in the recorded traffic. */
  readonly breaches: readonly RecordedBreach[]
  /** Operation requests that the embedded portal served. */
  readonly requests: number
  /** Requests in which the rare fault could show, or the situation held. */
  readonly looks: number
  /** If the run made its fixtures: what was left, gone or changed at the end. */
  readonly left?: readonly string[]
  readonly durationMs: number
}

interface Started {
  readonly source: ConfigurationSource
  requests(): number
  close(): Promise<void>
}

/** About how many requests a whole run sends. Time limits depend on it, as in a user's run. */
const requestsOf = (cases: number): number => 3000 + 30 * cases

/** Starts the portal, judges it and stops it. Rejects if the suite itself breaks. */
export async function judgePortal(alteration: Alteration): Promise<PortalJudgement> {
  const { seed, runs, requirements = [], rare, situated, scarcity, usedUp = false } = alteration
  const began = performance.now()
  const recording = alteration.recorded === true ? new PortalRecording() : undefined
  const now =
    situated !== undefined
      ? new Situated(situated, seed)
      : rare === undefined
        ? undefined
        : new Rarity(rare.fault, rare.oneIn, seed)
  const portal = await started(alteration, recording, now)
  try {
    const configuration = loadConfiguration(portal.source, { seed, runs }, {})
    const openProvider = await providersOf(configuration, scarcity)
    const judge = async (runId: string): Promise<readonly CheckResult[]> => {
      const provider = await openProvider()
      try {
        const selection = { operations: [], requirements }
        const requests = requestsOf(configuration.run.runs)
        const others = withoutUndefined({ selection, requests, fixturesUrl: provider.url })
        return (await runAll(await declaredChecks(), inputOf(configuration, runId, others))).checks
      } finally {
        await provider.close()
      }
    }
    if (usedUp) await judge('selftest-before')
    const checks = await judge('selftest')
    return {
      ...judgementOf(checks),
      breaches: (await recording?.breaches()) ?? [],
      requests: portal.requests(),
      looks: now?.looks ?? 0,
      durationMs: Math.round(performance.now() - began),
    }
  } finally {
    await portal.close()
  }
}

/** Summarises the results of the checks. */
export function judgementOf(
  checks: readonly CheckResult[],
): Pick<PortalJudgement, 'checks' | 'failed' | 'warned'> {
  const requirementsThat = (end: CheckResult['outcome']) => [
    ...new Set(checks.filter(({ outcome }) => outcome === end).map(({ requirement }) => requirement)),
  ]
  return {
    checks,
    failed: requirementsThat('failed').filter((id) => isGating(requirementOf(id).level)),
    warned: requirementsThat('warned'),
  }
}

async function started(
  { python, faults = [], variants = [], profile = 'none' }: Alteration,
  recording: PortalRecording | undefined,
  now: Rarity | Situated | undefined,
): Promise<Started> {
  if (python === true) {
    const { file, close } = await startPythonPortal()
    return { source: { file }, requests: () => 0, close }
  }
  const watch = recording?.watch ?? now?.watch
  const portal = await startWatchedPortal(
    { faults, variants, latencyMs: now instanceof Situated ? now.latencyMs : 0 },
    {
      ...(now === undefined ? {} : { sometimes: now }),
      ...(watch === undefined ? {} : { watch }),
    },
  )
  const written = portal.configuration
  const value = { ...written, target: { ...written.target, profile } }
  return {
    source: { value, name: 'the embedded portal' },
    requests: () => portal.requests,
    close: portal.close,
  }
}

interface OpenProvider {
  /** Absent: no fixtures at all. */
  readonly url?: string
  close(): Promise<void>
}

/** Opens the fixture provider of one run. */
async function providersOf(
  configuration: Configuration,
  scarcity: Scarcity | undefined,
): Promise<() => Promise<OpenProvider>> {
  const close = async () => {}
  const { run, actors } = configuration
  const url = fixturesUrl(configuration)
  if (url === undefined) return async () => ({ close })
  if (scarcity === undefined) return async () => ({ url, close })
  const random = randomFrom(subSeed(run.seed, 'provider'))
  const provider = await scarceProviders(scarcity, url, { actors }, random)
  return () => serveFixtures(provider())
}

/** A breach in recorded traffic. */
interface RecordedBreach {
  readonly requirement: string
  readonly why: string
}

/** Records the traffic of an embedded portal like a HAR file, and judges it as `validate` does. */
class PortalRecording {
  readonly #entries: object[] = []

  readonly watch = (served: Served): void => {
    this.#entries.push(entryOf(served))
  }

  /** Broken must and implied requirements in the recording. Mistakes of clients are the suite's own and left out. */
  async breaches(): Promise<RecordedBreach[]> {
    const exchanges: Exchange[] = []
    for (const [at, entry] of this.#entries.entries()) {
      const exchange = await exchangeIn(entry, `entry ${at + 1}`)
      if (typeof exchange !== 'string') exchanges.push(exchange)
    }
    return judgeTraffic(exchanges).shown.flatMap(({ requirement, breach }) =>
      breach === undefined || !isGating(requirementOf(requirement).level)
        ? []
        : [{ requirement, why: `${breach.breach.message} (${breach.breach.actual})` }],
    )
  }
}

function entryOf({ arrival, arrivedAt, rendered }: Served): object {
  const { method, headers, body, response, socket } = arrival
  const pairs = (all: Readonly<Record<string, string | string[] | undefined>>) =>
    Object.entries(all).flatMap(([name, value = []]) => [value].flat().map((each) => ({ name, value: each })))
  const type = headers['content-type'] ?? ''
  return {
    startedDateTime: new Date(arrivedAt).toISOString(),
    time: Date.now() - arrivedAt,
    request: {
      method,
      url: `http://${headers.host}${response.req.url}`,
      headers: pairs(headers),
      ...(body.length === 0 ? {} : { postData: { mimeType: type, text: body.toString('utf8') } }),
    },
    response: {
      // Browsers write 0 if no answer came.
      status: socket.destroyed ? 0 : rendered.status,
      headers: pairs(rendered.headers),
      content: {
        size: rendered.body.length,
        mimeType: rendered.headers['content-type'] ?? '',
        text: rendered.body.toString('base64'),
        encoding: 'base64',
      },
    },
  }
}

/** `pool`: a list with this many fixtures of each kind. `failing`: one answer in this many is an error. */
export type Scarcity = { readonly pool: number } | { readonly failing: number }

const owners = ['itemOwner', 'itemOwnerUnprivileged', 'contentAdministrator'] as const
const itemsInEntry = 4

/**
 * Providers with only this many fixtures of each kind, taken from an unlimited provider at that address. Each provider
 * begins with the whole list, as each run does with the list of its configuration.
 */
async function scarceProviders(
  scarcity: Scarcity,
  url: string,
  { actors }: Pick<Configuration, 'actors'>,
  random: () => number,
): Promise<() => FixtureProvider> {
  if ('failing' in scarcity) return () => failing(url, scarcity.failing, random)
  const lists: Partial<Record<FixtureKind, Record<string, unknown>[]>> = {}
  for (const kind of fixtureKinds) {
    // Scheduled syncs of a list would be over before a check asks for them.
    if (kind === 'scheduledSync') continue
    const options = kind === 'items' ? owners.map((owner) => ({ owner, count: itemsInEntry })) : [{}]
    const entries = Array.from({ length: scarcity.pool }, () => options).flat()
    try {
      const list: Record<string, unknown>[] = []
      for (const each of entries) list.push((await ask(url, kind, each)) as Record<string, unknown>)
      lists[kind] = list
    } catch (error) {
      if (!(error instanceof FixtureNotOffered)) throw error
    }
  }
  return () => staticFixtures(lists as Parameters<typeof staticFixtures>[0], actors) as FixtureProvider
}

function failing(url: string, oneIn: number, random: () => number): FixtureProvider {
  const provide = (kind: FixtureKind) => async (options: object) => {
    if (random() * oneIn < 1) throw new Error('out of order, as it is now and then')
    return ask(url, kind, options)
  }
  return Object.fromEntries(fixtureKinds.map((kind) => [kind, provide(kind)])) as FixtureProvider
}

async function ask(url: string, kind: FixtureKind, options: object): Promise<unknown> {
  const answer = await fetch(`${url}/${kind}`, { method: 'POST', body: JSON.stringify(options) })
  if (answer.status === 404) throw new FixtureNotOffered(kind, `no fixture "${kind}" is offered`)
  if (!answer.ok) throw new Error(`the provider answered HTTP ${answer.status} to ${kind}`)
  return answer.json()
}
