/** Validators that were compiled when the package was built: compiling them anew is a good part of the start. */
import { existsSync } from 'node:fs'
import { createRequire } from 'node:module'
import { fileURLToPath } from 'node:url'
import type { ValidateFunction } from 'ajv'
import { type SchemaName, schemaNames } from './catalogue.ts'

/** Whether all that is wrong with a value is looked for, or only whether anything is. */
export type Thoroughness = 'all' | 'first'

/** What runs validate: configuration and profile, answers, the journal, and the results, which are large. */
export const prepared: readonly { readonly name: SchemaName; readonly thoroughness: Thoroughness }[] = [
  ...schemaNames
    .filter((name) => isOfRuns(name) || name.endsWith('.response'))
    .map((name) => ({ name, thoroughness: 'all' as const })),
  { name: 'results', thoroughness: 'first' },
]

/** Beside this file in a built package; where the sources run there is none. */
export const preparedFolder = new URL('./prepared/', import.meta.url)

const load = createRequire(import.meta.url)

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
