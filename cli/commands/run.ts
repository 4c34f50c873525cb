/** `run`: judges a target. */
import { Option } from 'commander'
import type { ExitCode } from '../../reporters/exit-codes.ts'
import { withoutUndefined } from '../../schemas/values.ts'
import {
  type Declaring,
  durationOf,
  wholeNumber,
  withGate,
  withReports,
  withSelection,
  withTarget,
} from '../arguments/option-values.ts'
import { onTarget, orUsualTarget } from '../arguments/target-options.ts'
import { usageError } from '../command-error.ts'
import type { CommandContext } from '../process/command-context.ts'
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

The report goes to stdout, progress and warnings to stderr. DIR/results.json holds everything, with the requests and
answers that show each finding. Take credentials from the environment: write \${NAME} in the configuration.

--dry-run needs no credential and sends nothing. For each operation it lists the checks that a run would make, and the
others with the reason. Then it lists how many fixtures the run needs, how long it takes, and what to add to the
configuration so that more is tested. It does not try credentials and fixtures: doctor does.

--waivers FILE accepts known failures of a requirement or a check on matching targets until a date. They stay in every
report and do not change the verdict. A waiver that is unknown or expired ends the command before anything is
sent. If a run finds nothing under a waiver, it sends the recorded cases of the waiver again, with their own seed. If they
pass too, the waiver is no longer needed and fails the run (exit 2). "portal-conformance report RESULTS --waivers FILE"
writes a file to begin with.

--failed runs again what failed in earlier results. It takes the seed and the target from the results (--config names
another target), and of generated cases only the recorded one. It prints "still failing", "fixed", "flaky" or "no
verdict" for each failure, and writes no report. It includes advice only with --fail-on advice, or if --requirement names
it. Exit code: 1 if a failure is still there, else 3 if one is flaky or has no verdict, else 0.

--bail ends the run after N failures. Failures under a waiver do not count. The report says how many checks were not run.

Exit codes, the first that applies:
  2    usage, configuration or waivers refused; nothing was sent
  4    the target was not reached, no portal answers there, no login works, or the suite broke
  130  interrupted
  2    a waiver is no longer needed
  1    non-conformant
  3    incomplete: something was inconclusive or not tested
  0    conformant
--allow-incomplete turns 3 into 0 if everything incomplete was not tested. Inconclusive requirements stay 3, unless
--allow-inconclusive is given too. A run that ended early stays 3.`

export function declare({ command, does }: Declaring): void {
  const reporting = withReports(withSelection(withTarget(command(help))))
  withGate(reporting.option('--verbose', 'list every requirement on the terminal, and every observation'))
    .option('--time-limit <DURATION>', 'override run.timeLimit: the longest time of the run, such as 30m')
    .option('--waivers <FILE>', 'file of known failures that do not fail the run until a date')
    .option(
      '--for <DURATION>',
      'repeat the run with new seeds for this long, such as 30m, or until something fails',
      durationOf,
    )
    .addOption(
      new Option('--bail [N]', 'end the run after N failures (default: 1)').argParser(wholeNumber(1)),
    )
    .option('--dry-run', 'list what the run would judge, and what not; send and write nothing')
    .addOption(
      new Option('--failed <RESULTS>', 'run again what failed in these results').conflicts(notWithFailed),
    )
    .option('--times <N>', 'with --failed: repetitions of each failure (default: 3)', wholeNumber(1, 1000))
    .action(does(run))
}

/** Options of whole runs. `--failed` takes seed and cases from the results, and writes no report. */
const notWithFailed = [
  ...['seed', 'runs', 'out', 'reporter', 'verbose'],
  ...['allowIncomplete', 'allowInconclusive', 'timeLimit', 'waivers', 'for', 'bail', 'dryRun'],
]

interface AllOptions extends Omit<RunOptions, 'bail'> {
  readonly dryRun?: true
  readonly failed?: string
  readonly times?: number
  /** True: after the first failure. */
  readonly bail?: number | true
}

/** Resolves with the exit code of the run; rejects if the run cannot begin. */
async function run(
  { failed, times, bail, ...given }: AllOptions,
  commandContext: CommandContext,
): Promise<ExitCode> {
  if (failed !== undefined) {
    const { runFailed } = await import('../run/run-failed.ts')
    return runFailed(withoutUndefined({ ...given, failed, times }), commandContext)
  }
  if (times !== undefined)
    throw usageError('--times: repetitions of each failure; this option needs --failed RESULTS')
  const most = bail === true ? 1 : bail
  const options = orUsualTarget(withoutUndefined({ ...given, bail: most }), commandContext)
  if (given.dryRun) {
    const { dryRun } = await import('../run/dry-run.ts')
    return dryRun(options, commandContext)
  }
  const { conductRun } = await import('../run/conduct-run.ts')
  return onTarget(options, commandContext, (target) => conductRun(target, options, commandContext))
}
