/** The command line of `replay`. */
import type { Declaring } from '../arguments/declaring.ts'
import { wholeNumber } from '../arguments/option-values.ts'

const help = `
Says "still failing" (exit code 1), "fixed" (0), or "flaky" or "cannot be told" (3). Where the finding names a generated
case, only that case is sent again.

Example:
  portal-conformance replay portal-conformance-report/results.json add-workspace/name-kept
`

export function declareReplay({ command, does, surroundings }: Declaring): void {
  command('replay', 'send what a check of earlier results sent again', help)
    .argument('<RESULTS>', 'results.json of a run')
    .argument('<CHECK>', 'id of the check, as the results name it')
    .option('--config <FILE>', 'the target, in place of the one that the results name')
    .option('--times <N>', 'how often', wholeNumber(1, 1000), 3)
    .action(
      does(async (file: string, check: string, options) => {
        const { replay } = await import('../commands/replay.ts')
        return replay(file, check, options, surroundings)
      }),
    )
}
