/** `openapi`: the contract as an OpenAPI document. */
import { stringify } from 'yaml'
import { suiteVersion } from '../../deployment/suite-version.ts'
import { DocumentError, writeDocument } from '../../reporters/document.ts'
import { openapiDocument } from '../../schemas/openapi/document.ts'
import { CommandError } from '../command-error.ts'
import { type ExitCode, exitCodes } from '../exit-codes.ts'
import type { Surroundings } from '../process/surroundings.ts'

export interface OpenapiOptions {
  readonly format?: 'json' | 'yaml'
  readonly out?: string
}

/** Prints the document, or writes it and prints where. Throws a CommandError where the file cannot be written. */
export async function openapi({ format, out }: OpenapiOptions, { stdout }: Surroundings): Promise<ExitCode> {
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
  try {
    await writeDocument(out, [text])
  } catch (error) {
    throw error instanceof DocumentError ? new CommandError(exitCodes.broken, error.message) : error
  }
  stdout.write(`${out}\n`)
  return exitCodes.conformant
}
