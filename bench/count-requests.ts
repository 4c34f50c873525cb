/** Counts the requests and fixtures of each check on the embedded portal, for the estimate of a run: `npm run count-requests`. */
import { AsyncLocalStorage } from 'node:async_hooks'
import { writeFile } from 'node:fs/promises'
import { countedAs } from '../cli/doctor/fixture-needs.ts'
import { counts as before, type Counts, type CountsByRuns } from '../cli/doctor/run-estimate.ts'
import { loadConfiguration } from '../deployment/configuration/load-configuration.ts'
import { startPortal } from '../reference/portal.ts'
import { checksHere } from '../runner/plan.ts'
import { runCheck } from '../runner/run-check.ts'
import { inputOf } from '../runner/run-input.ts'
import { Session } from '../runner/session.ts'
import { declaredChecks } from '../suites/declared-checks.ts'

const file = new URL('../../cli/doctor/counted.json', import.meta.url)
const { runs: settings } = before

/** The requests and fixtures of one run. */
interface Counted {
  readonly requests: Map<string, number>
  /** By kind and check. */
  readonly fixtures: Map<string, Map<string, number>>
  readonly workspaces: number
}

const counted: Counted[] = []
for (const runs of settings) {
  process.stdout.write(`--runs ${runs}\n`)
  counted.push(await countRun(runs))
}
const kinds = new Set(counted.flatMap(({ fixtures }) => [...fixtures.keys()]))
const counts: Counts = {
  runs: settings,
  workspacesOfWholeRun: counted.map(({ workspaces }) => workspaces),
  requestsOfChecks: byRuns(counted.map(({ requests }) => requests)),
  fixturesOfChecks: Object.fromEntries(
    [...kinds].sort().map((kind) => [kind, byRuns(counted.map(({ fixtures }) => fixtures.get(kind)))]),
  ),
}
const text = JSON.stringify({ generated: 'by npm run count-requests', ...counts }, undefined, 2)
await writeFile(file, `${text}\n`)

/** The counts of each check in each run. */
function byRuns(ofRuns: readonly (ReadonlyMap<string, number> | undefined)[]): Record<string, CountsByRuns> {
  const ids = [...new Set(ofRuns.flatMap((each) => [...(each?.keys() ?? [])]))].sort()
  const countsOf = (id: string): CountsByRuns => {
    const all = ofRuns.map((each) => each?.get(id) ?? 0)
    return new Set(all).size === 1 ? (all[0] as number) : all
  }
  return Object.fromEntries(ids.map((id) => [id, countsOf(id)]))
}

/** Runs as on a deployment where fixtures are expensive. */
async function countRun(runs: number): Promise<Counted> {
  const portal = await startPortal()
  const { run, ...others } = portal.configuration
  const value = { ...others, run: { ...run, plentiful: false } }
  const configuration = loadConfiguration({ value, name: 'the embedded portal' }, { seed: 1, runs }, {})
  const session = new Session(inputOf(configuration, 'pc-counting'))
  const requests = new Map<string, number>()
  const fixtures = new Map<string, Map<string, number>>()
  const running = new AsyncLocalStorage<string>()
  const { pool } = session
  const draw = pool.draw.bind(pool)
  pool.draw = (kind, options) => {
    const check = running.getStore()
    const name = countedAs(kind, options)
    if (check !== undefined && name !== undefined) {
      const ofChecks = fixtures.get(name) ?? new Map<string, number>()
      fixtures.set(name, ofChecks)
      ofChecks.set(check, (ofChecks.get(check) ?? 0) + ('count' in options ? options.count : 1))
    }
    return draw(kind, options)
  }
  // Checks that read back need a profile with pages.
  const checks = checksHere(await declaredChecks(), configuration).filter(
    ({ profile, whereThere }) => profile === undefined && whereThere.reads.length === 0,
  )
  const count = async (definition: (typeof checks)[number]): Promise<void> => {
    const result = await running.run(definition.id, () => runCheck(definition, session))
    requests.set(definition.id, result.requests)
  }
  try {
    await Promise.all(checks.map(count))
    const { callers = [] } = session.tally.summary() ?? {}
    const adding = callers.filter(({ operation }) => operation === 'add-workspace')
    const workspaces = adding.reduce((sum, { accepted, broken }) => sum + accepted + broken, 0)
    return { requests, fixtures, workspaces }
  } finally {
    await session.close()
    await portal.close()
  }
}
