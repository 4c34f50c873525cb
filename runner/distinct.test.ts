import { describe, expect, it } from 'vitest'
import { distinct } from './distinct.ts'
import { NotTested } from './findings.ts'

/** A provider that hands out these in turn, and how often it was asked. */
function turns(...names: readonly string[]) {
  let asked = 0
  const obtain = async () => ({ username: names[asked++ % names.length] as string })
  return {
    kind: 'eligibleUser',
    obtain,
    idOf: ({ username }: { username: string }) => username,
    asked: () => asked,
  } as const
}

describe('distinct', () => {
  it('takes the first that come where they differ', async () => {
    const users = turns('ann', 'bob', 'cem')
    expect(await distinct(2, users)).toEqual([{ username: 'ann' }, { username: 'bob' }])
    expect(users.asked()).toBe(2)
  })

  it('asks again where the same comes again', async () => {
    expect(await distinct(2, turns('ann', 'ann', 'ann', 'bob'))).toEqual([
      { username: 'ann' },
      { username: 'bob' },
    ])
  })

  it('takes none that will not do', async () => {
    expect(await distinct(1, { ...turns('ann', 'bob'), not: ['ann'] })).toEqual([{ username: 'bob' }])
  })

  it('takes one that the run was handed before where checks in step are handed the same', async () => {
    const before = () => [{ username: 'ann' }, { username: 'bob' }]
    expect(await distinct(1, { ...turns('ann'), not: ['ann'], before })).toEqual([{ username: 'bob' }])
  })

  it('gives up after a few, and says what to add', async () => {
    const users = turns('ann')
    const error = await distinct(2, users).catch((reason: unknown) => reason)
    expect(error).toBeInstanceOf(NotTested)
    expect((error as NotTested).message).toBe(
      '2 different fixtures "eligibleUser" needed, and the provider keeps handing out only 1 of them: offer more',
    )
    expect((error as NotTested).add).toEqual(['fixtures.eligibleUser'])
    expect(users.asked()).toBeLessThan(10)
  })
})
