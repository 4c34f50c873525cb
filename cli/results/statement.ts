/** `report --statement`: the folder that a vendor hands over. */
import { type ExitCode, exitCodes } from '../../reporters/exit-codes.ts'
import type { ResultsOfFile } from '../../reporters/results-json.ts'
import { safeText } from '../../reporters/safe-text.ts'
import { writeBundle } from '../../reporters/statement/bundle.ts'
import { classConformances, overallStatus } from '../../reporters/statement/class-conformance.ts'
import type { CommandContext } from '../process/command-context.ts'
import { repeatRunCommand } from '../run/repeat-command.ts'

const codes = {
  conformant: exitCodes.conformant,
  'non-conformant': exitCodes.nonConformant,
  'not shown': exitCodes.incomplete,
} as const

/**
 * Writes the folder, prints the status of each class, and resolves with 0 (conformant), 1 (non-conformant) or 3 (not
 * shown). Throws a DocumentError if the folder cannot be written.
 */
export async function writeStatement(
  { file, results }: ResultsOfFile,
  directory: string,
  { stdout, stderr }: CommandContext,
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
