/** Delivers the results of a run: to the output folder, the terminal and GitHub. */
import { rmSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import type { Begun } from '../../reporters/build-results.ts'
import {
  DocumentError,
  documentFile,
  type FormatName,
  formatNames,
  makeFolder,
  writeFormat,
} from '../../reporters/document.ts'
import { type Ending, type ExitCode, exitCodes } from '../../reporters/exit-codes.ts'
import { terminalReport } from '../../reporters/report/report.ts'
import type { Results } from '../../reporters/results.ts'
import { partialFile, ResultsError, writeResults } from '../../reporters/results-json.ts'
import { pageFor } from '../../reporters/terminal/sheet.ts'
import { verdictSentence } from '../../reporters/verdict.ts'
import type { CheckResult } from '../../runner/check-result.ts'
import { safeText } from '../../schemas/wording.ts'
import type { ReporterName } from '../arguments/option-values.ts'
import { reportToGitHub, withoutCommands } from '../ci/github.ts'
import { unwritable } from '../command-error.ts'
import { type CommandContext, say } from '../process/command-context.ts'

interface Delivery {
  readonly out: string
  readonly reporters: readonly ReporterName[]
  /** List every requirement on the terminal, also those that passed. */
  readonly verbose?: boolean
  /** How the run ends if every report can be written. */
  readonly ending: Ending
}

/**
 * Resolves with the exit code: 4 if a report could not be written. Without results.json, the file of partial results
 * stays. Always prints the verdict and where the reports are.
 */
export async function deliver(
  results: Results,
  { out, reporters, verbose = false, ending: planned }: Delivery,
  { stdout, stderr, environment }: CommandContext,
  partial?: PartialResults,
): Promise<ExitCode> {
  const toTerminal = reporters.includes('terminal')
  const complain = (text: string) => say(stderr, text)
  const written: string[] = []
  let ending = planned
  const write = async (writing: Promise<string>): Promise<void> => {
    try {
      written.push(await writing)
    } catch (error) {
      if (!(error instanceof ResultsError || error instanceof DocumentError)) throw error
      ending = { code: exitCodes.broken, why: 'a report was not written' }
      complain(error.message)
    }
  }
  if (reporters.includes('json')) {
    await write(writeResults(out, results))
    if (ending === planned) partial?.remove()
    else if (partial !== undefined) complain(`The results of single checks are in ${partial.file}`)
  }
  for (const name of reporters.filter(isFormat)) {
    const file = documentFile(out, name)
    await write(writeFormat(name, results, file, ending).then(() => file))
  }
  if (toTerminal) {
    const text = terminalReport(results, { ...pageFor(stdout, environment), verbose, ending })
    stdout.write(withoutCommands(text, environment))
  }
  await reportToGitHub(results, ending, environment, {
    annotate: (lines) => (toTerminal ? stdout : stderr).write(lines),
    complain,
  })
  if (!toTerminal) {
    complain(verdictSentence(results))
    if (ending.why !== undefined) complain(`Exit ${ending.code}: ${ending.why}`)
  }
  for (const file of written) {
    // A script that asks for files only reads their names from stdout.
    if (toTerminal)
      stderr.write(`${file.endsWith('results.json') ? 'Results' : 'Report'}: ${safeText(file)}\n`)
    else stdout.write(`${file}\n`)
  }
  return ending.code
}

const isFormat = (name: ReporterName): name is FormatName => formatNames.some((known) => known === name)

/** The file of results so far, in case the run is killed. */
export interface PartialResults {
  readonly file: string
  /** Begins the file again with the head of the results; a round that is over is forgotten. */
  begin(begun: Begun): void
  add(result: CheckResult): void
  /** To be called when results.json is written. */
  remove(): void
}

/**
 * Makes the output folder and an empty file in it. Removes the results of an earlier run, which must not pass for those
 * of this run. Throws a usage error if the folder cannot be written.
 */
export function openPartialResults(directory: string, onTrouble: (message: string) => void): PartialResults {
  const file = partialFile(directory)
  try {
    makeFolder(directory)
    rmSync(join(directory, 'results.json'), { force: true })
    writeFileSync(file, '')
  } catch (error) {
    throw unwritable(`--out ${directory}`, error)
  }
  let isBroken = false
  const write = (value: object, flag: 'a' | 'w') => {
    if (isBroken) return
    try {
      writeFileSync(file, `${JSON.stringify(value)}\n`, { flag })
    } catch (error) {
      isBroken = true
      onTrouble(`${file}: no more can be written: ${(error as Error).message}`)
    }
  }
  return {
    file,
    begin: (begun) => write({ format: 'portal-conformance/partial-results', ...begun }, 'w'),
    add: (result) => write(result, 'a'),
    remove: () => rmSync(file, { force: true }),
  }
}
