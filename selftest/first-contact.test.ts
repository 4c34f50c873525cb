import { describe, expect, it } from 'vitest'
import { twoLogins } from './administered.ts'
import { judgeAdministered } from './judge-administered.ts'

/** Outcomes of checks of these requirements, each once. */
async function outcomesWith(variant: string, requirements: readonly string[]) {
  const judged = await judgeAdministered({ variants: [variant], requirements, seed: 5, runs: 1 }, twoLogins)
  expect(judged.left).toEqual([])
  const chosen = judged.checks.filter(({ requirement }) => requirements.includes(requirement))
  return Object.fromEntries(chosen.map(({ id, outcome }) => [id, outcome]))
}

describe('a deployment whose guests', () => {
  it('link nothing still shows that collaborations are deleted', async () => {
    const outcomes = await outcomesWith('guests-link-nothing', ['delete-collaboration/deletes'])
    expect(outcomes).toMatchObject({
      'delete-collaboration/deletes': 'passed',
      'delete-collaboration/deletes:in-use': 'passed',
      'delete-collaboration/deletes:synced': 'not-applicable',
    })
    expect(Object.values(outcomes)).not.toContain('not-tested')
  })
})
