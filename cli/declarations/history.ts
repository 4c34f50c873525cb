/** The command line of `history`. */
import type { Declaring } from '../arguments/declaring.ts'

const help = `
Takes every results.json in the folders and below, puts the runs of each target in the order of time and says of each
what broke and what was mended since the one before, which open points changed, how many requirements passed, and within
which time half of the answers came.

Example:
  portal-conformance history nightly/ --html history.html

Exit codes: 0 it was told, whatever the verdicts; 2 a file cannot be used; 4 a report could not be written.`

export function declareHistory({ command, does, surroundings }: Declaring): void {
  command('history', 'show how the runs on each target went over time', help)
    .argument('<DIR...>', 'folders with the results of runs, or such files')
    .option('--html <FILE>', 'write a page for people')
    .option('--markdown <FILE>', 'write a summary for a CI step or a pull request')
    .action(
      does(async (paths: string[], options) => {
        const { history } = await import('../commands/history.ts')
        return history(paths, options, surroundings)
      }),
    )
}
