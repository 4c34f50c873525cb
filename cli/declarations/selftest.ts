/** The command line of `selftest`. */
import { InvalidArgumentError, Option } from 'commander'
import type { Declaring } from '../arguments/declaring.ts'
import { collected, wholeNumber } from '../arguments/option-values.ts'

const parts = ['faults', 'variants', 'hostile', 'power', 'pools', 'situations', 'seeds']

const help = `
Runs the suite on embedded portals with a fault each (faults), on portals that keep the contract in other ways, alone and
in combinations (variants), and on hostile and broken targets (hostile); tells how often a fault is found that shows in
one of N requests (power), and whether portals with few fixtures are left in peace (pools). Only where it is asked for:
faults that show in one situation only (situations), and whole runs with many seeds on two portals that keep the contract
(seeds). Prints a matrix and writes it to DIR.

Exit codes: 0 everything found and blamed exactly, nothing else complained of; 1 otherwise.`

export function declareSelftest({ command, does, surroundings }: Declaring): void {
  command('selftest', 'show that the suite finds what it should find, and nothing else', help)
    .option(
      '--part <PART>',
      `only this part; repeatable (choices: ${parts.join(', ')}; default: all but situations and seeds)`,
      part,
    )
    .addOption(new Option('--only <PART>', 'the same').argParser(part).hideHelp())
    .option('--id <GLOB>', 'only the faults, variants or targets that are called so; repeatable', collected)
    .option('--seed <N>', 'the same seed makes the same requests', wholeNumber(Number.MIN_SAFE_INTEGER), 1)
    .option('--runs <N>', 'cases of each generated check', wholeNumber(1), 30)
    .option('--combinations <N>', 'random combinations of three variants', wholeNumber(0), 40)
    .option('--tries <N>', 'how often power is measured at each rate', wholeNumber(1), 5)
    .option('--situations <N>', 'faults with a situation each, drawn at random', wholeNumber(1), 100)
    .option('--seeds <N>', 'how many seeds the part seeds tries', wholeNumber(1), 20)
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

function part(text: string, before: readonly string[] | undefined): string[] {
  if (parts.includes(text)) return collected(text, before)
  throw new InvalidArgumentError(`Allowed choices are ${parts.join(', ')}.`)
}
