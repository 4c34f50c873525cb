/** The command line of `plan`. */
import type { Declaring } from '../arguments/declaring.ts'
import { withEarlierRuns, withSelection, withTarget } from '../arguments/shared-options.ts'

const help = `
For each operation: the checks that a run would make, and those that it would not, with the reason. Then how many
fixtures it needs and how many are listed, how long it would take, and what to add to the configuration to have more
tested, most useful first. Nothing is sent and nothing is written, and no credential is needed: that credentials and
fixtures work is found out by doctor.`

export function declarePlan({ command, does, surroundings }: Declaring): void {
  withEarlierRuns(
    withSelection(withTarget(command('plan', 'show what would be judged on a target, and what not', help))),
  ).action(
    does(async (options) => {
      const { plan } = await import('../commands/plan.ts')
      return plan(options, surroundings)
    }),
  )
}
