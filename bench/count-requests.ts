/** Counts how many requests each check sends, and fixtures a run uses up, on the embedded portal, and writes what an estimate of a run rests on: `npm run count-requests`. */
import { AsyncLocalStorage } from 'node:async_hooks'
import { writeFile } from 'node:fs/promises'
import { runConformance } from '../cli/api.ts'
import { counts as before, type Counts, countedKind } from '../cli/doctor/run-estimate.ts'
import { loadConfiguration } from '../deployment/configuration/load-configuration.ts'
import { FixtureClient } from '../deployment/fixtures/fixture-client.ts'
import { type FixtureProvider, fixtureKinds } from '../deployment/fixtures/fixture-kinds.ts'
import { type EmbeddedPortal, startPortal } from '../reference/portal.ts'
import type { Results } from '../reporters/results.ts'
import { runCheck } from '../runner/run-check.ts'
import { inputOf } from '../runner/run-input.ts'
import { Session } from '../runner/session.ts'
import { declaredChecks } from '../suites/declared-checks.ts'

const file = new URL('../../cli/doctor/counted.json', import.meta.url)
const { measuredRuns, countedRuns } = before

/** Requests by check, and fixtures that were used up by kind; of each run one number. */
const requests = new Map<string, number[]>()
const usedUp: Map<string, number>[] = []
/** Workspaces that were added, of each run one number. */
const workspaces: number[] = []
for (const runs of measuredRuns) {
  process.stdout.write(`--runs ${runs}\n`)
  await onPortal(async ({ configuration }) => {
    const onCheck = ({ id, requests: sent }: { readonly id: string; readonly requests: number }) =>
      requests.set(id, [...(requests.get(id) ?? []), sent])
    const fixtures = counting(configuration.fixtures.url)
    const { exchanges } = await runConformance({
      ...{ configuration: sparing(configuration), seed: 1, runs, onCheck, fixtures },
    })
    workspaces.push(addedIn(exchanges))
  })
}

/** Fixtures by kind and check, one number for each of `countedRuns`. */
const fixtures = new Map<string, Map<string, number[]>>()
for (const [at, runs] of countedRuns.entries()) {
  process.stdout.write(`fixtures for --runs ${runs}\n`)
  await onPortal((portal) =>
    count(portal, runs, (check, kind, more) => {
      const checks = fixtures.get(kind) ?? new Map<string, number[]>()
      fixtures.set(kind, checks)
      const counted = checks.get(check) ?? countedRuns.map(() => 0)
      checks.set(check, counted)
      counted[at] = (counted[at] as number) + more
    }),
  )
}

const counts: Counts = {
  measuredRuns,
  countedRuns,
  requestsOfChecks: byCheck(requests, (sent) => (new Set(sent).size === 1 ? (sent[0] as number) : sent)),
  workspacesOfRuns: workspaces,
  fixturesOfRuns: Object.fromEntries(
    Object.keys(before.fixturesOfRuns).map((key) => [key, usedUp.map((used) => used.get(key) ?? 0)]),
  ) as unknown as Counts['fixturesOfRuns'],
  fixturesOfChecks: sorted(fixtures, (checks) => byCheck(checks, (counted) => counted)),
}
await writeFile(
  file,
  `${JSON.stringify({ generated: 'by npm run count-requests', ...counts }, undefined, 2)}\n`,
)

function addedIn(exchanges: Results['exchanges']): number {
  return (exchanges?.callers ?? [])
    .filter(({ operation }) => operation === 'add-workspace')
    .reduce((sum, { accepted, broken }) => sum + accepted + broken, 0)
}

async function onPortal(body: (portal: EmbeddedPortal) => Promise<void>): Promise<void> {
  const portal = await startPortal()
  try {
    await body(portal)
  } finally {
    await portal.close()
  }
}

/** As where fixtures cost something. */
function sparing({ run, ...others }: EmbeddedPortal['configuration']): EmbeddedPortal['configuration'] {
  return { ...others, run: { ...run, plentiful: false } }
}

/** What a profile adds depends on the profile, and is left out. */
function byCheck<Value, Written>(values: ReadonlyMap<string, Value>, write: (value: Value) => Written) {
  return sorted(new Map([...values].filter(([id]) => !id.startsWith('profile/'))), write)
}

function sorted<Value, Written>(
  values: ReadonlyMap<string, Value>,
  write: (value: Value) => Written,
): Record<string, Written> {
  const entries = [...values].sort(([one], [other]) => (one < other ? -1 : 1))
  return Object.fromEntries(entries.map(([key, value]) => [key, write(value)]))
}

/** A provider that counts what it hands out of another one. */
function counting(url: string): FixtureProvider {
  const client = new FixtureClient(url)
  const used = new Map<string, number>()
  usedUp.push(used)
  const offers = fixtureKinds.map((kind) => [
    kind,
    (options: { readonly owner?: string; readonly count?: number }) => {
      const key = kind === 'items' ? `items.${options.owner}` : kind
      used.set(key, (used.get(key) ?? 0) + (options.count ?? 1))
      return client.obtain(kind, options as never)
    },
  ])
  return Object.fromEntries(offers) as FixtureProvider
}

/** Makes a run, and tells each fixture that is asked for with the check in whose name it is. */
async function count(
  portal: EmbeddedPortal,
  runs: number,
  tell: (check: string, kind: string, count: number) => void,
): Promise<void> {
  const configuration = loadConfiguration(
    { value: sparing(portal.configuration), name: 'the embedded portal' },
    { seed: 1, runs },
    {},
  )
  const session = new Session(inputOf(configuration, 'pc-counting'))
  const running = new AsyncLocalStorage<string>()
  const { pool } = session
  const draw = pool.draw.bind(pool)
  pool.draw = (kind, options) => {
    const check = running.getStore()
    if (check !== undefined) tell(check, countedKind(kind, options), 'count' in options ? options.count : 1)
    return draw(kind, options)
  }
  // What reads back needs a profile that names pages; it uses what others have used.
  const checks = (await declaredChecks()).filter(({ definition }) => !definition.id.endsWith(':read-back'))
  await Promise.all(
    checks.map(({ definition }) => running.run(definition.id, () => runCheck(definition, session))),
  )
  await session.close()
}
