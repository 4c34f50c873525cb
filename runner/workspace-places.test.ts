import { describe, expect, it } from 'vitest'
import { WorkspacePlaces } from './workspace-places.ts'

function places(room = Number.POSITIVE_INFINITY) {
  let made = 0
  const collaboration = async () => {
    made += 1
    return { collaborationId: `c${made}` }
  }
  return new WorkspacePlaces({ collaboration, room: () => room })
}

describe('WorkspacePlaces', () => {
  it('puts different names into one collaboration', async () => {
    const somewhere = places()
    expect([await somewhere.for('one'), await somewhere.for('two')]).toEqual(['c1', 'c1'])
  })

  it('adds no more to one than it is known to take', async () => {
    const somewhere = places(2)
    const names = ['one', 'two', 'three', 'four', 'five']
    expect(await Promise.all(names.map((name) => somewhere.for(name)))).toEqual([
      'c1',
      'c1',
      'c2',
      'c2',
      'c3',
    ])
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
