import { setTimeout as sleep } from 'node:timers/promises'
import { describe, expect, it } from 'vitest'
import { SyncTurns } from './sync-turns.ts'

/** Turns on a target that holds up or not, and what asks for a sync that takes as long as it is answered. */
function setting(holdUp: boolean | Error) {
  const under: string[] = []
  let decided = 0
  const seen: string[][] = []
  const turns = new SyncTurns({
    holdUp: async () => {
      decided += 1
      await sleep(10)
      seen.push([...under])
      if (holdUp instanceof Error) throw holdUp
      return holdUp
    },
    over: async () => undefined,
    patienceMs: 1000,
  })
  /** The workspaces that were synced at the same time. */
  const sync = (id: string) =>
    turns.of(id, async () => {
      under.push(id)
      await sleep(5)
      const beside = [...new Set(under)]
      await sleep(5)
      under.splice(under.indexOf(id), 1)
      return beside
    })
  return { turns, sync, decided: () => decided, seen }
}

describe('turns of syncs', () => {
  it('are not taken, and nothing is asked, where nothing is wrong', async () => {
    const { turns, sync, decided } = setting(true)
    expect(await Promise.all(['a', 'b'].map(sync))).toEqual([
      ['a', 'b'],
      ['a', 'b'],
    ])
    expect([turns.taken, decided()]).toEqual([false, 0])
  })

  it('are taken by workspaces once a sync was seen to hold up another', async () => {
    const { turns, sync, decided } = setting(true)
    expect(await Promise.all([turns.needed(), turns.needed()])).toEqual([true, true])
    expect([turns.taken, decided()]).toEqual([true, 1])
    const beside = await Promise.all(['a', 'b', 'a', 'c'].map(sync))
    expect(beside).toEqual([['a'], ['b'], ['a'], ['c']])
  })

  it('let all go on beside each other where none holds up another', async () => {
    const { turns, sync } = setting(false)
    expect(await turns.needed()).toBe(false)
    expect((await Promise.all(['a', 'b'].map(sync))).flat()).toEqual(['a', 'b', 'a', 'b'])
  })

  it('are decided while nobody begins to sync', async () => {
    const { turns, sync, seen } = setting(false)
    await Promise.all([turns.needed(), sync('a'), sync('b')])
    expect(seen).toEqual([[]])
  })

  it('are not taken where the question itself broke, and nobody waits for ever', async () => {
    const { turns, sync } = setting(new Error('broken'))
    await expect(turns.needed()).rejects.toThrow('broken')
    expect(await sync('a')).toEqual(['a'])
  })
})
