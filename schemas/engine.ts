/** Ajv with our schemas; loaded where a validator is first compiled. */
import { createRequire } from 'node:module'
import type { Ajv2020, Options } from 'ajv/dist/2020.js'
import { schemaNames, schemaOf } from './catalogue.ts'
import { annotations } from './json-schema.ts'

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
