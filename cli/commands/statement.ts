/** `statement`: writes what a vendor hands over, and says whether it shows conformance. */
import { DocumentError } from '../../reporters/document.ts'
import { ResultsError, readResults } from '../../reporters/results-json.ts'
import { safeText } from '../../reporters/safe-text.ts'
import { writeBundle } from '../../reporters/statement/bundle.ts'
import { classConformances, overallStatus } from '../../reporters/statement/class-conformance.ts'
import { CommandError, usageError } from '../command-error.ts'
import { type ExitCode, exitCodes } from '../exit-codes.ts'
import type { Surroundings } from '../process/surroundings.ts'
import { repeatCommand } from '../replay/repeat-command.ts'

export interface StatementOptions {
  /** The folder to write. */
  readonly out: string
}

const codes = {
  conformant: exitCodes.conformant,
  'non-conformant': exitCodes.nonConformant,
  'not shown': exitCodes.incomplete,
} as const

/** Throws a CommandError where the results cannot be read or the folder cannot be written. */
export async function statement(
  file: string,
  { out }: StatementOptions,
  { stdout, stderr }: Surroundings,
): Promise<ExitCode> {
  const results = await readResults(file).catch((error) => {
    throw error instanceof ResultsError ? usageError(error.message) : error
  })
  const bundle = { results, source: file, directory: out, command: repeatCommand(results) }
  await writeBundle(bundle).catch((error) => {
    throw error instanceof DocumentError ? new CommandError(exitCodes.broken, error.message) : error
  })
  const classes = classConformances(results)
  for (const { class: each, status } of classes) stdout.write(`${each.title}: ${status}\n`)
  stdout.write(`${out}\n`)
  for (const { class: each, status, reasons } of classes) {
    if (status === 'conformant' || status === 'not applicable') continue
    stderr.write(`${each.title} is not called conformant:\n`)
    for (const reason of reasons) stderr.write(`  ${safeText(reason)}\n`)
  }
  return codes[overallStatus(results, classes)]
}
