import { Ajv2020, type ValidateFunction } from 'ajv/dist/2020.js'
import ajvFormats from 'ajv-formats'
import { describe, expect, it } from 'vitest'
import { openPoints } from '../../specs/open-points.ts'
import { type OperationId, operationIds, operationOf, operations } from '../../specs/operations.ts'
import { requirements } from '../../specs/requirements.ts'
import { type SchemaName, schemaOf, typeName } from '../catalogue.ts'
import { breakagesOf } from '../places.fixture.ts'
import { violations } from '../validators.ts'
import { type Clauses, openapiDocument } from './document.ts'

const document = openapiDocument('1.2.3')
const pathOf = (id: OperationId) => document.paths[operationOf(id).path]!
const postOf = (id: OperationId) => pathOf(id).post

const ajv = new Ajv2020({ strict: false })
ajvFormats.default(ajv)
ajv.addSchema({ $id: 'https://portal.example/openapi', ...document })
const validatorAt = (pointer: string): ValidateFunction =>
  ajv.compile({ $ref: `https://portal.example/openapi#${pointer}` })

/** As one token of a JSON pointer inside an address. */
const token = (key: string) => encodeURIComponent(key.replaceAll('~', '~0').replaceAll('/', '~1'))

it('has the seven operations as POST, in the order of the contract, under ids of ours', () => {
  expect(Object.keys(document.paths)).toEqual(operations.map(({ path }) => path))
  for (const id of operationIds) {
    expect(Object.keys(pathOf(id))).toEqual(['post'])
    expect(postOf(id)).toMatchObject({ operationId: id, summary: operationOf(id).title })
    expect(postOf(id).description).toContain(`§${operationOf(id).section} of the contract.`)
  }
  expect(document.info.version).toBe('1.2.3')
  expect(document.servers).toMatchObject([{ url: '{baseUrl}', variables: { baseUrl: {} } }])
})

it('declares every parameter of every path, and no other', () => {
  const used = new Set<string>()
  for (const id of operationIds) {
    const names = postOf(id).parameters.map(({ $ref }) => {
      const { name, in: place, required } = document.components.parameters[$ref.split('/').at(-1)!]!
      expect([place, required]).toEqual(['path', true])
      used.add(name)
      return `{${name}}`
    })
    expect(names).toEqual(operationOf(id).path.match(/\{\w+\}/g))
  }
  expect([...used].sort()).toEqual(Object.keys(document.components.parameters).sort())
})

it('says how each array is written', () => {
  const encodings = operationIds.map((id) => {
    const { content } = postOf(id).requestBody
    expect(Object.keys(content)).toEqual(['application/x-www-form-urlencoded'])
    return [id, content['application/x-www-form-urlencoded'].encoding]
  })
  expect(encodings.filter(([, encoding]) => encoding !== undefined)).toEqual([
    ['reassign-items', { items: { style: 'form', explode: false, allowReserved: true } }],
    ['update-federation', { groups: { contentType: 'application/json' } }],
  ])
})

it('names every requirement and every open point once, where it belongs', () => {
  const places = [document, ...operationIds.map(postOf)]
  const named = (key: keyof Clauses) => places.flatMap((place) => place[key].map(({ id }) => id)).sort()
  // What a profile adds is no part of the contract.
  const ofContract = requirements.filter(({ operation }) => operation !== 'profile')
  expect(named('x-requirements')).toEqual(ofContract.map(({ id }) => id).sort())
  expect(named('x-open-points')).toEqual(openPoints.map(({ id }) => id).sort())
  const starts = { id: 'sync-workspace/starts', level: 'must' }
  expect(postOf('sync-workspace')['x-requirements']).toContainEqual(starts)
  expect(postOf('sync-workspace')['x-open-points'][0]?.id).toBe('sync-mode')
})

it('keeps callers out only where the contract says who may call', () => {
  expect(document.security).toEqual([{ bearer: [] }, { portalHeader: [] }, { queryToken: [] }])
  expect(Object.keys(document.components.securitySchemes)).toEqual(document.security.flatMap(Object.keys))
  for (const id of operationIds) {
    const own = id === 'update-task-run' ? [...document.security, {}] : undefined
    expect(postOf(id).security).toEqual(own)
  }
})

it('holds nothing that only the suite or a file needs', () => {
  const text = JSON.stringify(document)
  for (const key of ['$schema', '$id', 'x-realistic', 'x-fixture', 'x-expected', 'x-form']) {
    expect(text).not.toContain(`"${key}"`)
  }
  expect(text).not.toContain('schema.json')
  const { properties } = document.components.schemas.UpdateTaskRunRequest ?? {}
  expect(properties?.result?.['x-presence']).toBe('optional')
})

const names: readonly SchemaName[] = [
  ...operationIds.flatMap((id) => [`${id}.request`, `${id}.response`] as const),
  'workspace',
  'workspace-config',
  'error',
  'reassign-items.error',
]

it('has the schemas of the contract, and none of our own files', () => {
  expect(Object.keys(document.components.schemas).sort()).toEqual(names.map(typeName).sort())
})

describe.each(names)('the schema %s', (name) => {
  const validate = validatorAt(`/components/schemas/${typeName(name)}`)
  const examples = schemaOf(name).examples ?? []

  it('judges as ours does', () => {
    const values = examples.flatMap((value) => [value, ...breakagesOf(name, value).map((each) => each.value)])
    for (const value of values) {
      expect([value, validate(value)]).toEqual([value, violations(name, value).length === 0])
    }
    expect(values.filter((value) => !validate(value)).length).toBeGreaterThan(0)
  })
})

describe.each(operationIds)('the answers of %s', (id) => {
  const responses = `/paths/${token(operationOf(id).path)}/post/responses`
  const schema = '/content/application~1json/schema'
  const accepted = schemaOf(`${id}.response`).examples?.[0] as object
  const error = { error: { code: 400, message: 'no' } }

  it.each([
    ['an acceptance', accepted, true],
    ['a refusal', error, true],
    ['a refusal that has every field of an acceptance', { ...accepted, success: false, ...error }, true],
    ['neither', {}, false],
    ['success as text', { ...accepted, success: 'true' }, false],
  ])('under 200 may be %s', (_, value, valid) => {
    expect(validatorAt(`${responses}/200${schema}`)(value)).toBe(valid)
  })

  it('under any other status are refusals', () => {
    const shared = '$ref' in postOf(id).responses.default
    expect(shared).toBe(id !== 'reassign-items')
    const refusals = shared ? '/components/responses/Refusal' : `${responses}/default`
    const validate = validatorAt(`${refusals}${schema}`)
    expect([error, accepted].map((value) => validate(value))).toEqual([true, false])
  })
})
