/** `statement`: writes what a vendor hands over, and says whether it shows conformance. */
import { type ExitCode, exitCodes } from '../../reporters/exit-codes.ts'
import { safeText } from '../../reporters/safe-text.ts'
import { classConformances, overallStatus } from '../../reporters/statement/class-conformance.ts'
import { writeBundle } from '../../reporters/statement/statement.ts'
import type { Declaring } from '../arguments/option-values.ts'
import type { Surroundings } from '../process/surroundings.ts'
import { resultsOf } from '../results/results-files.ts'
import { repeatCommand } from '../run/replay-command.ts'

const help = `
Writes a folder to hand over: STATEMENT.md, which says for each class of the contract (host, guest, content, tasks,
federation) whether conformance was shown, what was tested and what not; results.json, report.html and junit.xml; a
badge; and SHA256SUMS, which "sha256sum -c SHA256SUMS" checks in that folder.

A class is called conformant only if every must and implied requirement of it that applies passed in one whole run,
without a selection or a waiver. Make the run for a statement without --waivers.

Exit codes: 0 every class that applies is conformant, 1 a class is non-conformant, 3 conformance to a class is not
shown; the folder is written all the same.

Example:
  portal-conformance statement portal-conformance-report/results.json --out statement
`

export function declare({ command, does }: Declaring): void {
  command(help)
    .argument('<RESULTS>', 'results.json of a run')
    .requiredOption('--out <DIR>', 'the folder to write')
    .action(does(statement))
}

const codes = {
  conformant: exitCodes.conformant,
  'non-conformant': exitCodes.nonConformant,
  'not shown': exitCodes.incomplete,
} as const

/** Throws a CommandError where the results cannot be read or the folder cannot be written. */
async function statement(
  file: string,
  { out }: { out: string },
  { stdout, stderr }: Surroundings,
): Promise<ExitCode> {
  const results = await resultsOf(file)
  const bundle = { results, source: file, directory: out, command: repeatCommand(results) }
  await writeBundle(bundle)
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
