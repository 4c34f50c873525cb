/** Runs the suite in this process on a portal with faults, variants or scarce fixtures. */
import type { Exchange } from '../clauses/exchange.ts'
import { type Configuration, runningProvider } from '../deployment/configuration/configuration.ts'
import { loadConfiguration } from '../deployment/configuration/load-configuration.ts'
import { FixtureClient } from '../deployment/fixtures/fixture-client.ts'
import {
  type FixtureKind,
  FixtureNotOffered,
  type FixtureProvider,
  fixtureKinds,
  providerBy,
} from '../deployment/fixtures/fixture-kinds.ts'
import { staticFixtures } from '../deployment/fixtures/static-fixtures.ts'
import type { Served } from '../reference/application.ts'
import { startWatchedPortal } from '../reference/portal.ts'
import type { CheckResult } from '../runner/check-result.ts'
import { type RunEnd, runAll } from '../runner/run-all.ts'
import { inputOf } from '../runner/run-input.ts'
import { numbersFrom, subSeed } from '../runner/seeds.ts'
import { judgeTraffic } from '../runner/traffic/judged-traffic.ts'
import { exchangeIn } from '../runner/traffic/recordings.ts'
import { withoutUndefined } from '../schemas/values.ts'
import { isGating } from '../specs/outcomes.ts'
import { requirementOf } from '../specs/requirements.ts'
import { declaredChecks } from '../suites/declared-checks.ts'
import { intermittent } from './sometimes.ts'
import type { Alteration, Judged } from './trial.ts'

/** A judgement with the results of all checks. */
export interface PortalJudgement extends Judged {
  readonly checks: readonly CheckResult[]
}

/** About how many requests a whole run sends. Time limits depend on it, as in a user's run. */
const requestsOf = (cases: number): number => 3000 + 30 * cases

/** Starts the portal, judges it and stops it. Rejects if the suite itself breaks. */
export async function judgePortal(alteration: Alteration): Promise<PortalJudgement> {
  const { faults = [], variants = [], profile = 'none', seed, runs, requirements = [] } = alteration
  const began = performance.now()
  const recording: object[] = []
  const record = alteration.recorded && ((served: Served) => void recording.push(entryOf(served)))
  const sometimes = alteration.sometimes && intermittent(alteration.sometimes, seed)
  const portal = await startWatchedPortal(
    { faults, variants, latencyMs: sometimes?.latencyMs ?? 0 },
    withoutUndefined({ sometimes, watch: record ?? sometimes?.watch }),
  )
  try {
    const { target, ...written } = portal.configuration
    const source = { value: { ...written, target: { ...target, profile } }, name: 'the embedded portal' }
    const configuration = loadConfiguration(source, { seed, runs }, {})
    const newProvider = alteration.scarcity && (await scarceProviders(alteration.scarcity, configuration))
    const judge = async (runId: string): Promise<RunEnd> => {
      const selection = { operations: [], requirements }
      const others = { selection, requests: requestsOf(configuration.run.runs), provider: newProvider?.() }
      return runAll(await declaredChecks(), inputOf(configuration, runId, withoutUndefined(others)))
    }
    if (alteration.usedUp) await judge('selftest-before')
    return {
      ...judgementOf(await judge('selftest')),
      wrongs: await breachesIn(recording),
      durationMs: Math.round(performance.now() - began),
    }
  } finally {
    await portal.close()
  }
}

/** Summarises the results of a run. */
export function judgementOf({ checks }: RunEnd): Pick<PortalJudgement, 'checks' | 'open' | 'failed'> {
  const open = checks
    .filter(({ outcome }) => outcome !== 'passed')
    .map(({ id, requirement, outcome, failure, reason }) => ({
      id,
      requirement,
      outcome,
      why: failure?.message ?? reason ?? '',
    }))
  const failed = open.filter(({ outcome }) => outcome === 'failed').map(({ requirement }) => requirement)
  return { checks, open, failed: [...new Set(failed)].filter((id) => isGating(requirementOf(id).level)) }
}

/**
 * Broken must and implied requirements in the traffic, judged as `validate` judges a HAR file. Mistakes of clients are the
 * suite's own and left out.
 */
async function breachesIn(recording: readonly object[]): Promise<string[]> {
  const exchanges: Exchange[] = []
  for (const [at, entry] of recording.entries()) {
    const exchange = await exchangeIn(entry, `entry ${at + 1}`)
    if (typeof exchange !== 'string') exchanges.push(exchange)
  }
  return judgeTraffic(exchanges).shown.flatMap(({ requirement, breach }) =>
    breach === undefined || !isGating(requirementOf(requirement).level)
      ? []
      : [`in recorded traffic: ${requirement}: ${breach.breach.message} (${breach.breach.actual})`],
  )
}

/** The request and its answer as an entry of a HAR file. */
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

const owners = ['itemOwner', 'itemOwnerUnprivileged', 'contentAdministrator'] as const
const itemsInEntry = 4

/**
 * Makes providers with only this many fixtures of each kind, taken from the configured one. Each provider begins with
 * the whole list, as each run does with the list of its configuration.
 */
async function scarceProviders(
  scarcity: NonNullable<Alteration['scarcity']>,
  configuration: Configuration,
): Promise<() => FixtureProvider> {
  const client = new FixtureClient(runningProvider(configuration))
  if ('failing' in scarcity) {
    const draw = numbersFrom(subSeed(configuration.run.seed, 'provider'))
    const failing = providerBy(async (kind, options) => {
      if (draw() % scarcity.failing === 0) throw new Error('out of order, as it is now and then')
      return client.obtain(kind, options)
    })
    return () => failing
  }
  const lists: Partial<Record<FixtureKind, object[]>> = {}
  for (const kind of fixtureKinds) {
    // Scheduled syncs of a list would be over before a check asks for them.
    if (kind === 'scheduledSync') continue
    const options = kind === 'items' ? owners.map((owner) => ({ owner, count: itemsInEntry })) : [{}]
    const entries = Array.from({ length: scarcity.pool }, () => options).flat()
    try {
      const list: object[] = []
      for (const each of entries) list.push(await client.obtain(kind, each as never))
      lists[kind] = list
    } catch (error) {
      if (!(error instanceof FixtureNotOffered)) throw error
    }
  }
  const { actors } = configuration
  return () => staticFixtures(lists as Parameters<typeof staticFixtures>[0], actors)
}
