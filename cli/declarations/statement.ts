/** The command line of `statement`. */
import type { Declaring } from '../arguments/declaring.ts'

const help = `
Writes a folder to hand over: STATEMENT.md, which says for each class of the contract (host, guest, content, tasks,
federation) whether conformance was shown, what was tested and what not; results.json, report.html and junit.xml; a
badge; and SHA256SUMS, which "sha256sum -c SHA256SUMS" checks in that folder.

A class is called conformant only if every must and implied requirement of it that applies passed in one whole run,
without a selection, a shard or a waiver. Make the run for a statement without --waivers.

Exit codes: 0 every class that applies is conformant, 1 a class is non-conformant, 3 conformance to a class is not
shown; the folder is written all the same.

Example:
  portal-conformance statement portal-conformance-report/results.json --out statement
`

export function declareStatement({ command, does, surroundings }: Declaring): void {
  command('statement', 'write a statement of conformance to hand over', help)
    .argument('<RESULTS>', 'results.json of a run')
    .requiredOption('--out <DIR>', 'the folder to write')
    .action(
      does(async (file: string, options) => {
        const { statement } = await import('../commands/statement.ts')
        return statement(file, options, surroundings)
      }),
    )
}
