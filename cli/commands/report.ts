/** `report`: renders earlier results again. */
import { extname } from 'node:path'
import { InvalidArgumentError } from 'commander'
import {
  type FormatName,
  formatNames,
  formats,
  writeDocument,
  writeFormat,
} from '../../reporters/document.ts'
import { type ExitCode, exitCodes } from '../../reporters/exit-codes.ts'
import { terminalReport } from '../../reporters/report/report.ts'
import type { Results } from '../../reporters/results.ts'
import { classConformances, overallStatus } from '../../reporters/statement/class-conformance.ts'
import { badgeEndpoint, badgeOf, badgeSvg, writeBundle } from '../../reporters/statement/statement.ts'
import { pageFor } from '../../reporters/terminal/sheet.ts'
import { safeText } from '../../schemas/wording.ts'
import { collected, type Declaring } from '../arguments/option-values.ts'
import { usageError } from '../command-error.ts'
import type { CommandContext } from '../process/command-context.ts'
import { resultsAt } from '../results/results-files.ts'
import { repeatRunCommand } from '../run/repeat-command.ts'
import { today } from '../waivers/waiver.ts'
import { type WaiverFields, writeWaivers } from '../waivers/waiver-draft.ts'

const help = `
Without an option the report goes to the terminal. The exit code is 0 if the reports were written, whatever the verdict;
only --statement changes that.

A badge says conformant, non-conformant or incomplete. It says plain "conformant" only for a whole run without waivers and
--quick.

--statement writes a folder to hand over. STATEMENT.md says for each class of the contract (host, guest, content, tasks,
federation) whether conformance was shown, what was tested and what not. Beside it are results.json, report.html,
junit.xml, a badge, and SHA256SUMS for "sha256sum -c SHA256SUMS". A class is conformant only if every must and implied
requirement of it that applies passed in one whole run, without a selection or a waiver. So make the run for a statement
without --waivers and --quick. The exit code is 0 if every class that applies is conformant, 1 if a class is
non-conformant, 3 if conformance to a class is not shown.

--waivers writes an entry for each card of the report, for the deployment of the results, with the requirements that
failed and the cases that showed it. Fill in reason, owner and last day: run --waivers refuses the file while one of
them is empty.

Examples:
  portal-conformance report portal-conformance-report/results.json --html report.html --junit junit.xml
  portal-conformance report portal-conformance-report/results.json --badge badge.svg --badge badge.json
  portal-conformance report portal-conformance-report/results.json --statement statement
  portal-conformance report portal-conformance-report/results.json --waivers waivers.yaml --owner 'portal team'
`

export function declare({ command, does }: Declaring): void {
  const declared = command(help).argument(
    '<RESULTS>',
    'results.json of a run or its folder; results.partial.ndjson of a run that was killed',
  )
  declared.option('--verbose', 'list every requirement on the terminal, and every observation')
  for (const name of formatNames) declared.option(`--${name} <FILE>`, formats[name].purpose)
  declared
    .option(
      '--badge <FILE>',
      'write the verdict as a picture, or as JSON for shields.io if FILE ends with .json; repeatable',
      collected,
    )
    .option('--statement <DIR>', 'write a folder to hand over, with a statement of conformance')
    .option('--waivers <FILE>', 'write a file of waivers for the failures; FILE must not exist yet')
    .option('--owner <NAME>', 'with --waivers: the owner of each waiver')
    .option('--reason <TEXT>', 'with --waivers: why the failures are accepted')
    .option(
      '--expires <DATE>',
      'with --waivers: the last day of each waiver, such as 2026-12-31 (UTC)',
      lastDayOf,
    )
    .action(does(report))
}

/** A date that a run accepts. */
function lastDayOf(text: string): string {
  const ms = Date.parse(text)
  const isDate = !Number.isNaN(ms) && new Date(ms).toISOString().slice(0, 10) === text
  if (isDate && text >= today()) return text
  throw new InvalidArgumentError('A date such as 2999-12-31 is expected, today or later (UTC).')
}

/** A file for each format. */
interface ReportOptions extends WaiverFields, Readonly<Partial<Record<FormatName, string>>> {
  readonly verbose?: boolean
  readonly badge?: readonly string[]
  readonly statement?: string
  readonly waivers?: string
}

/** Without an option, prints the report for the terminal. Throws a CommandError if a file cannot be read or written. */
async function report(
  path: string,
  options: ReportOptions,
  commandContext: CommandContext,
): Promise<ExitCode> {
  const { stdout, environment } = commandContext
  refuseUseless(options)
  const { results } = await resultsAt(path)
  const { badge: badges = [], statement, waivers } = options
  const asked = formatNames.filter((name) => options[name] !== undefined)
  for (const name of asked) await writeFormat(name, results, options[name] as string)
  for (const file of badges) await writeBadge(results, file)
  for (const file of [...asked.map((name) => options[name]), ...badges]) stdout.write(`${file}\n`)
  if (waivers !== undefined) await writeWaivers(results, waivers, options, commandContext)
  if (statement !== undefined) return writeStatement(results, statement, commandContext)
  if (asked.length + badges.length === 0 && waivers === undefined) {
    const page = { ...pageFor(stdout, environment), verbose: options.verbose ?? false }
    stdout.write(terminalReport(results, page))
  }
  return exitCodes.conformant
}

/** Throws a usage error for an option that would have no effect, and for a badge that is no picture of ours. */
function refuseUseless({ waivers, badge = [], ...options }: ReportOptions): void {
  const useless = (['owner', 'reason', 'expires'] as const).find((name) => options[name] !== undefined)
  if (useless !== undefined && waivers === undefined) throw usageError(`--${useless}: needs --waivers FILE`)
  const other = badge.find((file) => !['', '.svg', '.json'].includes(extname(file).toLowerCase()))
  if (other !== undefined)
    throw usageError(`--badge ${other}: a file that ends with .svg or .json is expected`)
}

async function writeBadge(results: Results, file: string): Promise<void> {
  const badge = badgeOf(results)
  await writeDocument(file, [/\.json$/i.test(file) ? badgeEndpoint(badge) : badgeSvg(badge)])
}

const codes = {
  conformant: exitCodes.conformant,
  'non-conformant': exitCodes.nonConformant,
  'not shown': exitCodes.incomplete,
} as const

/**
 * Writes the folder, prints the status of each class, and resolves with 0 (conformant), 1 (non-conformant) or 3 (not
 * shown). Throws a DocumentError if the folder cannot be written.
 */
async function writeStatement(
  results: Results,
  directory: string,
  { stdout, stderr }: CommandContext,
): Promise<ExitCode> {
  await writeBundle({ results, directory, command: repeatRunCommand(results) })
  const classes = classConformances(results)
  for (const { class: each, status } of classes) stdout.write(`${each.title}: ${status}\n`)
  stdout.write(`${directory}\n`)
  for (const { class: each, status, reasons } of classes) {
    if (status === 'conformant' || status === 'not applicable') continue
    stderr.write(`${each.title} is not called conformant:\n`)
    for (const reason of reasons) stderr.write(`  ${safeText(reason)}\n`)
  }
  return codes[overallStatus(results, classes)]
}
