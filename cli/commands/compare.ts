/** `compare`: the differences between the results of runs. */
import { Option } from 'commander'
import type { ComparedResults } from '../../reporters/compare/compare.ts'
import { compareResults, newFailures, withoutEvidence } from '../../reporters/compare/compare.ts'
import { comparisonHtml, comparisonMarkdown, comparisonOnTerminal } from '../../reporters/compare/document.ts'
import {
  historyHtml,
  historyMarkdown,
  historyOf,
  historyOnTerminal,
} from '../../reporters/compare/history.ts'
import { writeDocument } from '../../reporters/document.ts'
import { type ExitCode, exitCodes } from '../../reporters/exit-codes.ts'
import { pageFor } from '../../reporters/terminal/sheet.ts'
import { names } from '../../reporters/wording.ts'
import { safeText } from '../../schemas/wording.ts'
import type { Declaring } from '../arguments/option-values.ts'
import { withoutCommands } from '../ci/github.ts'
import { usageError } from '../command-error.ts'
import type { CommandContext } from '../process/command-context.ts'
import { readAll, resultsFileOf, resultsFilesBelow } from '../results/results-files.ts'

const help = `
Lists for each requirement whether it is broken, fixed, new, gone, still failing or otherwise changed since the
baseline, and the open points that the deployments settle differently. Three or more results make a compatibility
matrix. A folder stands for the results.json in it.

--history takes every results.json in the folders and below, and sorts the runs of each target by time. For each run it
lists what broke and what was fixed since the run before, which open points changed, how many requirements passed, and
the median time of an answer.

Examples:
  portal-conformance compare last-month.json portal-conformance-report/results.json
  portal-conformance compare main/results.json portal-conformance-report --gate new
  portal-conformance compare main/ first-run/ second-run/ --gate new
  portal-conformance compare staging/results.json production/results.json vendor/results.json --html matrix.html
  portal-conformance compare nightly/ --history --html history.html

Exit codes:
  0  everything that passed in the baseline passes in the others, or is waived
  1  a requirement that passed in the baseline does not pass in another; with --gate new: a must or implied requirement
     fails that does not fail in the baseline. Of two runs of the same target both must fail: one alone is intermittent
  2  a file cannot be used
  4  a report could not be written
With --history the exit code does not depend on the verdicts.`

export function declare({ command, does }: Declaring): void {
  command(help)
    .argument('<RESULTS...>', 'results.json of two or more runs, or their folders; the first is the baseline')
    .option('--matrix', 'show requirements by targets, even for two results')
    .addOption(
      new Option('--history', 'show the runs of each target over time').conflicts(['matrix', 'gate', 'json']),
    )
    .addOption(
      new Option('--gate <WHAT>', 'new: exit 1 only for failures that the baseline does not have').choices([
        'new',
      ]),
    )
    .option('--html <FILE>', 'write a page for people')
    .option('--markdown <FILE>', 'write a summary for a CI step or a pull request')
    .option('--json <FILE>', 'write everything, for programs')
    .action(does(compare))
}

interface CompareOptions {
  readonly matrix?: boolean
  /** The runs of each target over time, in place of the differences. */
  readonly history?: boolean
  readonly html?: string
  readonly markdown?: string
  readonly json?: string
  /** `new`: exit 1 only for failures that the first results do not have. */
  readonly gate?: 'new'
}

/** Resolves with 1 if something that passed no longer passes. Throws a CommandError if a file cannot be read or written. */
async function compare(
  paths: readonly string[],
  options: CompareOptions,
  commandContext: CommandContext,
): Promise<ExitCode> {
  if (options.history === true) return showHistory(paths, options, commandContext)
  if (paths.length < 2)
    throw usageError(
      'compare: at least two results are expected, such as compare A B; --history takes one folder',
    )
  const files = await Promise.all(paths.map(resultsFileOf))
  const matrix = options.matrix === true || paths.length > 2
  return showComparison(await readAll(files, withoutEvidence), { ...options, matrix }, commandContext)
}

/** Shows the history of every results.json in the folders and below. */
async function showHistory(
  paths: readonly string[],
  { html, markdown }: CompareOptions,
  { stdout, stderr, environment }: CommandContext,
): Promise<ExitCode> {
  const histories = historyOf(await readAll(await resultsFilesBelow(paths), withoutEvidence))
  stdout.write(withoutCommands(historyOnTerminal(histories, pageFor(stdout, environment)), environment))
  await writeReport(html, () => historyHtml(histories), stderr)
  await writeReport(markdown, () => historyMarkdown(histories), stderr)
  return exitCodes.conformant
}

/** Writes a report if the user names a file for it, and prints the name. */
async function writeReport(
  file: string | undefined,
  pieces: () => Iterable<string>,
  stderr: CommandContext['stderr'],
): Promise<void> {
  if (file === undefined) return
  await writeDocument(file, pieces())
  stderr.write(`Report: ${safeText(file)}\n`)
}

/** Prints the comparison and writes its documents. Resolves with 1 if something that passed first does not pass in another. */
export async function showComparison(
  inputs: readonly ComparedResults[],
  { matrix: asMatrix = false, html, markdown, json, gate }: CompareOptions,
  { stdout, stderr, environment }: CommandContext,
): Promise<ExitCode> {
  const comparison = compareResults(inputs)
  const page = { ...pageFor(stdout, environment), asMatrix }
  stdout.write(withoutCommands(comparisonOnTerminal(comparison, page), environment))
  await writeReport(html, () => comparisonHtml(comparison, asMatrix), stderr)
  await writeReport(markdown, () => comparisonMarkdown(comparison, asMatrix), stderr)
  await writeReport(json, () => [`${JSON.stringify(comparison, null, 2)}\n`], stderr)
  if (gate === undefined) return comparison.lost.length > 0 ? exitCodes.nonConformant : exitCodes.conformant
  const { fresh, intermittent } = newFailures(comparison)
  if (intermittent.length > 0)
    stderr.write(`Intermittent: failed in some runs of the same target: ${safeText(names(intermittent))}\n`)
  const reported =
    fresh.length === 0 ? 'Nothing fails that did not fail before.' : `New failures: ${names(fresh)}`
  stderr.write(`${safeText(reported)}\n`)
  return fresh.length > 0 ? exitCodes.nonConformant : exitCodes.conformant
}
