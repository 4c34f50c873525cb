import { describe, expect, it, test } from 'vitest'
import { FixtureFailure, FixtureNotOffered } from '../../deployment/fixtures/fixture-kinds.ts'
import { few, poolOf } from './pool.fixture.ts'

const collaborations = (most: number) => few(most, (count) => ({ collaborationId: `c${count}` }))
const groups = (count: number) => ({ groupId: `g${count}` })
const single = (count: number) => ({ ...groups(count), reusable: false })
const together = { alone: false }

/** The results of asking this many times, one after the other. */
async function inTurn<T>(times: number, ask: () => Promise<T>): Promise<T[]> {
  const made: T[] = []
  while (made.length < times) made.push(await ask())
  return made
}

test('reusable fixtures are handed out in turn if the provider has no more', async () => {
  const { pool } = poolOf({
    federation: few(2, (count) => ({ federationId: `f${count}` })),
    group: few(2, (count) => ({ groupId: `g${count}`, reusable: count === 1 })),
  })
  const federations = await inTurn(5, () => pool.draw('federation', {}))
  expect(federations.map(({ federationId }) => federationId)).toEqual(['f1', 'f2', 'f1', 'f2', 'f1'])
  const groups = await inTurn(4, () => pool.draw('group', {}))
  // The second group takes only one workspace.
  expect(groups.map(({ groupId }) => groupId)).toEqual(['g1', 'g2', 'g1', 'g1'])
})

test('a fixture that is used up is not handed out again', async () => {
  const { pool } = poolOf({ taskRun: few(1, () => ({ userName: 'u', taskId: 't', runId: 'r' })) })
  await pool.draw('taskRun', {})
  await expect(pool.draw('taskRun', {})).rejects.toThrow(FixtureNotOffered)
})

describe('a group', () => {
  it('serves all requests if it is reusable', async () => {
    const { pool, asked } = poolOf({ group: groups })
    const linked = await inTurn(2, () => pool.group('linked'))
    expect([...linked, await pool.group('named')]).toEqual(['g1', 'g1', 'g1'])
    expect(asked('group')).toBe(1)
  })

  it('serves one workspace if it is not reusable, but may be named again', async () => {
    const { pool } = poolOf({ group: single })
    expect([await pool.group('linked'), await pool.group('linked')]).toEqual(['g1', 'g2'])
    expect(await pool.group('named')).toBe('g2')
  })
})

describe('a group of a guest', () => {
  it('is drawn once, and never serves as one of the host', async () => {
    const { pool, asked } = poolOf({ group: few(2, groups) })
    await pool.group('linked')
    expect(await inTurn(2, () => pool.groupOf('guest'))).toEqual(['g2', 'g2'])
    expect(pool.before('group')).toEqual([{ groupId: 'g1' }])
    expect(await pool.groupOf('otherGuest')).toBeUndefined()
    expect(asked('group')).toBe(3)
  })

  it('is not drawn where groups serve once, since it may be one of the host', async () => {
    const { pool, asked } = poolOf({ group: single })
    await pool.group('linked')
    expect(await pool.groupOf('guest')).toBeUndefined()
    expect(asked('group')).toBe(1)
  })
})

describe('a spare group', () => {
  it('stays spare until it replaces the shared group', async () => {
    const { pool, asked } = poolOf({ group: groups })
    expect(await pool.group('linked')).toBe('g1')
    expect([await pool.spareGroup('g1'), await pool.spareGroup('g1')]).toEqual(['g2', 'g2'])
    expect(asked('group')).toBe(2)
    pool.shareSpareGroup('g2')
    pool.shareSpareGroup('g2')
    expect(await pool.group('linked')).toBe('g2')
  })

  it('is absent if the provider has no other, or if groups are not reusable', async () => {
    const { pool } = poolOf({ group: few(1, () => ({ groupId: 'g1' })) })
    await pool.group('linked')
    expect(await pool.spareGroup('g1')).toBeUndefined()
    const { pool: once } = poolOf({ group: single })
    await once.group('linked')
    expect(await once.spareGroup('g1')).toBeUndefined()
  })
})

describe('a shared collaboration', () => {
  it('is a new one up to the limit, and then each in turn', async () => {
    const { pool, asked } = poolOf({ collaboration: collaborations(9) }, { collaborations: 2 })
    const shared = await inTurn(4, () => pool.sharedCollaboration(together))
    expect(shared.map(({ collaborationId }) => collaborationId)).toEqual(['c1', 'c2', 'c1', 'c2'])
    expect(asked('collaboration')).toBe(2)
    expect((await pool.sharedCollaboration({ alone: true })).collaborationId).toBe('c3')
  })

  it('serves all if the provider has no more, even before it is made', async () => {
    const { pool } = poolOf({ collaboration: collaborations(1) })
    const both = await Promise.all([
      pool.sharedCollaboration(together),
      pool.sharedCollaboration({ alone: true }),
    ])
    expect(both.map(({ collaborationId }) => collaborationId)).toEqual(['c1', 'c1'])
    expect(both[0].users).toBe(2)
  })

  it('rejects if the provider has none, and passes a failure of the provider only to the first caller', async () => {
    const none = poolOf({})
    await expect(none.pool.sharedCollaboration(together)).rejects.toThrow(FixtureNotOffered)
    const failing = poolOf(
      {
        collaboration: (count) => {
          if (count === 1) throw new FixtureFailure('broke')
          return { collaborationId: `c${count}` }
        },
      },
      { collaborations: 1 },
    )
    const first = failing.pool.sharedCollaboration(together)
    const second = failing.pool.sharedCollaboration(together)
    await expect(first).rejects.toThrow('broke')
    expect((await second).collaborationId).toBe('c2')
  })
})

describe('a collaboration that a check deletes', () => {
  const inOne = () => ({ collaborationId: 'one', participantPortalId: 'guest' })

  it('is not given to other checks', async () => {
    const { pool } = poolOf({ collaboration: () => ({ collaborationId: 'one' }), participant: inOne })
    await pool.ownCollaboration()
    await expect(pool.within('participant', {})).rejects.toThrow(/no fixture "participant": .*stays/)
    await expect(pool.sharedCollaboration(together)).rejects.toThrow(FixtureNotOffered)
    expect(await pool.within('participant', { collaborationId: 'one' })).toEqual(inOne())
  })

  it.each(['toAddTo', 'within', 'ownCollaboration'] as const)(
    'is not one that other checks got by %s',
    async (by) => {
      const { pool } = poolOf({ collaboration: () => ({ collaborationId: 'one' }), participant: inOne })
      const give = {
        toAddTo: () => pool.sharedCollaboration(together),
        within: () => pool.within('participant', {}),
        ownCollaboration: () => pool.ownCollaboration(),
      }
      await give[by]()
      await expect(pool.ownCollaboration()).rejects.toThrow(/used by other checks/)
    },
  )
})

test('marks differ within a run, and repeat in a run with the same id', () => {
  const marks = () => {
    const { pool } = poolOf({})
    return [pool.markFor('name'), pool.markFor('name'), pool.markFor('other')]
  }
  expect(new Set(marks()).size).toBe(3)
  expect(marks()).toEqual(marks())
})
