/** The command line of `fleet`. */
import type { Declaring } from '../arguments/declaring.ts'
import { shareOf, wholeNumber } from '../arguments/option-values.ts'

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

Several machines share the work with --shard I/N, or with --index K where each has one target, such as the pods of an
indexed job of Kubernetes; --collected puts together what they wrote.

Exit code: 4 no target could be judged; otherwise the first that holds of 130 interrupted, 2 a configuration is refused,
1 a target is non-conformant, 5 a target could not be judged, 3 one is incomplete, 0 all are conformant.`

export function declareFleet({ command, does, surroundings }: Declaring): void {
  command('fleet', 'judge many targets and compare them', help)
    .argument('<CONFIG...>', 'configurations, and folders of them')
    .option('--out <DIR>', 'where the reports go', 'portal-conformance-fleet')
    .option('--jobs <N>', 'how many runs at once', wholeNumber(1, 64), 2)
    .option('--shard <I/N>', 'only the I-th of N shares of the targets', shareOf)
    .option('--index <K>', 'only the target of that number, counted from 0', wholeNumber(0))
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
