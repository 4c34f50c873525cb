import { readdirSync, readFileSync } from 'node:fs'
import { Ajv2020 } from 'ajv/dist/2020.js'
import ajvFormats from 'ajv-formats'
import { describe, expect, it } from 'vitest'
import { ruleKinds } from '../specs/operation.ts'
import { operationIds, operationOf } from '../specs/operations.ts'
import { outcomes } from '../specs/outcomes.ts'
import { requirements } from '../specs/requirements.ts'
import { annotations, type JsonSchema, schemaNames, schemaOf } from './catalogue.ts'
import { placesOf } from './places.fixture.ts'
import { moduleOf, typedSchemas, typesOf } from './write-types.ts'

const strict = new Ajv2020({ strict: true, allErrors: true })
ajvFormats.default(strict)
strict.addVocabulary([...annotations])
strict.addSchema(schemaNames.map(schemaOf))

it('schemaNames lists exactly the schema files of this folder', () => {
  const files = readdirSync(new URL('.', import.meta.url)).filter((file) => file.endsWith('.schema.json'))
  expect(files.map((file) => file.replace('.schema.json', '')).sort()).toEqual([...schemaNames].sort())
})

it.each(typedSchemas)('the built types of %s match its schema', (name) => {
  const written = readFileSync(new URL(`../${moduleOf(name)}`, import.meta.url), 'utf8')
  expect(written).toBe(typesOf(name))
})

describe.each(schemaNames)('schema %s', (name) => {
  const schema = schemaOf(name)
  const places = placesOf(schema)

  it('is a JSON Schema 2020-12 with its own $id and compiles in strict mode', () => {
    expect(schema.$schema).toBe('https://json-schema.org/draft/2020-12/schema')
    expect(schema.$id).toBe(`https://portal-conformance.example/schemas/${name}.schema.json`)
    expect(strict.validateSchema(schema), strict.errorsText()).toBe(true)
    expect(() => strict.getSchema(schema.$id as string)).not.toThrow()
  })

  it('has a title and examples, and describes every field', () => {
    expect(schema.title).toBeTruthy()
    expect(schema.examples?.length).toBeGreaterThan(0)
    const fields = places.filter(({ pointer }) => !/\/(if|then|else)$|\/if\//.test(pointer))
    expect(fields.filter((place) => !place.schema.description).map(({ pointer }) => pointer)).toEqual([])
  })

  it('accepts its own examples and defaults', () => {
    for (const { pointer, schema: place } of places) {
      const validate = strict.compile({ $ref: `${schema.$id}#${pointer}` })
      const given = [...(place.examples ?? []), ...('default' in place ? [place.default] : [])]
      const broken = given.filter((value) => !validate(value))
      expect([pointer, broken]).toEqual([pointer, []])
    }
  })
})

describe.each(operationIds)('request schema of %s', (id) => {
  const { properties = {}, required = [] } = schemaOf(`${id}.request`)

  it('has the parameters of the operation, with the same ones required', () => {
    const { parameters } = operationOf(id)
    const presences = Object.entries(properties).map(([name, schema]) => [name, schema['x-presence']])
    expect(presences).toEqual(parameters.map(({ name, presence }) => [name, presence]))
    const needed = parameters.filter(({ presence }) => presence === 'required')
    expect(required).toEqual(needed.map(({ name }) => name))
  })

  it('requires f=pjson and has a form notation for each array', () => {
    expect(properties.f?.const).toBe('pjson')
    for (const property of Object.values(properties)) {
      expect('x-form' in property).toBe(property.type === 'array')
    }
  })

  it('cites its section of the contract', () => {
    expect(schemaOf(`${id}.request`).description).toContain(`§${operationOf(id).section} `)
    expect(schemaOf(`${id}.response`).description).toContain(`§${operationOf(id).section} `)
  })
})

describe('lists that are repeated in schemas', () => {
  const configuration = schemaOf('configuration').properties ?? {}
  const results = schemaOf('results').$defs ?? {}

  it('have the operations, outcomes and kinds of rules of the sources', () => {
    expect(schemaOf('operation').enum).toEqual(operationIds)
    const { effects, target } = configuration
    for (const entry of [effects?.else?.items?.if, target?.properties?.offers?.items]) {
      expect(entry?.$ref).toBe('operation.schema.json')
    }
    expect(effects?.else?.items?.else?.['x-expected']).toContain(`(${operationIds.join(', ')})`)
    expect(results.outcome?.enum).toEqual(outcomes)
    expect(Object.keys(results.totals?.properties ?? {})).toEqual(outcomes)
    expect(results.requirementResult?.properties?.kind?.enum).toEqual(ruleKinds)
    expect(schemaOf('comparison').$defs?.outcomes?.items?.enum).toEqual([...outcomes, null])
  })

  it('have the actors of the configuration', () => {
    expect(schemaOf('fixtures').$defs?.actor?.enum).toEqual(
      Object.keys(configuration.actors?.properties ?? {}),
    )
  })

  it('accept every requirement id and check id', () => {
    const idOf = (definition: JsonSchema | undefined) =>
      new RegExp(definition?.properties?.id?.pattern as string, 'u')
    for (const { id } of requirements) {
      expect(id).toMatch(idOf(results.requirementResult))
      expect(id).toMatch(idOf(results.reportedCheck))
      expect(`${id}:any variant`).toMatch(idOf(results.reportedCheck))
      expect(`${id}:any variant`).not.toMatch(idOf(results.requirementResult))
    }
  })
})
