/** Counts the fixtures that each check asks for on the embedded portal, and writes what `plan` and `doctor` go by: part of `npm run count-requests`. */
import { AsyncLocalStorage } from 'node:async_hooks'
import { writeFile } from 'node:fs/promises'
import { countedKind, countedRuns } from '../cli/doctor/fixture-needs.ts'
import { loadConfiguration } from '../deployment/configuration/load-configuration.ts'
import { startPortal } from '../reference/portal.ts'
import { declaredChecks } from '../runner/declared-checks.ts'
import { runCheck } from '../runner/run-check.ts'
import { Session } from '../runner/session.ts'

const file = new URL('../../cli/doctor/fixtures-of-checks.ts', import.meta.url)

/** By check and kind, one number for each of `countedRuns`. */
const counted = new Map<string, Map<string, number[]>>()

for (const [at, runs] of countedRuns.entries()) {
  process.stdout.write(`fixtures for --runs ${runs}\n`)
  const portal = await startPortal()
  try {
    await count(portal, runs, (check, kind, count) => {
      const kinds = counted.get(check) ?? new Map<string, number[]>()
      counted.set(check, kinds)
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

const lines = [...counted]
  .filter(([id]) => !id.startsWith('profile/'))
  .sort(([one], [other]) => (one < other ? -1 : 1))
  .map(([id, kinds]) => {
    const all = [...kinds].sort(([one], [other]) => (one < other ? -1 : 1))
    return `  '${id}': { ${all.map(([kind, counts]) => `'${kind}': [${counts.join(', ')}]`).join(', ')} },`
  })

await writeFile(
  file,
  `/** How many fixtures each check asks for, as counted on the embedded portal; what checks share counts for the first that asks. Written by \`npm run count-requests\`. */

/** By check and kind, for each of \`countedRuns\`. */
export const fixturesOfChecks: Readonly<Record<string, Readonly<Record<string, readonly number[]>>>> = {
${lines.join('\n')}
}
`,
)
