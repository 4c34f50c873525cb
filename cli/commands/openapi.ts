/** `openapi`: the contract as an OpenAPI document. */
import { Option } from 'commander'
import { stringify } from 'yaml'
import { suiteVersion } from '../../deployment/suite-version.ts'
import { writeDocument } from '../../reporters/document.ts'
import { type ExitCode, exitCodes } from '../../reporters/exit-codes.ts'
import { openapiDocument } from '../../schemas/openapi/document.ts'
import type { Declaring } from '../arguments/option-values.ts'
import type { Surroundings } from '../process/surroundings.ts'

const help = `
The document has the paths, forms, answers and errors of the seven operations, with examples, and names the
requirements of each. Mock servers and client generators take it as it is.

Examples:
  portal-conformance openapi --out openapi.json
  portal-conformance openapi --format yaml | less`

export function declare({ command, does }: Declaring): void {
  command(help)
    .addOption(
      new Option(
        '--format <FORMAT>',
        'how to print it (default: json, or what the name of FILE ends with)',
      ).choices(['json', 'yaml']),
    )
    .option('--out <FILE>', 'write it into a file instead of printing it')
    .action(does(openapi))
}

/** Prints the document, or writes it and prints where. Throws a CommandError where the file cannot be written. */
async function openapi(
  { format, out }: { format?: 'json' | 'yaml'; out?: string },
  { stdout }: Surroundings,
): Promise<ExitCode> {
  const document = openapiDocument(suiteVersion)
  const asYaml = format === undefined ? /\.ya?ml$/i.test(out ?? '') : format === 'yaml'
  // No anchors: what two operations share is repeated, so that each can be read by itself.
  const text = asYaml
    ? stringify(document, { aliasDuplicateObjects: false })
    : `${JSON.stringify(document, null, 2)}\n`
  if (out === undefined) {
    stdout.write(text)
    return exitCodes.conformant
  }
  await writeDocument(out, [text])
  stdout.write(`${out}\n`)
  return exitCodes.conformant
}
