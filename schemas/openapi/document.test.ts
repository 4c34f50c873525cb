import { type RulesetDefinition, Spectral } from '@stoplight/spectral-core'
import { oas } from '@stoplight/spectral-rulesets'
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

/** A key as a token of a JSON pointer in a URL fragment. */
const token = (key: string) => encodeURIComponent(key.replaceAll('~', '~0').replaceAll('/', '~1'))

it('openapiDocument has the seven operations as POST, in order, with our ids', () => {
  expect(Object.keys(document.paths)).toEqual(operations.map(({ path }) => path))
  for (const id of operationIds) {
    expect(Object.keys(pathOf(id))).toEqual(['post'])
    expect(postOf(id)).toMatchObject({ operationId: id, summary: operationOf(id).title })
    expect(postOf(id).description).toContain(`§${operationOf(id).section} of the contract.`)
  }
  expect(document.info.version).toBe('1.2.3')
  expect(document.servers).toMatchObject([{ url: '{baseUrl}', variables: { baseUrl: {} } }])
})

it('openapiDocument has an encoding for each array', () => {
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

it('openapiDocument lists every requirement and open point once, at its operation', () => {
  const places = [document, ...operationIds.map(postOf)]
  const named = (key: keyof Clauses) => places.flatMap((place) => place[key].map(({ id }) => id)).sort()
  // Requirements of a profile are not part of the contract.
  const ofContract = requirements.filter(({ operation }) => operation !== 'profile')
  expect(named('x-requirements')).toEqual(ofContract.map(({ id }) => id).sort())
  expect(named('x-open-points')).toEqual(openPoints.map(({ id }) => id).sort())
  const starts = { id: 'sync-workspace/starts', level: 'must' }
  expect(postOf('sync-workspace')['x-requirements']).toContainEqual(starts)
  expect(postOf('sync-workspace')['x-open-points'][0]?.id).toBe('sync-mode')
})

it('openapiDocument requires authentication, except for update-task-run', () => {
  expect(document.security).toEqual([{ bearer: [] }, { portalHeader: [] }, { queryToken: [] }])
  expect(Object.keys(document.components.securitySchemes)).toEqual(document.security.flatMap(Object.keys))
  for (const id of operationIds) {
    const own = id === 'update-task-run' ? [...document.security, {}] : undefined
    expect(postOf(id).security).toEqual(own)
  }
})

it('openapiDocument has no keys or references that only the suite needs', () => {
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

it('openapiDocument has the schemas of the contract and none of our own files', () => {
  expect(Object.keys(document.components.schemas).sort()).toEqual(names.map(typeName).sort())
})

describe.each(names)('OpenAPI schema of %s', (name) => {
  const validate = validatorAt(`/components/schemas/${typeName(name)}`)
  const examples = schemaOf(name).examples ?? []

  it('accepts and refuses the same values as our schema', () => {
    const values = examples.flatMap((value) => [value, ...breakagesOf(name, value).map((each) => each.value)])
    for (const value of values) {
      expect([value, validate(value)]).toEqual([value, violations(name, value).length === 0])
    }
    expect(values.filter((value) => !validate(value)).length).toBeGreaterThan(0)
  })
})

describe.each(operationIds)('OpenAPI responses of %s', (id) => {
  const responses = `/paths/${token(operationOf(id).path)}/post/responses`
  const schema = '/content/application~1json/schema'
  const accepted = schemaOf(`${id}.response`).examples?.[0] as object
  const error = { error: { code: 400, message: 'no' } }

  it.each([
    ['accept a success', accepted, true],
    ['accept a refusal', error, true],
    ['accept a refusal with all fields of a success', { ...accepted, success: false, ...error }, true],
    ['refuse an empty object', {}, false],
    ['refuse success as text', { ...accepted, success: 'true' }, false],
  ])('%s with status 200', (_, value, valid) => {
    expect(validatorAt(`${responses}/200${schema}`)(value)).toBe(valid)
  })

  it('accept only refusals with any other status', () => {
    const shared = '$ref' in postOf(id).responses.default
    expect(shared).toBe(id !== 'reassign-items')
    const refusals = shared ? '/components/responses/Refusal' : `${responses}/default`
    const validate = validatorAt(`${refusals}${schema}`)
    expect([error, accepted].map((value) => validate(value))).toEqual([true, false])
  })
})

/** Findings and warnings of Spectral's recommended rules, as `rule: place`. */
async function lintFindings(document: object): Promise<string[]> {
  const spectral = new Spectral()
  // The contract has no contact, since deployments of many owners keep it.
  const rules = { extends: [[oas, 'recommended']], rules: { 'info-contact': 'off' } }
  // The types of the rules are wider than the linter allows.
  spectral.setRuleset(rules as unknown as RulesetDefinition)
  const found = await spectral.run(JSON.parse(JSON.stringify(document)))
  return found.map(({ code, path }) => `${code}: ${path.join('.')}`)
}

it('openapiDocument has no lint findings', async () => {
  expect(await lintFindings(openapiDocument('1.0.0'))).toEqual([])
})
