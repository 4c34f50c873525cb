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
const schema = ['components', 'responses', 'Refusal', 'content', 'application/json', 'schema']

it.each<[string, string[], string, unknown, string]>([
  [
    'path parameters that are not declared',
    operation,
    'parameters',
    [],
    `path-params: ${operation.join('.')}`,
  ],
  ['a reference to nothing', schema, '$ref', '#/components/Nothing', `invalid-ref: ${schema.join('.')}.$ref`],
])('would hear of %s', async (_, place, key, value, complaint) => {
  const complained = await complaints(put(openapiDocument('1.0.0'), [...place, key], value))
  expect(complained).toContainEqual(expect.stringContaining(complaint))
})

/** A copy with that value at that place. */
function put(root: object, [key = '', ...rest]: readonly string[], value: unknown): object {
  const inner = (root as Record<string, unknown>)[key]
  return { ...root, [key]: rest.length === 0 ? value : put(inner as object, rest, value) }
}
