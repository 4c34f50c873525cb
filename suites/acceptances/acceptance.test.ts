import { expect, it } from 'vitest'
import { packed } from './acceptance.ts'

it('packs values of different parameters into one request, and keeps their order', () => {
  const values = [{ name: 'one' }, { entityId: 'a' }, { name: 'two' }, { entityId: 'b', name: 'three' }]
  expect(packed(values)).toEqual([
    { name: 'one', entityId: 'a' },
    { name: 'two' },
    { entityId: 'b', name: 'three' },
  ])
})
