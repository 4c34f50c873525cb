import { describe, expect, it } from 'vitest'
import { FixtureNotOffered } from '../deployment/fixtures/fixture-kinds.ts'
import { CollaborationUse } from './collaboration-use.ts'
import { NotTested } from './findings.ts'

const one = { collaborationId: 'one' }
const two = { collaborationId: 'two' }
const no = () => Promise.reject(new FixtureNotOffered('collaboration', 'all are used up'))
const offer = (fixture: { collaborationId: string }) => () => Promise.resolve(fixture)

/** A target that takes workspaces as `takes` says; keeps the names that were tried. */
function useOf(takes: (id: string, name: string, tried: readonly string[]) => boolean) {
  const tried: string[] = []
  const use = new CollaborationUse(async (id, name) => {
    const taken = takes(id, name, tried)
    tried.push(name)
    return taken
  })
  return { use, tried }
}

const takesAll = () => useOf(() => true)
const refusesEqualNames = () => useOf((_, name, tried) => !tried.includes(name))

describe('a collaboration to add to', () => {
  it('is a fresh one as long as there are any, and nothing is tried', async () => {
    const { use, tried } = takesAll()
    expect(await use.toAdd(new Set(), offer(one))).toEqual(one)
    expect(await use.toAdd(new Set(), offer(two))).toEqual(two)
    expect(tried).toEqual([])
  })

  it('is shared where there are no more, in turn', async () => {
    const { use } = takesAll()
    await use.toAdd(new Set(), offer(one))
    await use.toAdd(new Set(), offer(two))
    const shared = [await use.toAdd(new Set(), no), await use.toAdd(new Set(), no)]
    expect(shared).toEqual([one, two])
  })

  it('is shared also where it is still on its way to the first that asked', async () => {
    const { use } = takesAll()
    let answer = (_: typeof one) => {}
    const slow = use.toAdd(
      new Set(),
      () =>
        new Promise<typeof one>((resolve) => {
          answer = resolve
        }),
    )
    const second = use.toAdd(new Set(), no)
    answer(one)
    expect(await Promise.all([slow, second])).toEqual([one, one])
  })

  it('is a fresh one for each check once it is known how many workspaces one takes', async () => {
    const full = new Set<string>()
    const { use } = useOf((id) => !full.has(id))
    await use.toAdd(new Set(), offer(one))
    expect([await use.isFull('one', 3), use.room]).toEqual([false, Number.POSITIVE_INFINITY])
    full.add('one')
    expect([await use.isFull('one', 2), await use.isFull('one', 7), use.room]).toEqual([false, true, 7])
    expect(await use.toAdd(new Set(), offer(two))).toEqual(two)
    expect(await use.toAdd(new Set(), no)).toEqual(two)
  })

  it('is given twice to one check only where equal names are taken, which is tried once', async () => {
    const lenient = takesAll()
    const had = new Set<string>()
    await lenient.use.toAdd(had, offer(one))
    expect([await lenient.use.toAdd(had, no), await lenient.use.toAdd(had, no)]).toEqual([one, one])
    expect(lenient.tried).toHaveLength(2)
    expect(new Set(lenient.tried).size).toBe(1)

    const strict = refusesEqualNames()
    const before = new Set<string>()
    await strict.use.toAdd(before, offer(one))
    await expect(strict.use.toAdd(before, no)).rejects.toThrow('all are used up')
    expect(await strict.use.toAdd(new Set(), no)).toEqual(one)
  })

  it('is missing where there was never one, and a failure of the provider stays one', async () => {
    const { use } = takesAll()
    await expect(use.toAdd(new Set(), no)).rejects.toThrow(FixtureNotOffered)
    await use.toAdd(new Set(), offer(one))
    await expect(use.toAdd(new Set(), () => Promise.reject(new Error('broke')))).rejects.toThrow('broke')
  })
})

describe('names in a shared collaboration', () => {
  const [first, second] = [{}, {}]

  it('are used by one check only where equal names are refused', async () => {
    const { use } = refusesEqualNames()
    await use.toAdd(new Set(), offer(one))
    await use.claim(first, 'one', 'Name')
    await use.claim(first, 'one', 'Name')
    await use.claim(second, 'one', 'another')
    await expect(use.claim(second, 'one', 'name')).rejects.toThrow(NotTested)
    await expect(use.claim(second, 'one', 'name')).rejects.toMatchObject({ add: ['fixtures.collaboration'] })
  })

  it('are free where equal names are taken, where none is given, and in what nobody shares', async () => {
    const lenient = takesAll().use
    await lenient.toAdd(new Set(), offer(one))
    await lenient.claim(first, 'one', 'name')
    await expect(lenient.claim(second, 'one', 'name')).resolves.toBeUndefined()
    const strict = refusesEqualNames().use
    await strict.toAdd(new Set(), offer(one))
    for (const attempt of [first, second]) {
      await expect(strict.claim(attempt, 'one', undefined)).resolves.toBeUndefined()
      await expect(strict.claim(attempt, 'elsewhere', 'name')).resolves.toBeUndefined()
    }
  })
})

describe('what a check deletes', () => {
  it('is used by nobody else', async () => {
    const { use } = takesAll()
    expect(await use.toDelete(offer(one))).toEqual(one)
    await expect(use.within('participant', offer(one))).rejects.toThrow(/no fixture "participant": .*stays/)
    expect(await use.within('participant', offer(two))).toEqual(two)
  })

  it('is nothing that others add to or act in', async () => {
    const { use } = takesAll()
    await use.toAdd(new Set(), offer(one))
    await use.within('workspace', offer(two))
    for (const used of [one, two])
      await expect(use.toDelete(offer(used))).rejects.toThrow(/used by other checks/)
  })
})

describe('stillTaking', () => {
  it('tries nothing where nothing is shared', async () => {
    const { use, tried } = useOf(() => false)
    await use.toAdd(new Set(), offer(one))
    expect([await use.stillTaking(), tried]).toEqual([true, []])
  })

  it('tells a collaboration that is full from one that is not', async () => {
    let full = false
    const { use } = useOf(() => !full)
    await use.toAdd(new Set(), offer(one))
    await use.toAdd(new Set(), no)
    expect(await use.stillTaking()).toBe(true)
    full = true
    expect(await use.stillTaking()).toBe(false)
  })
})

describe('isFullEverywhere', () => {
  it('tries that collaboration and one that nobody has had', async () => {
    const { use, tried } = useOf(() => false)
    expect([await use.isFullEverywhere('one', offer(two)), tried.length]).toEqual([true, 2])
    expect(await use.isFullEverywhere('one', no)).toBe(true)
  })

  it('is not where either of them takes a workspace', async () => {
    for (const taking of ['one', 'two']) {
      const { use } = useOf((id) => id === taking)
      expect(await use.isFullEverywhere('one', offer(two))).toBe(false)
    }
  })
})
