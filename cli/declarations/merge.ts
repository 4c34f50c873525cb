/** The command line of `merge`. */
import type { Declaring } from '../arguments/declaring.ts'
import { failOnOf, reporterNames, reportersOf } from '../arguments/option-values.ts'
import { failOnLevels } from '../exit-codes.ts'

const help = `
Reads every results.json in the folders and below. They must be the shards of one run: the same release of the suite,
target, seed, number of cases and selection, each shard once and none missing. The verdict is computed anew. Where a
shard was cut short, so is the merged run, and a warning says which.

Examples, on as many machines as there are shards, then on one:
  portal-conformance run --config staging.yaml --seed 42 --shard 1/3 --out shards/1
  portal-conformance merge shards

Exit codes: as one run of the whole suite would have had; 2 where the files are not the shards of one run.`

export function declareMerge({ command, does, surroundings }: Declaring): void {
  command('merge', 'put the results of shards together', help)
    .argument('<PATHS...>', 'folders that hold results.json of shards, or such files')
    .option('--out <DIR>', 'where results.json goes', 'portal-conformance-report')
    .option('--reporter <LIST>', `how to report: ${reporterNames.join(', ')}`, reportersOf, [
      'terminal',
      'json',
    ])
    .option('--allow-incomplete', 'exit 0 where nothing failed although not everything was tested')
    .option('--allow-inconclusive', 'exit 0 where nothing failed although not everything could be told')
    .option('--fail-on <LIST>', `exit 1 also where these are not kept: ${failOnLevels.join(', ')}`, failOnOf)
    .action(
      does(async (paths: string[], options) => {
        const { merge } = await import('../commands/merge.ts')
        return merge(paths, options, surroundings)
      }),
    )
}
