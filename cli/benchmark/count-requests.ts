/** Counts how many requests each check sends on the embedded portal, and writes what an estimate of a run rests on: `npm run count-requests`. */
import { writeFile } from 'node:fs/promises'
import { startPortal } from '../../reference/portal.ts'
import { runConformance } from '../api.ts'
import { measuredRuns } from '../doctor/requests-of-checks.ts'

const file = new URL('../../../cli/doctor/requests-of-checks.ts', import.meta.url)

const counted = new Map<string, number[]>()
for (const runs of measuredRuns) {
  process.stdout.write(`--runs ${runs}\n`)
  const portal = await startPortal()
  try {
    const onCheck = ({ id, requests }: { readonly id: string; readonly requests: number }) =>
      counted.set(id, [...(counted.get(id) ?? []), requests])
    await runConformance({ configuration: portal.configuration, seed: 1, runs, onCheck })
  } finally {
    await portal.close()
  }
}

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
`,
)
