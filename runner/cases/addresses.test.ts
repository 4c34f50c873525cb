import fc from 'fast-check'
import { expect, test } from 'vitest'
import { hidePersonal } from '../../deployment/redaction/redaction.ts'
import { requestSchema } from '../../schemas/catalogue.ts'
import { realistic } from './realistic.ts'
import { validRequest } from './requests.ts'

test('every address that is made up is at a domain for examples: it is no one’s, and stays visible', () => {
  const samples = [
    ...fc.sample(realistic('email'), { seed: 1, numRuns: 2000 }),
    ...fc
      .sample(validRequest(requestSchema('update-participant'), { leaveOut: 'nothing' }), {
        seed: 1,
        numRuns: 500,
      })
      .map(({ contactEmailAddress }) => String(contactEmailAddress)),
  ]
  expect(samples.every((address) => /^[^@]+@[^@]+$/.test(address))).toBe(true)
  expect(samples.filter((address) => hidePersonal(address, 'all') !== address)).toEqual([])
})
