import { expect, it } from 'vitest'
import { inAnyCase } from './letter-case.ts'

it('takes ids that differ in letter case for one', () => {
  const same = inAnyCase(['ab12', 'cd34'])
  expect(same('AB12')).toBe(same('ab12'))
  expect(same('ab12')).not.toBe(same('cd34'))
})

it('keeps apart what the provider handed out in both cases', () => {
  const same = inAnyCase(['ab12', 'AB12'])
  expect(same('AB12')).not.toBe(same('ab12'))
  expect(same('ab12')).toBe(same('ab12'))
})
