import { mkdtempSync, rmSync, symlinkSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { fileURLToPath, pathToFileURL } from 'node:url'
import type { ValidateFunction } from 'ajv'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { schemaOf } from './catalogue.ts'
import { breakagesOf } from './places.fixture.ts'
import { prepareValidators } from './prepare.ts'
import { prepared as all, createEngine, preparedValidator, validatorIn } from './validators.ts'

const folder = mkdtempSync(join(tmpdir(), 'portal-conformance-prepared-'))
const url = pathToFileURL(`${folder}/`)
const engines = { all: createEngine({ allErrors: true }), first: createEngine({ allErrors: false }) }

beforeAll(() => {
  // Prepared validators import parts of ajv from node_modules.
  symlinkSync(fileURLToPath(new URL('../node_modules', import.meta.url)), join(folder, 'node_modules'))
  prepareValidators(url)
})
afterAll(() => rmSync(folder, { recursive: true }))

describe.each(all)('prepared validator of $name ($thoroughness errors)', ({ name, thoroughness }) => {
  const compiled = validatorIn(engines[thoroughness], name)
  const examples = schemaOf(name).examples ?? []
  const broken = examples.flatMap((example) => breakagesOf(name, example).map(({ value }) => value))

  it('finds the same errors as a validator compiled at run time', () => {
    const prepared = preparedValidator(name, thoroughness, url) as ValidateFunction
    expect(broken.length).toBeGreaterThan(0)
    expect([prepared(examples[0]), prepared(null)]).toEqual([true, false])
    for (const value of [...examples, ...broken, null, [], 'text', {}]) {
      expect(prepared(value)).toBe(compiled(value))
      expect(prepared.errors).toEqual(compiled.errors)
    }
  })
})

it('preparedValidator returns undefined for other schemas and without prepared files', () => {
  expect(preparedValidator('error', 'all', url)).toBeUndefined()
  expect(preparedValidator('configuration', 'all', pathToFileURL(`${folder}/none/`))).toBeUndefined()
})
