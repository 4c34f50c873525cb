/** The command line of `run`. */
import { Option } from 'commander'
import type { Declaring } from '../declaring.ts'
import { reporterNames, reportersOf, shardOf } from '../option-values.ts'
import { withSelection, withTarget } from '../shared-options.ts'

const help = `
Examples:
  portal-conformance run --config staging.yaml
  portal-conformance run --config staging.yaml --requirement 'add-workspace/*' --seed 42
  portal-conformance run --reference --fault name-shortened

The report goes to stdout, progress and warnings to stderr. DIR/results.json holds everything that was found, with
every request and answer that shows it. Credentials come from the environment: write \${NAME} in the configuration.

Exit codes: 0 conformant, 1 non-conformant, 2 usage or configuration, 3 incomplete (0 with --allow-incomplete),
4 target not reached or suite broken, 130 interrupted.`

export function declareRun({ command, does, surroundings }: Declaring): void {
  withSelection(withTarget(command('run', 'judge a target and report', help)))
    .option('--out <DIR>', 'where results.json goes', 'portal-conformance-report')
    .option('--reporter <LIST>', `how to report: ${reporterNames.join(', ')}`, reportersOf, [
      'terminal',
      'json',
    ])
    .option('--allow-incomplete', 'exit 0 where nothing failed although not everything could be told')
    .addOption(new Option('--fail-on <LEVEL>', 'exit 1 also where advice is not kept').choices(['advice']))
    .option('--shard <I/N>', 'run only the I-th of N shares of the suite', shardOf)
    .action(
      does(async (options) => {
        const { run } = await import('../commands/run.ts')
        return run(options, surroundings)
      }),
    )
}
