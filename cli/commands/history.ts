/** `history`: the runs on each target over time. */
import { withoutEvidence } from '../../reporters/compare/compare.ts'
import {
  historyHtml,
  historyMarkdown,
  historyOf,
  historyOnTerminal,
} from '../../reporters/compare/history.ts'
import { type ExitCode, exitCodes } from '../../reporters/exit-codes.ts'
import { pageFor } from '../../reporters/terminal/sheet.ts'
import type { Declaring } from '../arguments/option-values.ts'
import { withoutCommands } from '../ci/github.ts'
import type { Surroundings } from '../process/surroundings.ts'
import { readAll, resultsFilesBelow } from '../results/results-files.ts'
import { writeReport } from './compare.ts'

const help = `
Takes every results.json in the folders and below, puts the runs of each target in the order of time and says of each
what broke and what was mended since the one before, which open points changed, how many requirements passed, and within
which time half of the answers came.

Example:
  portal-conformance history nightly/ --html history.html

Exit codes: 0 it was told, whatever the verdicts; 2 a file cannot be used; 4 a report could not be written.`

export function declare({ command, does }: Declaring): void {
  command(help)
    .argument('<DIR...>', 'folders with the results of runs, or such files')
    .option('--html <FILE>', 'write a page for people')
    .option('--markdown <FILE>', 'write a summary for a CI step or a pull request')
    .action(does(history))
}

/** Of every results.json in the folders and below. Throws a CommandError where a file cannot be read or written. */
async function history(
  paths: readonly string[],
  { html, markdown }: { html?: string; markdown?: string },
  { stdout, stderr, environment }: Surroundings,
): Promise<ExitCode> {
  const histories = historyOf(await readAll(await resultsFilesBelow(paths), withoutEvidence))
  stdout.write(withoutCommands(historyOnTerminal(histories, pageFor(stdout, environment)), environment))
  await writeReport(html, () => historyHtml(histories), stderr)
  await writeReport(markdown, () => historyMarkdown(histories), stderr)
  return exitCodes.conformant
}
