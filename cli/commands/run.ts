/** `run`: judges a target. */
import type { ExitCode } from '../../reporters/exit-codes.ts'
import {
  type Declaring,
  durationOf,
  withGate,
  withReports,
  withSelection,
  withTarget,
} from '../arguments/option-values.ts'
import { orUsualTarget } from '../arguments/target-options.ts'
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
  portal-conformance run --reference --fault name-shortened

The report goes to stdout, progress and warnings to stderr. DIR/results.json holds everything that was found, with
every request and answer that shows it. Credentials come from the environment: write \${NAME} in the configuration.

--dry-run needs no credential. It prints for each operation the checks that a run would make, and those that it would
not, with the reason; then how many fixtures it needs, how long it would take, and what to add to the configuration to
have more tested. Whether credentials and fixtures work is for doctor to find out.

A waiver takes failures of one requirement or check, or advice that is not kept, out of the verdict on matching targets
until a date; they stay in every report. A waiver that is unknown, doubled or expired is refused before anything is sent. One whose
checks were all judged and pass now is named after the run, which then ends with 2; its results are written all the
same. "portal-conformance waive RESULTS" writes a file to begin with.

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
    .option('--dry-run', 'print what the run would judge, and what not; send nothing and write nothing')
    .action(does(run))
}

/** Resolves with the exit code of the run; rejects where it could not begin. */
async function run(given: RunOptions & { dryRun?: true }, surroundings: Surroundings): Promise<ExitCode> {
  const options = orUsualTarget(given, surroundings)
  if (given.dryRun) {
    const { dryRun } = await import('../run/dry-run.ts')
    return dryRun(options, surroundings)
  }
  const { conductRun } = await import('../run/conduct-run.ts')
  return conductRun(options, surroundings)
}
