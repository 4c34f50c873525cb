/** The command line of `compare`. */
import { Option } from 'commander'
import type { Declaring } from '../arguments/declaring.ts'

const help = `
Says of each requirement whether it is broken, fixed, new, gone, still failing or otherwise changed since the first
results, and which open points of the contract the deployments settle in other ways. Several targets side by side make
a compatibility matrix. A folder stands for the results.json in it.

Examples:
  portal-conformance compare last-month.json portal-conformance-report/results.json
  portal-conformance compare main/results.json portal-conformance-report --gate new
  portal-conformance compare staging/results.json production/results.json vendor/results.json --html matrix.html

Exit codes: 0 nothing that passed in the first results is lost; 1 something that passed there does not pass in others:
failed, warned, not judged, not applicable or gone (not: waived); with --gate new only where a must or implied
requirement fails now that did not fail there; 2 a file cannot be used; 4 a report could not be
written.`

export function declareCompare({ command, does, surroundings }: Declaring): void {
  command('compare', 'show what differs between the results of runs', help)
    .argument('<RESULTS...>', 'results.json of two runs or more; the first is what others are compared with')
    .option('--matrix', 'targets by requirements, also where there are only two')
    .addOption(
      new Option(
        '--gate <WHAT>',
        'new: exit 1 only for what fails now and did not in the first results',
      ).choices(['new']),
    )
    .option('--html <FILE>', 'write a page for people')
    .option('--markdown <FILE>', 'write a summary for a CI step or a pull request')
    .option('--json <FILE>', 'write everything, for programs')
    .action(
      does(async (files: string[], options) => {
        const { compare } = await import('../commands/compare.ts')
        return compare(files, options, surroundings)
      }),
    )
}
