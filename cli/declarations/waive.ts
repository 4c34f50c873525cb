/** The command line of `waive`. */
import type { Declaring } from '../arguments/declaring.ts'
import { dateText } from '../arguments/option-values.ts'

const help = `
Writes an entry for each check that failed, for the deployment that the results are of. Reason, owner and the last day
are for people to fill in: run --waivers refuses the file while one of them is empty. Setup failures and checks that
could not be told cannot be waived.

Example:
  portal-conformance waive portal-conformance-report/results.json --owner 'portal team' --out waivers.yaml
`

export function declareWaive({ command, does, surroundings }: Declaring): void {
  command('waive', 'write a file of waivers to begin with, from the failures of earlier results', help)
    .argument('<RESULTS>', 'results.json of a run')
    .option('--owner <NAME>', 'who answers for them')
    .option('--reason <TEXT>', 'why they do not gate')
    .option('--expires <DATE>', 'their last day, such as 2026-12-31 (UTC)', dateText)
    .option('--out <FILE>', 'where to write, in place of stdout; must not exist yet')
    .action(
      does(async (file: string, options) => {
        const { waive } = await import('../commands/waive.ts')
        return waive(file, options, surroundings)
      }),
    )
}
