/** The command line of `validate`. */
import type { Declaring } from '../arguments/declaring.ts'
import { reporterNames, reportersOf } from '../arguments/option-values.ts'

const help = `
Judges exchanges that real clients and servers had: nothing is sent. The base URL is found by itself. What a recording
cannot show, such as who a caller was, is not tested. Requests that no conforming server needs to accept are reported
apart, as findings about the client. Credentials in recordings are hidden in every report.

Examples:
  portal-conformance validate recording.har
  portal-conformance validate recordings/ --reporter terminal,json,html --out judged

Exit codes: 0 nothing that was recorded breaks the contract (a recording never shows all of it), 1 a requirement failed
or a client broke the contract, 2 usage, or a recording that cannot be read, 3 none of the operations was in the
recordings, or no answer of them that could be judged, 4 the reports could not be written.`

export function declareValidate({ command, does, surroundings }: Declaring): void {
  command('validate', 'judge recorded traffic (HAR files); sends nothing', help)
    .argument('<HAR...>', 'recordings, or folders of files that end in .har')
    .option('--out <DIR>', 'where results.json goes', 'portal-conformance-report')
    .option('--reporter <LIST>', `how to report: ${reporterNames.join(', ')}`, reportersOf, [
      'terminal',
      'json',
    ])
    .action(
      does(async (files: string[], options) => {
        const { validate } = await import('../commands/validate.ts')
        return validate(files, options, surroundings)
      }),
    )
}
