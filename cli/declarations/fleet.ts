/** The command line of `fleet`. */
import type { Declaring } from '../arguments/declaring.ts'
import { wholeNumber } from '../arguments/option-values.ts'

const help = `
Each configuration is a target; one with "targets:" is as many. The reports of each go to DIR/NAME, the compatibility
matrix of all to the terminal, DIR/matrix.html and DIR/matrix.md. --list prints the targets as JSON, for the matrix of
a CI: each entry names the options of "run" that choose it. --collected runs nothing: the last job of that CI has the
results of all jobs in DIR/NAME/results.json and makes the matrix and the exit code of them. A target without results
has a column too.

Examples:
  portal-conformance fleet deployments/ --jobs 3
  portal-conformance fleet fleet.yaml --list
  portal-conformance fleet deployments/ --out collected --collected

Exit code: the worst of all runs (130, 4, 2, 1, 3, 0, in this order); 4 for a target without results.`

export function declareFleet({ command, does, surroundings }: Declaring): void {
  command('fleet', 'judge many targets and compare them', help)
    .argument('<CONFIG...>', 'configurations, and folders of them')
    .option('--out <DIR>', 'where the reports go', 'portal-conformance-fleet')
    .option('--jobs <N>', 'how many runs at once', wholeNumber(1, 64), 2)
    .option('--list', 'print the targets as JSON, and end')
    .option('--collected', 'run nothing, compare the results that are in their places')
    .option('--reporter <LIST>', 'reports of each run (default: json,html,junit)')
    .option('--seed <N>', 'over run.seed', wholeNumber(Number.MIN_SAFE_INTEGER))
    .option('--runs <N>', 'over run.runs', wholeNumber(1))
    .option('--allow-incomplete', 'runs in which nothing failed and not everything was tested count as 0')
    .option(
      '--allow-inconclusive',
      'runs in which nothing failed and not everything could be told count as 0',
    )
    .action(
      does(async (paths: string[], options) => {
        const { fleet } = await import('../commands/fleet.ts')
        return fleet(paths, options, surroundings)
      }),
    )
}
