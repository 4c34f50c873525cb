/** The command line of `requirements`. */
import { Option } from 'commander'
import { levels } from '../../specs/outcomes.ts'
import type { Declaring } from '../arguments/declaring.ts'
import { collected } from '../arguments/option-values.ts'

const help = `
Levels: must is said by the contract, implied follows from it, advice never changes the verdict.`

export function declareRequirements({ command, does, surroundings }: Declaring): void {
  command('requirements', 'list the requirements of the contract', help)
    .addOption(
      new Option('--format <FORMAT>', 'how to print them')
        .choices(['table', 'json', 'markdown'])
        .default('table'),
    )
    .option(
      '--operation <ID>',
      'only those of this operation, of protocol or lifecycle; repeatable',
      collected,
    )
    .addOption(new Option('--level <LEVEL>', 'only those of this level').choices(levels))
    .action(
      does(async (options) => {
        const { requirements } = await import('../commands/requirements.ts')
        return requirements(options, surroundings)
      }),
    )
}
