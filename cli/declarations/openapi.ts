/** The command line of `openapi`. */
import { Option } from 'commander'
import type { Declaring } from '../arguments/declaring.ts'

const help = `
The document has the paths, forms, answers and errors of the seven operations, with examples, and names the
requirements of each. Mock servers and client generators take it as it is.

Examples:
  portal-conformance openapi --out openapi.json
  portal-conformance openapi --format yaml | less`

export function declareOpenapi({ command, does, surroundings }: Declaring): void {
  command('openapi', 'print the contract as an OpenAPI 3.1 document', help)
    .addOption(
      new Option(
        '--format <FORMAT>',
        'how to print it (default: json, or what the name of FILE ends with)',
      ).choices(['json', 'yaml']),
    )
    .option('--out <FILE>', 'write it into a file instead of printing it')
    .action(
      does(async (options) => {
        const { openapi } = await import('../commands/openapi.ts')
        return openapi(options, surroundings)
      }),
    )
}
