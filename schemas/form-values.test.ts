import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { operationIds } from '../specs/operations.ts'
import { type JsonSchema, schemaOf } from './catalogue.ts'
import { formFields, fromFormFields } from './form-values.ts'
import { violations } from './validators.ts'

const text = fc.string({ unit: 'binary', minLength: 1, maxLength: 50 })

function arbitraryOf(property: JsonSchema): fc.Arbitrary<unknown> {
  if ('const' in property) return fc.constant(property.const)
  if (property.format !== undefined) return fc.constantFrom(...(property.examples ?? []))
  if (property.type === 'integer') return fc.oneof(fc.maxSafeInteger(), fc.constant(1e21))
  if (property.type !== 'array') return text
  // The contract joins ids by commas, so an id has no comma.
  const id = property['x-form'] === 'comma' ? text.filter((one) => !one.includes(',')) : text
  return fc.array(id, { minLength: property.minItems ?? 0, maxLength: 100 })
}

function requestsOf(schema: JsonSchema): fc.Arbitrary<Record<string, unknown>> {
  const fields = Object.entries(schema.properties ?? {}).map(([name, property]) => [
    name,
    arbitraryOf(property),
  ])
  return fc.record(Object.fromEntries(fields), {
    requiredKeys: [...(schema.required ?? [])],
    noNullPrototype: true,
  })
}

describe.each(operationIds)('fromFormFields of a %s request', (id) => {
  const schema = schemaOf(`${id}.request`)

  it('returns the request that formFields encoded', () => {
    fc.assert(
      fc.property(requestsOf(schema), (request) => {
        const back = fromFormFields(schema, formFields(schema, request))
        expect(back).toEqual(request)
        expect(violations(`${id}.request`, back)).toEqual([])
      }),
      { seed: 1 },
    )
  })
})

const federation = schemaOf('update-federation.request')
const reassign = schemaOf('reassign-items.request')

describe('formFields', () => {
  it('writes arrays in the notation of the schema, in the order of the request', () => {
    expect(formFields(reassign, { f: 'pjson', items: ['a', 'b'], targetUsername: '' })).toEqual([
      ['f', 'pjson'],
      ['items', 'a,b'],
      ['targetUsername', ''],
    ])
    expect(formFields(federation, { groups: ['g', 'h'], userCreditAssignment: -1, name: undefined })).toEqual(
      [
        ['groups', '["g","h"]'],
        ['userCreditAssignment', '-1'],
      ],
    )
  })

  it('writes unknown parameters and values of the wrong type', () => {
    expect(formFields(federation, { extra: true, groups: 'g', name: 1.5, __proto__: null })).toEqual([
      ['extra', 'true'],
      ['groups', 'g'],
      ['name', '1.5'],
    ])
  })
})

describe('fromFormFields', () => {
  it.each<[string, string[], string]>([
    ['an integer', ['', 'ten', '1,5', '0x10', '1e999', ' 1', '--1'], 'userCreditAssignment'],
    ['a JSON array', ['', 'g', '{"0":"g"}', '["g"', 'null'], 'groups'],
    ['text', ['12'], 'name'],
    ['an unknown parameter', ['12'], 'unknown'],
  ])('keeps the text of a field for %s: %j', (_, values, name) => {
    for (const value of values) expect(fromFormFields(federation, [[name, value]])[name]).toBe(value)
  })

  it.each<[string, string, unknown, JsonSchema]>([
    ['userCreditAssignment', '-1', -1, federation],
    ['userCreditAssignment', '+7', 7, federation],
    ['userCreditAssignment', '007', 7, federation],
    ['userCreditAssignment', '2.0', 2, federation],
    ['userCreditAssignment', '1.5', 1.5, federation],
    ['items', '', [], reassign],
    ['items', 'a,,b', ['a', '', 'b'], reassign],
  ])('reads %s=%s as %j, by the type of the parameter', (name, value, read, schema) => {
    expect(fromFormFields(schema, [[name, value]])[name]).toEqual(read)
  })

  it('takes the first of two fields with one name, and does not set prototypes', () => {
    const request = fromFormFields(federation, [
      ['name', 'first'],
      ['name', 'second'],
      ['__proto__', 'x'],
    ])
    expect(Object.entries(request)).toEqual([
      ['name', 'first'],
      ['__proto__', 'x'],
    ])
    expect(Object.getPrototypeOf(request)).toBe(Object.prototype)
  })
})
