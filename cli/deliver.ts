/** Hands out the results of a run: to the output directory and to the terminal. */
import type { Results } from '../reporters/results.ts'
import { ResultsError, writeResults } from '../reporters/results-json.ts'
import { terminalReport } from '../reporters/terminal/report.ts'
import { safeLines } from '../reporters/terminal/safe-text.ts'
import { paintFor, widthOf } from '../reporters/terminal/style.ts'
import type { ReporterName } from './option-values.ts'
import type { PartialResults } from './partial-results.ts'
import type { Surroundings } from './surroundings.ts'

export interface Delivery {
  readonly out: string
  readonly reporters: readonly ReporterName[]
}

/** False where results.json could not be written: the single results then stay where they were collected. */
export async function deliver(
  results: Results,
  { out, reporters }: Delivery,
  { stdout, stderr, environment }: Surroundings,
  partial: PartialResults | undefined,
): Promise<boolean> {
  const toTerminal = reporters.includes('terminal')
  let written = true
  let file: string | undefined
  if (reporters.includes('json')) {
    try {
      file = await writeResults(out, results)
      partial?.remove()
    } catch (error) {
      if (!(error instanceof ResultsError)) throw error
      written = false
      partial?.close()
      const kept = partial === undefined ? '' : `\nWhat was measured stands in ${partial.file}`
      stderr.write(`${safeLines(`${error.message}${kept}`).join('\n')}\n`)
    }
  }
  if (toTerminal) {
    stdout.write(terminalReport(results, { width: widthOf(stdout), paint: paintFor(stdout, environment) }))
  }
  if (file !== undefined)
    (toTerminal ? stderr : stdout).write(toTerminal ? `Results: ${file}\n` : `${file}\n`)
  return written
}
