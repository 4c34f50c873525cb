import { describe, expect, it } from 'vitest'
import { WorkspacePlaces } from './workspace-places.ts'

function places() {
  let made = 0
  return new WorkspacePlaces(async () => {
    made += 1
    return { collaborationId: `c${made}` }
  })
}

describe('WorkspacePlaces', () => {
  it('puts different names into one collaboration', async () => {
    const somewhere = places()
    expect([await somewhere.for('one'), await somewhere.for('two')]).toEqual(['c1', 'c1'])
  })

  it.each([
    ['equal', 'name', 'name'],
    ['different in case', 'Name', 'name'],
    ['different in form', 'é', 'e\u0301'],
    ['the same once cut', `${'x'.repeat(100)}`, `${'x'.repeat(101)}`],
    ['absent', undefined, undefined],
  ])('keeps names apart that are %s', async (_, one, other) => {
    const somewhere = places()
    expect(await Promise.all([somewhere.for(one), somewhere.for(other)])).toEqual(['c1', 'c2'])
  })
})
