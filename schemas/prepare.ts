/** Compiles validators into files: the last step of the build, run from the built package. */
import { mkdirSync, renameSync, writeFileSync } from 'node:fs'
import standalone from 'ajv/dist/standalone/index.js'
import { createEngine, fileOf, prepared, preparedFolder, validatorIn } from './validators.ts'

/** Writes a CommonJS file for each of them into the folder, and makes the folder if necessary. */
export function prepareValidators(folder = preparedFolder): void {
  const engineOf = (allErrors: boolean) => createEngine({ allErrors, code: { source: true } })
  const engines = { all: engineOf(true), first: engineOf(false) }
  mkdirSync(folder, { recursive: true })
  for (const { name, thoroughness } of prepared) {
    const ajv = engines[thoroughness]
    // A process that runs the package meanwhile must not read half a file.
    const unfinished = new URL(`${name}.${process.pid}.tmp`, folder)
    writeFileSync(unfinished, standalone.default(ajv, validatorIn(ajv, name)))
    renameSync(unfinished, new URL(fileOf(name, thoroughness), folder))
  }
}
