import { expect, it } from 'vitest'
import { Finding, Unproven } from './findings.ts'
import { retryFinding, retryPolicies } from './retry-finding.ts'

const found = new Finding('found', { expected: [], actual: '', answers: [] })
const unproven = new Unproven('nothing proved')

/** A try that ends with these errors in turn, the last one for ever. Records the situations. */
function ending(...ends: readonly (Error | undefined)[]) {
  const tried: string[] = []
  const look = async (situation: string): Promise<void> => {
    tried.push(situation)
    const end = ends[Math.min(tried.length, ends.length) - 1]
    if (end !== undefined) throw end
  }
  return { look, tried }
}

it.each([
  ['shows at the second of four tries', retryPolicies.howOften, [undefined, found], { tries: 2, times: 1 }],
  ['never shows', retryPolicies.howOften, [undefined], { tries: 4, times: 0 }],
  ['does not show at its only retry', retryPolicies.again, [undefined, found], { tries: 1, times: 0 }],
  ['shows now and then', retryPolicies.nowAndThen, [found, undefined, found], { tries: 3, times: 2 }],
  ['shows once in many tries', retryPolicies.nowAndThen, [found, undefined], { tries: 32, times: 1 }],
  ['is retried without a judgement', retryPolicies.again, [unproven], { tries: 0, times: 0 }],
])('counts the tries of a finding that %s', async (_, policy, ends, wanted) => {
  const { tries, times, finding } = await retryFinding(policy, ending(...ends).look)
  expect({ tries, times }).toEqual(wanted)
  expect(finding).toBe(times >= policy.times ? found : undefined)
})

it('with `always`, stops at the first try that does not show the finding', async () => {
  const always = { tries: 3, times: 3, always: true }
  expect((await retryFinding(always, ending(found).look)).missed).toBeUndefined()
  expect(await retryFinding(always, ending(found, undefined).look)).toEqual({
    tries: 2,
    times: 1,
    missed: { end: undefined },
  })
  expect((await retryFinding(always, ending(unproven).look)).missed).toEqual({ end: unproven })
})

it('tries its situations in turn, and only in-company among other operations', async () => {
  let among = 0
  const { look, tried } = ending(undefined)
  await retryFinding({ ...retryPolicies.nowAndThen, tries: 4 }, look, (tried) => {
    among += 1
    return tried()
  })
  expect(tried).toEqual(['after-refusal', 'in-company', 'plain', 'after-refusal'])
  expect(among).toBe(1)
})

it('rethrows errors of the suite', async () => {
  await expect(retryFinding(retryPolicies.again, ending(new TypeError('a mistake')).look)).rejects.toThrow(
    'a mistake',
  )
})
