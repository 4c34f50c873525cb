import fc from 'fast-check'
import { expect, it } from 'vitest'
import { requestSchema } from '../../schemas/catalogue.ts'
import { validRequest } from '../cases/requests.ts'
import { generatedValues } from './for-all.ts'

const text = fc.string({ maxLength: 200 })
const request = validRequest(requestSchema('add-workspace'), { text: 'ordinary' })

it.each([
  ['texts', text, ['first', 'second'], 1],
  ['texts', text, [], 64],
  ['texts', text, ['first'], 65],
  ['texts', text, ['first', 'second', 'third'], 300],
  ['more examples than a portion', text, Array.from({ length: 70 }, (_, at) => String(at)), 150],
  ['requests', request, [], 200],
] as const)('%s: are those of one sample', (_, arbitrary, examples, count) => {
  for (const seed of [1, -77, 2 ** 30]) {
    const sample = { seed, examples: [...examples] as never[] }
    const whole = fc.sample(arbitrary as fc.Arbitrary<unknown>, { ...sample, numRuns: count })
    expect([...generatedValues(arbitrary as fc.Arbitrary<unknown>, sample, count)]).toEqual(whole)
  }
})
