/** The command line of `cleanup`. */
import type { Declaring } from '../arguments/declaring.ts'
import { effectsOf } from '../arguments/option-values.ts'

const help = `
A run writes everything that it is given and does into journal.ndjson in its output directory, and cleans up at its end.
Where it was killed, or could not remove everything, this does it: the collaborations that it was given to delete are
deleted by the host administrator, if effects allows delete-collaboration, and the fixture provider is asked to remove
what it handed out for this run. Nothing else is touched. What was done is noted in the journal; once nothing is left,
nothing is sent. Not to be used while the run still goes on.

Example:
  portal-conformance cleanup portal-conformance-report/journal.ndjson

Exit codes: 0 nothing is left; 2 the journal or the configuration cannot be used, or is of another target; 3 something
could not be removed: it is listed.`

export function declareCleanup({ command, does, surroundings }: Declaring): void {
  command('cleanup', 'remove what a run made, from its journal', help)
    .argument('<JOURNAL>', 'journal.ndjson of a run')
    .option('--config <FILE>', 'the target, in place of the configuration that the journal names')
    .option('--base-url <URL>', 'over target.baseUrl of the configuration')
    .option('--effects <LIST>', 'over effects: all, or ids of operations that may be performed', effectsOf)
    .action(
      does(async (file: string, options) => {
        const { cleanup } = await import('../commands/cleanup.ts')
        return cleanup(file, options, surroundings)
      }),
    )
}
