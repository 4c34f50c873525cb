import { type RulesetDefinition, Spectral } from '@stoplight/spectral-core'
import { oas } from '@stoplight/spectral-rulesets'
import { expect, it } from 'vitest'
import { openapiDocument } from './document.ts'

/** What the recommended rules of Spectral find, warnings too, as `rule: place`. */
async function complaints(document: object): Promise<string[]> {
  const spectral = new Spectral()
  // No one is named as the contact: deployments of many owners keep the same contract.
  const rules = { extends: [[oas, 'recommended']], rules: { 'info-contact': 'off' } }
  // The types of the rules are wider than those of the linter that they are made for.
  spectral.setRuleset(rules as unknown as RulesetDefinition)
  const found = await spectral.run(JSON.parse(JSON.stringify(document)))
  return found.map(({ code, path }) => `${code}: ${path.join('.')}`)
}

it('has nothing that a linter complains of', async () => {
  expect(await complaints(openapiDocument('1.0.0'))).toEqual([])
})

const operation = ['paths', '/portals/{portalID}/collaborations/{collaborationID}/delete', 'post']
const json = ['content', 'application/json']
const answer = [...operation, 'responses', '200', ...json, 'examples', 'accepted', 'value']
const refusal = ['components', 'responses', 'Refusal', ...json, 'schema', '$ref']

it.each<[string, string[], string[], unknown, string]>([
  [
    'an example that its schema refuses',
    answer,
    ['success'],
    'yes',
    `oas3-valid-media-example: ${answer.join('.')}`,
  ],
  [
    'path parameters that are not declared',
    operation,
    ['parameters'],
    [],
    `path-params: ${operation.join('.')}`,
  ],
  [
    'a reference to nothing',
    refusal,
    [],
    '#/components/schemas/Nothing',
    `invalid-ref: ${refusal.join('.')}`,
  ],
  ['a key that OpenAPI does not know', ['info'], ['vendor'], 'no-one', 'oas3-schema: info'],
  [
    'an operation of the same id',
    operation,
    ['operationId'],
    'add-workspace',
    'operation-operationId-unique: ',
  ],
])('would hear of %s', async (_, place, keys, value, complaint) => {
  const complained = await complaints(put(openapiDocument('1.0.0'), [...place, ...keys], value))
  expect(complained).toContainEqual(expect.stringContaining(complaint))
})

/** A copy with that value at that place. */
function put(root: object, [key = '', ...rest]: readonly string[], value: unknown): object {
  const inner = (root as Record<string, unknown>)[key]
  return { ...root, [key]: rest.length === 0 ? value : put(inner as object, rest, value) }
}
