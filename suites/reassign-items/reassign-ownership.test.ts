/** What is concluded from a list of items whose commas are not escaped. */
import { expect, it } from 'vitest'
import { faults } from '../../reference/faults/index.ts'
import { resultsOn } from '../../runner/judged-portal.fixture.ts'

const check = 'protocol/encoding:item-list'

/** What comes of the check where that fault shows in some of the requests on the path of the owner, by their number. */
async function judged(fault: string, shows: (count: number) => boolean) {
  let count = 0
  const { alter } = faults.find(({ id }) => id === fault) ?? expect.unreachable(fault)
  const draw = ({ url }: { readonly url?: string | undefined }) => {
    if (url?.includes('/users/item_owner/')) count += 1
    return shows(count)
  }
  const hooks = { sometimes: { alter, draw } }
  const results = await resultsOn({}, { requirements: [check], seed: 1, runs: 8, hooks })
  return results.find(({ id }) => id === check)
}

const keeps = 'last-item-keeps-owner'

it.each<[string, string, (count: number) => boolean, string]>([
  ['nothing where they move', keeps, () => false, 'passed'],
  ['nothing where items of other lists stay as well', keeps, (count) => count % 3 === 2, 'inconclusive'],
  ['that they count where items stay for that alone', 'plain-commas-end-the-list', () => true, 'failed'],
])('is %s', async (_, fault, shows, outcome) => {
  expect(await judged(fault, shows)).toMatchObject({ outcome })
})
