/** `report`: renders earlier results again. */
import { DocumentError } from '../../reporters/document.ts'
import { type FormatName, formatNames, writeFormat } from '../../reporters/formats.ts'
import { ResultsError, readResults } from '../../reporters/results-json.ts'
import { terminalReport } from '../../reporters/terminal/report.ts'
import { paintFor, widthOf } from '../../reporters/terminal/style.ts'
import { CommandError, usageError } from '../command-error.ts'
import { type ExitCode, exitCodes } from '../exit-codes.ts'
import type { Surroundings } from '../process/surroundings.ts'
import { resultsFileOf } from '../results/results-files.ts'

/** A file for each format that is asked for. */
export type ReportOptions = Readonly<Partial<Record<FormatName, string>> & { verbose?: boolean }>

/** Of a folder, the results.json in it. Without a format: the report for the terminal. Throws a CommandError where a file cannot be read or written. */
export async function report(
  file: string,
  options: ReportOptions,
  { stdout, environment }: Surroundings,
): Promise<ExitCode> {
  const results = await readResults(await resultsFileOf(file)).catch((error) => {
    throw error instanceof ResultsError ? usageError(error.message) : error
  })
  const asked = formatNames.filter((name) => options[name] !== undefined)
  for (const name of asked) {
    const target = options[name] as string
    try {
      await writeFormat(name, results, target)
    } catch (error) {
      throw error instanceof DocumentError ? new CommandError(exitCodes.broken, error.message) : error
    }
    stdout.write(`${target}\n`)
  }
  if (asked.length === 0) {
    stdout.write(
      terminalReport(results, {
        width: widthOf(stdout),
        paint: paintFor(stdout, environment),
        verbose: options.verbose ?? false,
      }),
    )
  }
  return exitCodes.conformant
}
