/** What a vendor hands over, and whether it shows conformance. */
import { type ExitCode, exitCodes } from '../../reporters/exit-codes.ts'
import type { ResultsOfFile } from '../../reporters/results-json.ts'
import { safeText } from '../../reporters/safe-text.ts'
import { classConformances, overallStatus } from '../../reporters/statement/class-conformance.ts'
import { writeBundle } from '../../reporters/statement/statement.ts'
import type { Surroundings } from '../process/surroundings.ts'
import { repeatRunCommand } from '../run/repeat-command.ts'

const codes = {
  conformant: exitCodes.conformant,
  'non-conformant': exitCodes.nonConformant,
  'not shown': exitCodes.incomplete,
} as const

/**
 * Writes the folder, prints the status of each class, and resolves with 0, 1 or 3: conformant, non-conformant, not shown.
 * Throws a DocumentError where the folder cannot be written.
 */
export async function writeStatement(
  { file, results }: ResultsOfFile,
  directory: string,
  { stdout, stderr }: Surroundings,
): Promise<ExitCode> {
  await writeBundle({ results, source: file, directory, command: repeatRunCommand(results) })
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
