/** The command line of `report`. */
import { formatNames, formats } from '../../reporters/formats.ts'
import type { Declaring } from '../arguments/declaring.ts'

const help = `
Without an option the report goes to the terminal. The exit code says whether the reports could be made, not what the
verdict is.

Example:
  portal-conformance report portal-conformance-report/results.json --html report.html --junit junit.xml
`

export function declareReport({ command, does, surroundings }: Declaring): void {
  const declared = command('report', 'render earlier results in other formats', help).argument(
    '<RESULTS>',
    'results.json of a run or its folder; results.partial.ndjson of a run that was killed',
  )
  declared.option('--verbose', 'name every requirement on the terminal, also those that passed')
  for (const name of formatNames) declared.option(`--${name} <FILE>`, formats[name].purpose)
  declared.action(
    does(async (file: string, options) => {
      const { report } = await import('../commands/report.ts')
      return report(file, options, surroundings)
    }),
  )
}
