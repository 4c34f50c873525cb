/** `report`: renders earlier results again. */
import { type ExitCode, exitCodes } from '../../reporters/exit-codes.ts'
import { type FormatName, formatNames, formats, writeFormat } from '../../reporters/formats.ts'
import { terminalReport } from '../../reporters/terminal/report.ts'
import { pageFor } from '../../reporters/terminal/sheet.ts'
import type { Declaring } from '../arguments/option-values.ts'
import type { Surroundings } from '../process/surroundings.ts'
import { resultsFileOf, resultsOf } from '../results/results-files.ts'

const help = `
Without an option the report goes to the terminal. The exit code says whether the reports could be made, not what the
verdict is.

Example:
  portal-conformance report portal-conformance-report/results.json --html report.html --junit junit.xml
`

export function declare({ command, does }: Declaring): void {
  const declared = command(help).argument(
    '<RESULTS>',
    'results.json of a run or its folder; results.partial.ndjson of a run that was killed',
  )
  declared.option(
    '--verbose',
    'name every requirement on the terminal, also those that passed, and list what was observed',
  )
  for (const name of formatNames) declared.option(`--${name} <FILE>`, formats[name].purpose)
  declared.action(does(report))
}

/** A file for each format that is asked for. */
type ReportOptions = Readonly<Partial<Record<FormatName, string>> & { verbose?: boolean }>

/** Of a folder, the results.json in it. Without a format: the report for the terminal. Throws a CommandError where a file cannot be read or written. */
async function report(
  file: string,
  options: ReportOptions,
  { stdout, environment }: Surroundings,
): Promise<ExitCode> {
  const results = await resultsOf(await resultsFileOf(file))
  const asked = formatNames.filter((name) => options[name] !== undefined)
  for (const name of asked) {
    const target = options[name] as string
    await writeFormat(name, results, target)
    stdout.write(`${target}\n`)
  }
  if (asked.length === 0) {
    const page = { ...pageFor(stdout, environment), verbose: options.verbose ?? false }
    stdout.write(terminalReport(results, page))
  }
  return exitCodes.conformant
}
