/** Delivers the results of a run: to the output folder, the terminal and GitHub. */
import { closeSync, ftruncateSync, openSync, rmSync, writeSync } from 'node:fs'
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
import { terminalReport } from '../../reporters/report/report.ts'
import type { Results } from '../../reporters/results.ts'
import { ResultsError, writeResults } from '../../reporters/results-json.ts'
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
}

/**
 * Resolves with false if a report could not be written. Without results.json, the file of partial results stays. Always
 * prints the verdict and where the reports are.
 */
export async function deliver(
  results: Results,
  { out, reporters, verbose = false }: Delivery,
  { stdout, stderr, environment }: CommandContext,
  partial?: PartialResults,
): Promise<boolean> {
  const toTerminal = reporters.includes('terminal')
  const complain = (text: string) => say(stderr, text)
  const written: string[] = []
  let whole = true
  if (reporters.includes('json')) {
    try {
      written.push(await writeResults(out, results))
      partial?.remove()
    } catch (error) {
      if (!(error instanceof ResultsError)) throw error
      whole = false
      partial?.close()
      complain(
        `${error.message}${partial === undefined ? '' : `\nThe results of single checks are in ${partial.file}`}`,
      )
    }
  }
  for (const name of reporters.filter(isFormat)) {
    const file = documentFile(out, name)
    try {
      await writeFormat(name, results, file)
      written.push(file)
    } catch (error) {
      if (!(error instanceof DocumentError)) throw error
      whole = false
      complain(error.message)
    }
  }
  if (toTerminal) {
    const text = terminalReport(results, { ...pageFor(stdout, environment), verbose })
    stdout.write(withoutCommands(text, environment))
  }
  await reportToGitHub(results, environment, {
    annotate: (lines) => (toTerminal ? stdout : stderr).write(lines),
    complain,
  })
  if (!toTerminal) complain(verdictSentence(results))
  for (const file of written) {
    // A script that asks for files only reads their names from stdout.
    if (toTerminal)
      stderr.write(`${file.endsWith('results.json') ? 'Results' : 'Report'}: ${safeText(file)}\n`)
    else stdout.write(`${file}\n`)
  }
  return whole
}

const isFormat = (name: ReporterName): name is FormatName => formatNames.some((known) => known === name)

export interface PartialResults {
  readonly file: string
  /** Begins the file again with the head of the results; a round that is over is forgotten. */
  begin(begun: Begun): void
  add(result: CheckResult): void
  /** To be called when results.json is written. */
  remove(): void
  /** Keeps the file. */
  close(): void
}

/**
 * Makes the output folder and an empty file in it. Removes the results of an earlier run, which must not pass for those
 * of this run. Throws a usage error if the folder cannot be written.
 */
export function openPartialResults(directory: string, onTrouble: (message: string) => void): PartialResults {
  const file = join(directory, 'results.partial.ndjson')
  let descriptor: number | undefined
  try {
    makeFolder(directory)
    rmSync(join(directory, 'results.json'), { force: true })
    rmSync(file, { force: true })
    descriptor = openSync(file, 'a')
  } catch (error) {
    throw unwritable(`--out ${directory}`, error)
  }
  const close = () => {
    if (descriptor !== undefined) closeSync(descriptor)
    descriptor = undefined
  }
  const line = (value: object) => {
    if (descriptor === undefined) return
    try {
      writeSync(descriptor, `${JSON.stringify(value)}\n`)
    } catch (error) {
      close()
      onTrouble(`${file}: no more can be written: ${(error as Error).message}`)
    }
  }
  return {
    file,
    begin: (begun) => {
      // Otherwise the file would grow with every round.
      if (descriptor !== undefined) ftruncateSync(descriptor)
      line({ format: 'portal-conformance/partial-results', ...begun })
    },
    add: line,
    remove: () => {
      close()
      rmSync(file, { force: true })
    },
    close,
  }
}
