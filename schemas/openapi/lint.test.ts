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
