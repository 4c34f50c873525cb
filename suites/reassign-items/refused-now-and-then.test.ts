/** A refusal now and then is no sign that items moved. */
import { expect, it } from 'vitest'
import { faults } from '../../reference/faults/index.ts'
import { resultsOn } from '../../runner/judged-portal.fixture.ts'

it('blames no refused request for items if one server in three refuses requests without a folder', async () => {
  const { alter } = faults.find(({ id }) => id === 'folder-required') ?? expect.unreachable()
  let count = 0
  const draw = ({ url }: { readonly url?: string | undefined }) =>
    url?.endsWith('/reassignItems') === true && ++count % 3 === 0
  const requirements = [
    'reassign-items/refuses-*',
    'reassign-items/{unknown,not-their}-item',
    'reassign-items/{target-in-organization,unknown-target,ineligible-target-keeps-owner}',
  ]
  const hooks = { sometimes: { alter, draw } }
  const results = await resultsOn({}, { requirements, seed: 1, runs: 25, hooks })
  const failed = results.filter(({ outcome }) => outcome === 'failed').map(({ id }) => id)
  // A control that is refused now and then breaks a requirement of its own.
  expect(failed.filter((id) => id !== 'reassign-items/reassigns:every-control')).toEqual([])
  expect(results.some(({ outcome }) => outcome === 'inconclusive')).toBe(true)
})
