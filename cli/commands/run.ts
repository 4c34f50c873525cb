/** `run`: judges a target. */
import { Option } from 'commander'
import type { ExitCode } from '../../reporters/exit-codes.ts'
import { withoutUndefined } from '../../schemas/without-undefined.ts'
import {
  type Declaring,
  durationOf,
  wholeNumber,
  withGate,
  withReports,
  withSelection,
  withTarget,
} from '../arguments/option-values.ts'
import { orUsualTarget } from '../arguments/target-options.ts'
import { usageError } from '../command-error.ts'
import type { Surroundings } from '../process/surroundings.ts'
import type { RunOptions } from '../run/conduct-run.ts'

const help = `
Examples:
  portal-conformance run
  portal-conformance run --config staging.yaml
  portal-conformance run --config staging.yaml --requirement 'add-workspace/*' --seed 42
  portal-conformance run --config staging.yaml --waivers waivers.yaml
  portal-conformance run --config staging.yaml --for 30m
  portal-conformance run --config staging.yaml --dry-run
  portal-conformance run --config staging.yaml --bail
  portal-conformance run --failed portal-conformance-report --requirement add-workspace/name-kept
  portal-conformance run --reference --fault name-shortened

The report goes to stdout, progress and warnings to stderr. DIR/results.json holds everything that was found, with
every request and answer that shows it. Credentials come from the environment: write \${NAME} in the configuration.

--dry-run needs no credential. It prints for each operation the checks that a run would make, and those that it would
not, with the reason; then how many fixtures it needs, how long it would take, and what to add to the configuration to
have more tested. Whether credentials and fixtures work is for doctor to find out.

A waiver takes failures of one requirement or check, or advice that is not kept, out of the verdict on matching targets
until a date; they stay in every report. A waiver that is unknown, doubled or expired is refused before anything is sent. One whose
checks were all judged and pass now is named after the run, which then ends with 2; its results are written all the
same. "portal-conformance report RESULTS --waivers FILE" writes a file to begin with.

--failed sends again what failed in earlier results: with their seed, on their target unless --config names another,
and of generated cases only the recorded one. It prints for each failure "still failing", "fixed", "flaky" or "no
verdict", and writes no report. Advice is repeated only with --fail-on advice, or where --requirement names it. The exit
code is 1 if one still fails, otherwise 3 if one is flaky or has no verdict, otherwise 0.

--bail ends the run at the first failure, or after N. Failures under a waiver do not count. The report counts the checks
that were not run.

Exit codes, the first that holds: 2 usage, configuration or waivers refused: nothing was sent; 4 target not reached, no
portal or no login works there, or suite broken; 130 interrupted; 2 a waiver covers what passes now; 1 non-conformant;
3 incomplete (0 with --allow-incomplete where all that is missing was not tested); 0 conformant. What is inconclusive
stays 3 unless --allow-inconclusive is given, too; a run that was cut short, or whose target went away, always does.`

export function declare({ command, does }: Declaring): void {
  const reporting = withReports(withSelection(withTarget(command(help))))
  withGate(
    reporting.option(
      '--verbose',
      'name every requirement on the terminal, also those that passed, and list what was observed',
    ),
  )
    .option('--time-limit <DURATION>', 'over run.timeLimit: the longest time of the run, such as 30m')
    .option('--waivers <FILE>', 'failures that are known and do not gate until a date')
    .option(
      '--for <DURATION>',
      'round after round with new seeds for so long, such as 30m, or until something fails',
      durationOf,
    )
    .addOption(
      new Option('--bail [N]', 'end the run after so many failures').argParser(wholeNumber(1)).preset('1'),
    )
    .option('--dry-run', 'print what the run would judge, and what not; send nothing and write nothing')
    .addOption(
      new Option('--failed <RESULTS>', 'send again what failed in these results').conflicts(notWithFailed),
    )
    .option('--times <N>', 'with --failed: how often to send each failure (default: 3)', wholeNumber(1, 1000))
    .action(does(run))
}

/** Options of whole runs. `--failed` takes seed and cases from the results, and writes no report. */
const notWithFailed = [
  ...['seed', 'runs', 'out', 'reporter', 'verbose'],
  ...['allowIncomplete', 'allowInconclusive', 'timeLimit', 'waivers', 'for', 'bail', 'dryRun'],
]

interface AllOptions extends RunOptions {
  readonly dryRun?: true
  readonly failed?: string
  readonly times?: number
}

/** Resolves with the exit code of the run; rejects where it could not begin. */
async function run({ failed, times, ...given }: AllOptions, surroundings: Surroundings): Promise<ExitCode> {
  if (failed !== undefined) {
    const { runFailed } = await import('../run/run-failed.ts')
    return runFailed(withoutUndefined({ ...given, failed, times }), surroundings)
  }
  if (times !== undefined)
    throw usageError('--times: how often to repeat failures; it needs --failed RESULTS')
  const options = orUsualTarget(given, surroundings)
  if (given.dryRun) {
    const { dryRun } = await import('../run/dry-run.ts')
    return dryRun(options, surroundings)
  }
  const { conductRun } = await import('../run/conduct-run.ts')
  return conductRun(options, surroundings)
}
