/** Counts how many requests each check sends, and fixtures a run uses up, on the embedded portal, and writes what an estimate of a run rests on: `npm run count-requests`. */

import { AsyncLocalStorage } from 'node:async_hooks'
import { writeFile } from 'node:fs/promises'
import { runConformance } from '../cli/api.ts'
import { countedKind, countedRuns } from '../cli/doctor/fixture-needs.ts'
import { fixturesOfRuns, measuredRuns } from '../cli/doctor/requests-of-checks.ts'
import { loadConfiguration } from '../deployment/configuration/load-configuration.ts'
import { FixtureClient } from '../deployment/fixtures/fixture-client.ts'
import { type FixtureProvider, fixtureKinds } from '../deployment/fixtures/fixture-kinds.ts'
import { startPortal } from '../reference/portal.ts'
import { runCheck } from '../runner/run-check.ts'
import { Session } from '../runner/session.ts'
import { declaredChecks } from '../suites/declared-checks.ts'

const file = new URL('../../cli/doctor/requests-of-checks.ts', import.meta.url)

const counted = new Map<string, number[]>()
const usedUp: Map<string, number>[] = []
for (const runs of measuredRuns) {
  process.stdout.write(`--runs ${runs}\n`)
  const portal = await startPortal()
  try {
    const onCheck = ({ id, requests }: { readonly id: string; readonly requests: number }) =>
      counted.set(id, [...(counted.get(id) ?? []), requests])
    const fixtures = counting(portal.configuration.fixtures.url)
    await runConformance({ configuration: portal.configuration, seed: 1, runs, onCheck, fixtures })
  } finally {
    await portal.close()
  }
}

/** A provider that counts what it hands out of another one. */
function counting(url: string): FixtureProvider {
  const client = new FixtureClient(url)
  const counts = new Map<string, number>()
  usedUp.push(counts)
  const offers = fixtureKinds.map((kind) => [
    kind,
    (options: { readonly owner?: string; readonly count?: number }) => {
      const key = kind === 'items' ? `items.${options.owner}` : kind
      counts.set(key, (counts.get(key) ?? 0) + (options.count ?? 1))
      return client.obtain(kind, options as never)
    },
  ])
  return Object.fromEntries(offers) as FixtureProvider
}

const ofRuns = Object.keys(fixturesOfRuns).map(
  (key) => `  '${key}': [${usedUp.map((counts) => counts.get(key) ?? 0).join(', ')}],`,
)

const lines = [...counted]
  .filter(([id]) => !id.startsWith('profile/'))
  .sort(([one], [other]) => (one < other ? -1 : 1))
  .map(([id, counts]) => `  '${id}': ${new Set(counts).size === 1 ? counts[0] : `[${counts.join(', ')}]`},`)

await writeFile(
  file,
  `/** How many requests each check sends, as counted on the embedded portal; what an estimate of a run rests on. Written by \`npm run count-requests\`. */

/** The settings of \`run.runs\` that were counted with. */
export const measuredRuns: readonly number[] = [${measuredRuns.join(', ')}]

/** By check: one number where it does not depend on \`run.runs\`, else one for each of \`measuredRuns\`. */
export const requestsOfChecks: Readonly<Record<string, number | readonly number[]>> = {
${lines.join('\n')}
}

/** What is counted of fixtures: those that are used up. */
export type Counted = 'collaboration' | 'taskRun' | 'items.itemOwner' | 'items.itemOwnerUnprivileged'

/** How many fixtures a whole run uses up, one number for each of \`measuredRuns\`. */
export const fixturesOfRuns: Readonly<Record<Counted, readonly number[]>> = {
${ofRuns.join('\n')}
}
`,
)

const fixturesFile = new URL('../../cli/doctor/fixtures-of-checks.ts', import.meta.url)

/** By check and kind, one number for each of `countedRuns`. */
const fixturesCounted = new Map<string, Map<string, number[]>>()

for (const [at, runs] of countedRuns.entries()) {
  process.stdout.write(`fixtures for --runs ${runs}\n`)
  const portal = await startPortal()
  try {
    await count(portal, runs, (check, kind, count) => {
      const kinds = fixturesCounted.get(check) ?? new Map<string, number[]>()
      fixturesCounted.set(check, kinds)
      const counts = kinds.get(kind) ?? countedRuns.map(() => 0)
      kinds.set(kind, counts)
      counts[at] = (counts[at] as number) + count
    })
  } finally {
    await portal.close()
  }
}

/** Makes a run, and tells each fixture that is asked for with the check in whose name it is. */
async function count(
  portal: Awaited<ReturnType<typeof startPortal>>,
  runs: number,
  tell: (check: string, kind: string, count: number) => void,
): Promise<void> {
  const configuration = loadConfiguration(
    { value: portal.configuration, name: 'the embedded portal' },
    { seed: 1, runs },
    {},
  )
  const { fixtures } = configuration
  const session = new Session({
    configuration,
    ...(fixtures !== undefined && 'url' in fixtures ? { fixturesUrl: fixtures.url } : {}),
    runId: 'pc-counting',
    selection: { operations: [], requirements: [] },
    files: [],
    replayCommand: '',
  })
  const running = new AsyncLocalStorage<string>()
  const obtain = session.obtain.bind(session)
  session.obtain = (kind, options) => {
    const check = running.getStore()
    if (check !== undefined) tell(check, countedKind(kind, options), 'count' in options ? options.count : 1)
    return obtain(kind, options)
  }
  // What reads back needs a profile that names pages; it uses what others have used.
  const checks = (await declaredChecks()).filter(({ definition }) => !definition.id.endsWith(':read-back'))
  await Promise.all(
    checks.map(({ definition }) => running.run(definition.id, () => runCheck(definition, session))),
  )
  await session.close()
}

const fixtureLines = [...fixturesCounted]
  .filter(([id]) => !id.startsWith('profile/'))
  .sort(([one], [other]) => (one < other ? -1 : 1))
  .map(([id, kinds]) => {
    const all = [...kinds].sort(([one], [other]) => (one < other ? -1 : 1))
    return `  '${id}': { ${all.map(([kind, counts]) => `'${kind}': [${counts.join(', ')}]`).join(', ')} },`
  })

await writeFile(
  fixturesFile,
  `/** How many fixtures each check asks for, as counted on the embedded portal; what checks share counts for the first that asks. Written by \`npm run count-requests\`. */

/** By check and kind, for each of \`countedRuns\`. */
export const fixturesOfChecks: Readonly<Record<string, Readonly<Record<string, readonly number[]>>>> = {
${fixtureLines.join('\n')}
}
`,
)
