import { setTimeout as sleep } from 'node:timers/promises'
import { describe, expect, it } from 'vitest'
import { FixtureNotOffered } from '../deployment/fixtures/fixture-kinds.ts'
import { WorkspaceLeases } from './workspace-leases.ts'

/** Hands out w1, w2, … as long as there are any, and counts them. */
function poolOf(size: number, minimumSyncMs = 300) {
  let drawn = 0
  const draw = async () => {
    if (drawn >= size) throw new FixtureNotOffered('workspace', 'all are used up')
    drawn += 1
    return { collaborationId: `c${drawn}`, workspaceId: `w${drawn}`, minimumSyncMs, maximumSyncMs: 1 }
  }
  return { draw, drawn: () => drawn }
}

const idOf = ({ workspace }: { readonly workspace: { readonly workspaceId: string } }) =>
  workspace.workspaceId

describe('leases', () => {
  it('hands on what was given back rather than drawing another', async () => {
    const leases = new WorkspaceLeases(3, () => 1)
    const { draw, drawn } = poolOf(9)
    const [one, other] = [{}, {}]
    expect(await leases.take(one, {}, draw)).toMatchObject({
      workspace: { workspaceId: 'w1' },
      secondHand: false,
    })
    leases.giveBack(one)
    expect(await leases.take(other, {}, draw)).toMatchObject({
      workspace: { workspaceId: 'w1' },
      secondHand: true,
    })
    expect(drawn()).toBe(1)
  })

  it('has those wait who have none, and never those who have one', async () => {
    const leases = new WorkspaceLeases(1, () => 1)
    const { draw, drawn } = poolOf(9)
    const [one, other] = [{}, {}]
    await leases.take(one, {}, draw)
    const waiting = leases.take(other, {}, draw)
    expect(idOf(await leases.take(one, {}, draw))).toBe('w2')
    leases.giveBack(one)
    expect(['w1', 'w2']).toContain(idOf(await waiting))
    expect(drawn()).toBe(2)
  })

  it('lets one holder after the other take several, so that all of them come to an end', async () => {
    const leases = new WorkspaceLeases(2, () => 1)
    const { draw, drawn } = poolOf(9)
    const ends = await Promise.all(
      Array.from({ length: 6 }, async () => {
        const holder = {}
        const had = [await leases.take(holder, {}, draw), await leases.take(holder, {}, draw)].map(idOf)
        leases.giveBack(holder)
        return new Set(had).size
      }),
    )
    expect(ends).toEqual([2, 2, 2, 2, 2, 2])
    expect(drawn()).toBeLessThan(7)
  })

  it('draws no more for those who come while others wait for the provider', async () => {
    const leases = new WorkspaceLeases(2, () => 1)
    const { draw, drawn } = poolOf(20)
    const slowly = async () => {
      await sleep(5)
      return draw()
    }
    await Promise.all(
      Array.from({ length: 9 }, async () => {
        const holder = {}
        await leases.take(holder, {}, slowly)
        leases.giveBack(holder)
      }),
    )
    expect(drawn()).toBe(2)
  })

  it('lets all come to an end where one has the only workspace and wants another, while others ask', async () => {
    const leases = new WorkspaceLeases(2, () => 1)
    const { draw } = poolOf(1)
    const slowly = async () => {
      await sleep(1)
      return draw()
    }
    const several = async () => {
      const holder = {}
      await leases.take(holder, {}, slowly)
      const end = await leases.take(holder, {}, slowly).then(idOf, (error: Error) => error.message)
      leases.end(holder)
      return end
    }
    const one = async () => {
      const holder = {}
      const end = idOf(await leases.take(holder, {}, slowly))
      leases.end(holder)
      return end
    }
    const ends = await Promise.all([several(), one(), several(), one()])
    expect(ends).toEqual(['all are used up', 'w1', 'all are used up', 'w1'])
  })

  it('has those who wait for a provider that fails ask for themselves', async () => {
    const leases = new WorkspaceLeases(1, () => 1)
    const { draw } = poolOf(20)
    const failing = leases.take({}, {}, async () => {
      await sleep(5)
      throw new Error('the provider failed')
    })
    const waiting = leases.take({}, {}, draw)
    await expect(failing).rejects.toThrow('the provider failed')
    expect(idOf(await waiting)).toBe('w1')
  })

  it('lets holders take several at the same moment', async () => {
    const leases = new WorkspaceLeases(2, () => 1)
    const { draw, drawn } = poolOf(20)
    await Promise.all(
      Array.from({ length: 5 }, async () => {
        const holder = {}
        await Promise.all([1, 2, 3].map(() => leases.take(holder, {}, draw)))
        leases.giveBack(holder)
      }),
    )
    expect(drawn()).toBeLessThan(7)
  })

  it('lets all come to an end where there are too few for those who want several', async () => {
    const leases = new WorkspaceLeases(2, () => 1)
    const { draw } = poolOf(2)
    const ends = await Promise.all(
      Array.from({ length: 4 }, async () => {
        const holder = {}
        const several = Promise.all([1, 2, 3].map(() => leases.take(holder, {}, draw)))
        const end = await several.catch((error: Error) => error.message)
        leases.end(holder)
        return end
      }),
    )
    expect(ends).toEqual(Array.from({ length: 4 }, () => 'all are used up'))
  })

  it('keeps nothing for a holder who has ended, whatever is still asked in his name', async () => {
    const leases = new WorkspaceLeases(1, () => 1)
    const { draw, drawn } = poolOf(9)
    const [one, other, late] = [{}, {}, {}]
    await leases.take(one, {}, draw)
    const further = leases.take(one, {}, draw).catch(() => 'refused')
    const waiting = leases.take(late, {}, draw).catch(() => 'refused')
    leases.end(one)
    leases.end(late)
    const after = leases.take(one, {}, draw).catch(() => 'refused')
    expect(await Promise.all([further, waiting, after])).toEqual(['refused', 'refused', 'refused'])
    expect(idOf(await leases.take(other, {}, draw))).toMatch(/^w/)
    leases.giveBack(other)
    expect(idOf(await leases.take({}, {}, draw))).toMatch(/^w/)
    expect(drawn()).toBeLessThan(3)
  })

  it('waits for those of others where there are no more', async () => {
    const leases = new WorkspaceLeases(5, () => 1)
    const { draw } = poolOf(1)
    const [one, other] = [{}, {}]
    await leases.take(one, {}, draw)
    const waiting = leases.take(other, {}, draw)
    leases.giveBack(one)
    expect(idOf(await waiting)).toBe('w1')
  })

  it('rejects where a holder wants more than there are', async () => {
    const leases = new WorkspaceLeases(5, () => 1)
    const { draw } = poolOf(1)
    const holder = {}
    await leases.take(holder, {}, draw)
    await expect(leases.take(holder, {}, draw)).rejects.toThrow('all are used up')
  })

  it('takes one of shorter syncs where there are no more', async () => {
    const leases = new WorkspaceLeases(1, () => 1)
    const { draw } = poolOf(1)
    const [one, other] = [{}, {}]
    await leases.take(one, {}, draw)
    leases.giveBack(one)
    expect(idOf(await leases.take(other, { minimumSyncMs: 700 }, draw))).toBe('w1')
  })

  it('hands it on once the sync is over that was asked for last', async () => {
    const leases = new WorkspaceLeases(1, () => 1)
    const { draw } = poolOf(1)
    const [one, other] = [{}, {}]
    await leases.take(one, {}, draw)
    leases.asked('w1')
    leases.giveBack(one)
    const order: string[] = []
    const next = leases.take(other, {}, draw).then(() => order.push('taken'))
    order.push('asked')
    await next
    expect(order).toEqual(['asked', 'taken'])
  })
})
