/** The command line of `doctor`. */
import type { Declaring } from '../arguments/declaring.ts'
import { withEarlierRuns, withTarget } from '../arguments/shared-options.ts'

const help = `
Reaches the target, tries each credential once, measures how long answers take, estimates the length of a run, and
lists what will not be tested and what to add for it, most useful first. Nothing on the target is changed. With
--fixtures, the fixture provider is asked for each kind, and then to remove what it handed out.

Exit codes:
  0  everything that is configured works, or was not asked for
  2  usage or configuration error
  3  a credential or a kind of fixture is broken
  4  the target could not be reached

Example:
  portal-conformance doctor --config staging.yaml --fixtures`

export function declareDoctor({ command, does, surroundings }: Declaring): void {
  withEarlierRuns(
    withTarget(command('doctor', 'look at a target before a run: what works, what is missing', help)),
  )
    .option('--fixtures', 'ask the fixture provider for each kind')
    .option('--json', 'print what was found as JSON')
    .action(
      does(async (options) => {
        const { doctor } = await import('../commands/doctor.ts')
        return doctor(options, surroundings)
      }),
    )
}
