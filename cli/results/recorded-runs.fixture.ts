/** Results of runs on the embedded portal, and made up, which other commands work with. */
import { join } from 'node:path'
import type { Results } from '../../reporters/results.ts'
import { writeResults } from '../../reporters/results-json.ts'
import { command } from '../process/in-process.fixture.ts'

/** Judges the embedded portal with few cases and a fixed seed, and leaves results.json in the folder. */
export async function recordRun(folder: string, line: string): Promise<void> {
  const { code, err } = await command(
    `run --reference --runs 3 --seed 7 --reporter json ${line} --out`,
    folder,
  )
  if (code === 2 || code === 4) throw new Error(err)
}

/** Writes results that a test made up, and returns the file. */
export function recorded(folder: string, name: string, results: Results): Promise<string> {
  return writeResults(join(folder, name), results)
}
