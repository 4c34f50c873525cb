/** The command line of `selftest`. */
import { Option } from 'commander'
import type { Declaring } from '../arguments/declaring.ts'
import { wholeNumber } from '../arguments/option-values.ts'

const help = `
Runs the suite on embedded portals with a fault each, on portals that keep the contract in other ways, alone and in
combinations, and on hostile and broken targets. Prints a matrix and writes it to DIR.

Exit codes: 0 everything found and blamed exactly, nothing else complained of; 1 otherwise.`

export function declareSelftest({ command, does, surroundings }: Declaring): void {
  command('selftest', 'show that the suite finds what it should find, and nothing else', help)
    .addOption(new Option('--only <PART>', 'only this part').choices(['faults', 'variants', 'hostile']))
    .option('--seed <N>', 'the same seed makes the same requests', wholeNumber(Number.MIN_SAFE_INTEGER), 1)
    .option('--runs <N>', 'cases of each generated check', wholeNumber(1), 30)
    .option(
      '--jobs <N>',
      'how much is tried at once (default: as many as there are cores)',
      wholeNumber(1, 64),
    )
    .option('--out <DIR>', 'where selftest.json and selftest.md go', 'portal-conformance-selftest')
    .action(
      does(async (options) => {
        const { selftest } = await import('../commands/selftest.ts')
        return selftest(options, surroundings)
      }),
    )
}
