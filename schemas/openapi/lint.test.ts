import { type RulesetDefinition, Spectral } from '@stoplight/spectral-core'
import { oas } from '@stoplight/spectral-rulesets'
import { expect, it } from 'vitest'
import { openapiDocument } from './document.ts'

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

const operation = ['paths', '/portals/{portalID}/collaborations/{collaborationID}/delete', 'post']
const schema = ['components', 'responses', 'Refusal', 'content', 'application/json', 'schema']

it.each<[string, string[], string, unknown, string]>([
  ['undeclared path parameters', operation, 'parameters', [], `path-params: ${operation.join('.')}`],
  ['a dangling reference', schema, '$ref', '#/components/Nothing', `invalid-ref: ${schema.join('.')}.$ref`],
])('the linter finds %s', async (_, place, key, value, finding) => {
  const found = await lintFindings(put(openapiDocument('1.0.0'), [...place, key], value))
  expect(found).toContainEqual(expect.stringContaining(finding))
})

/** A copy with the value at this path. */
function put(root: object, [key = '', ...rest]: readonly string[], value: unknown): object {
  const inner = (root as Record<string, unknown>)[key]
  return { ...root, [key]: rest.length === 0 ? value : put(inner as object, rest, value) }
}
