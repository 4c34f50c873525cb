/** The command line of `plan`. */
import type { Declaring } from '../declaring.ts'
import { withSelection, withTarget } from '../shared-options.ts'

const help = `
For each operation: the checks that a run would make, and those that it would not, with the reason, which says
what to add to the configuration. Nothing is sent and nothing is written.`

export function declarePlan({ command, does, surroundings }: Declaring): void {
  withSelection(
    withTarget(command('plan', 'show what would be judged on a target, and what not', help)),
  ).action(
    does(async (options) => {
      const { plan } = await import('../commands/plan.ts')
      return plan(options, surroundings)
    }),
  )
}
