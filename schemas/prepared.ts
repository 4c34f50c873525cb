/** Validators that were compiled when the package was built: compiling them anew is a good part of the start. */
import { existsSync } from 'node:fs'
import { createRequire } from 'node:module'
import { fileURLToPath } from 'node:url'
import type { ValidateFunction } from 'ajv'
import type { SchemaName } from './catalogue.ts'

/** What every run validates before its first request. */
export const preparedNames: readonly SchemaName[] = ['configuration']

/** Beside this file in a built package; where the sources run there is none. */
export const preparedFolder = new URL('./prepared/', import.meta.url)

const load = createRequire(import.meta.url)

/** The validator that finds all errors of values of that schema; undefined where it was not prepared. */
export function preparedValidator(name: SchemaName, folder = preparedFolder): ValidateFunction | undefined {
  if (!preparedNames.includes(name)) return undefined
  const file = fileURLToPath(new URL(`${name}.cjs`, folder))
  return existsSync(file) ? (load(file) as ValidateFunction) : undefined
}
