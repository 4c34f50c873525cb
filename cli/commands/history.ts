/** `history`: the runs on each target over time. */
import { withoutEvidence } from '../../reporters/compare/compare.ts'
import {
  historyHtml,
  historyMarkdown,
  historyOf,
  historyOnTerminal,
} from '../../reporters/compare/history.ts'
import { DocumentError, writeDocument } from '../../reporters/document.ts'
import { safeText } from '../../reporters/safe-text.ts'
import { paintFor, widthOf } from '../../reporters/terminal/style.ts'
import { withoutCommands } from '../ci/github.ts'
import { CommandError } from '../command-error.ts'
import { type ExitCode, exitCodes } from '../exit-codes.ts'
import type { Surroundings } from '../process/surroundings.ts'
import { readAll, resultsFilesBelow } from '../results/results-files.ts'

export interface HistoryOptions {
  readonly html?: string
  readonly markdown?: string
}

/** Of every results.json in the folders and below. Throws a CommandError where a file cannot be read or written. */
export async function history(
  paths: readonly string[],
  { html, markdown }: HistoryOptions,
  { stdout, stderr, environment }: Surroundings,
): Promise<ExitCode> {
  const histories = historyOf(await readAll(await resultsFilesBelow(paths), withoutEvidence))
  const page = { width: widthOf(stdout), paint: paintFor(stdout, environment) }
  stdout.write(withoutCommands(historyOnTerminal(histories, page), environment))
  for (const [file, pieces] of [
    [html, historyHtml],
    [markdown, historyMarkdown],
  ] as const) {
    if (file === undefined) continue
    try {
      await writeDocument(file, pieces(histories))
    } catch (error) {
      throw error instanceof DocumentError ? new CommandError(exitCodes.broken, error.message) : error
    }
    stderr.write(`Report: ${safeText(file)}\n`)
  }
  return exitCodes.conformant
}
