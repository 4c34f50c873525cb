/** Ajv with our schemas; loaded where a validator is first compiled. */

import { existsSync } from 'node:fs'
import { createRequire } from 'node:module'
import { fileURLToPath } from 'node:url'
import type { ValidateFunction } from 'ajv'
import type { Ajv2020, Options } from 'ajv/dist/2020.js'
import { annotations, type SchemaName, schemaNames, schemaOf } from './catalogue.ts'

const load = createRequire(import.meta.url)

/** Adding schemas compiles nothing: that happens when one is first used. */
export function createEngine(options: Pick<Options, 'allErrors' | 'code'>): Ajv2020 {
  const { Ajv2020 } = load('ajv/dist/2020.js') as typeof import('ajv/dist/2020.js')
  const { default: addFormats } = load('ajv-formats') as typeof import('ajv-formats')
  const ajv = new Ajv2020({
    ...options,
    strict: true,
    verbose: true,
    ownProperties: true,
    // Tests hold our schemas against the meta-schema; compiling it here would double the start-up time.
    validateSchema: false,
  })
  addFormats.default(ajv)
  ajv.addVocabulary([...annotations])
  ajv.addSchema(schemaNames.map(schemaOf))
  return ajv
}

/** Whether all that is wrong with a value is looked for, or only whether anything is. */
export type Thoroughness = 'all' | 'first'

/** What runs validate: configuration and profile, requests, answers, the journal, and the results, which are large. */
export const prepared: readonly { readonly name: SchemaName; readonly thoroughness: Thoroughness }[] = [
  ...schemaNames
    .filter((name) => isOfRuns(name) || /\.(request|response)$/.test(name))
    .map((name) => ({ name, thoroughness: 'all' as const })),
  { name: 'results', thoroughness: 'first' },
]

/** Beside this file in a built package; where the sources run there is none. */
export const preparedFolder = new URL('./prepared/', import.meta.url)

function isOfRuns(name: SchemaName): boolean {
  return ['configuration', 'profile', 'reassign-items.error', 'journal', 'results'].includes(name)
}

export const fileOf = (name: SchemaName, thoroughness: Thoroughness): string => `${name}.${thoroughness}.cjs`

/** The validator of values of that schema; undefined where it was not prepared. */
export function preparedValidator(
  name: SchemaName,
  thoroughness: Thoroughness,
  folder = preparedFolder,
): ValidateFunction | undefined {
  if (!prepared.some((each) => each.name === name && each.thoroughness === thoroughness)) return undefined
  const file = fileURLToPath(new URL(fileOf(name, thoroughness), folder))
  return existsSync(file) ? (load(file) as ValidateFunction) : undefined
}
