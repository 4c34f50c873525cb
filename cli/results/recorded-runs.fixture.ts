/** Runs on the embedded portal, in this process, whose results other commands work with. */
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { onTestFinished } from 'vitest'
import type { Results } from '../../reporters/results.ts'
import { writeResults } from '../../reporters/results-json.ts'
import { observedContext } from '../process/command-context.fixture.ts'
import { runProgram } from '../program.ts'

/** Runs a command line; what it printed comes with its exit code. */
export async function command(...words: string[]) {
  const commandContext = observedContext()
  const code = await runProgram(words, commandContext)
  return { code, out: commandContext.printed(), err: commandContext.complained() }
}

/** A folder that goes with the test. */
export function testFolder(): string {
  const folder = mkdtempSync(join(tmpdir(), 'pc-recorded-'))
  onTestFinished(() => rmSync(folder, { recursive: true }))
  return folder
}

/** Judges the embedded portal with few cases and a fixed seed, and leaves results.json in the folder. */
export async function recordRun(folder: string, ...words: string[]): Promise<void> {
  const common = ['--runs', '3', '--seed', '7', '--reporter', 'json', '--out', folder]
  const { code, err } = await command('run', '--reference', ...common, ...words)
  if (code === 2 || code === 4) throw new Error(err)
}

/** Writes results that a test made up, and returns the file. */
export function recorded(folder: string, name: string, results: Results): Promise<string> {
  return writeResults(join(folder, name), results)
}
