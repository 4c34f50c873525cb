/** What is concluded from a list of items whose commas are not escaped. */
import { expect, it, onTestFinished } from 'vitest'
import { loadConfiguration } from '../../deployment/configuration/load-configuration.ts'
import { faults } from '../../reference/faults/index.ts'
import { startWatchedPortal } from '../../reference/portal.ts'
import { runAll } from '../../runner/run-all.ts'
import { inputOf } from '../../runner/run-input.ts'
import { declaredChecks } from '../declared-checks.ts'

const check = 'protocol/encoding:item-list'

/** What comes of the check where that fault shows in some of the requests on the path of the owner, by their number. */
async function judged(fault: string, shows: (count: number) => boolean) {
  let count = 0
  const { alter } = faults.find(({ id }) => id === fault) ?? expect.unreachable(fault)
  const draw = ({ url }: { readonly url?: string | undefined }) => {
    if (url?.includes('/users/item_owner/')) count += 1
    return shows(count)
  }
  const portal = await startWatchedPortal({}, { sometimes: { alter, draw } })
  onTestFinished(() => portal.close())
  const source = { value: portal.configuration, name: 'the test' }
  const configuration = loadConfiguration(source, { seed: 1, runs: 8 }, {})
  const selection = { operations: [], requirements: [check] }
  const { checks: all } = await runAll(await declaredChecks(), inputOf(configuration, 'test', { selection }))
  return all.find(({ id }) => id === check)
}

it.each([
  ['nothing where they move', () => false, 'passed'],
  [
    'nothing of the commas where items of other lists stay as well',
    (count: number) => count % 3 === 2,
    'inconclusive',
  ],
] as const)('is %s', async (_, shows: (count: number) => boolean, outcome) => {
  expect(await judged('last-item-keeps-owner', shows)).toMatchObject({ outcome })
})

it('is that they count where items stay for that alone', async () => {
  expect(await judged('plain-commas-end-the-list', () => true)).toMatchObject({ outcome: 'failed' })
})
