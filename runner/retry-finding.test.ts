import { expect, it } from 'vitest'
import { Finding, Unproven } from './findings.ts'
import { retryFinding } from './retry-finding.ts'

const found = new Finding('found', { expected: [], actual: '', answers: [] })
const unproven = new Unproven('nothing proved')

/** A try that ends with these errors in turn, the last one for ever. */
function ending(...ends: readonly (Error | undefined)[]) {
  let tried = 0
  return async (): Promise<void> => {
    const end = ends[Math.min(tried++, ends.length - 1)]
    if (end !== undefined) throw end
  }
}

it.each([
  ['shows at the second of four tries', 4, [undefined, found], { tries: 2, times: 1 }],
  ['never shows', 4, [undefined], { tries: 4, times: 0 }],
  ['does not show at its only retry', 1, [undefined, found], { tries: 1, times: 0 }],
  ['is retried without a judgement', 1, [unproven], { tries: 0, times: 0 }],
])('counts the tries of a finding that %s', async (_, most, ends, wanted) => {
  const { tries, times, finding } = await retryFinding(most, ending(...ends))
  expect({ tries, times }).toEqual(wanted)
  expect(finding).toBe(times > 0 ? found : undefined)
})

it('rethrows errors of the suite', async () => {
  await expect(retryFinding(1, ending(new TypeError('a mistake')))).rejects.toThrow('a mistake')
})
