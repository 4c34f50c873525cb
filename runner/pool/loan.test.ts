import { describe, expect, it, test } from 'vitest'
import { NotTested } from '../findings.ts'
import { few, poolOf } from './pool.fixture.ts'

/** Hands out these users in turn. */
const turns =
  (...names: readonly string[]) =>
  (count: number) => ({ username: names[(count - 1) % names.length] as string })

/** Two loans of one pool, and `make`, which makes 1, 2, 3 … */
function two() {
  const { loan } = poolOf({})
  let count = 0
  return { loan, make: async () => ++count, one: loan(), other: loan() }
}

const always = () => true

const workspaceIn = (collaborationId: string, count: number) => ({
  collaborationId,
  workspaceId: `w${count}`,
  minimumSyncMs: 0,
})

describe('different fixtures', () => {
  it.each([
    ['the first that the provider hands out', ['ann', 'bob', 'cem'], 2],
    ['later ones if the provider repeats the first', ['ann', 'ann', 'ann', 'bob'], 4],
  ])('are %s', async (_, names, times) => {
    const { loan, asked } = poolOf({ eligibleUser: turns(...names) })
    expect(await loan().different('eligibleUser', 2)).toEqual([{ username: 'ann' }, { username: 'bob' }])
    expect(asked('eligibleUser')).toBe(times)
  })

  it('are none that the check excludes', async () => {
    const { loan } = poolOf({ eligibleUser: turns('ann', 'bob') })
    expect(await loan().different('eligibleUser', 1, { not: ['ann'] })).toEqual([{ username: 'bob' }])
  })

  const workspaces = (placeOf: (count: number) => string) => ({
    workspace: (count: number) => workspaceIn(placeOf(count), count),
  })

  it('differ in the property that the check asks for, or reject with its name', async () => {
    const inTwo = poolOf(workspaces((count) => (count < 3 ? 'one' : 'two'))).loan({ alone: true })
    const found = await inTwo.different('workspace', 2, { by: 'collaborationId' })
    expect(found.map(({ workspaceId }) => workspaceId)).toEqual(['w1', 'w3'])
    const inOne = poolOf(workspaces(() => 'one')).loan({ alone: true })
    await expect(inOne.different('workspace', 2, { by: 'collaborationId' })).rejects.toThrow(
      '2 fixtures "workspace" with different values of collaborationId needed, but all that come have the same value: offer more, or have the deployment let the run make more',
    )
  })

  it('are fewer if that is enough for the check and the provider has no more', async () => {
    const { loan } = poolOf({ eligibleUser: turns('ann', 'bob') })
    expect(await loan().different('eligibleUser', 3, { least: 2 })).toHaveLength(2)
    await expect(loan().different('eligibleUser', 4, { least: 3 })).rejects.toThrow(/3 different fixtures/)
  })

  it('are earlier ones if the provider repeats an excluded one', async () => {
    const { pool, loan } = poolOf({ eligibleUser: (count) => ({ username: count === 1 ? 'bob' : 'ann' }) })
    await pool.draw('eligibleUser', {})
    expect(await loan().different('eligibleUser', 1, { not: ['ann'] })).toEqual([{ username: 'bob' }])
  })

  it('reject with NotTested after a few tries, and name what to add', async () => {
    const { loan, asked } = poolOf({ eligibleUser: turns('ann') })
    await expect(loan().different('eligibleUser', 2)).rejects.toMatchObject({
      constructor: NotTested,
      message:
        '2 different fixtures "eligibleUser" needed, but only 1 comes: offer more, or have the deployment let the run make more',
      add: ['fixtures.eligibleUser'],
    })
    expect(asked('eligibleUser')).toBeLessThan(10)
  })
})

describe('a receiver', () => {
  it('is the same for the same excluded users throughout an attempt, also for parallel cases', async () => {
    const { loan, asked } = poolOf({ eligibleUser: turns('ann', 'bob') })
    const given = loan()
    const both = await Promise.all([given.receiver(), given.receiver('ann'), given.receiver('ann')])
    expect(both).toEqual(['ann', 'bob', 'bob'])
    expect(await given.receiver('ann')).toBe('bob')
    expect(asked('eligibleUser')).toBe(2)
  })

  it('may be the excluded user for receiverBeside if there is no other, but not for receiver', async () => {
    const { loan } = poolOf({ eligibleUser: turns('ann') })
    const given = loan()
    await expect(given.receiver('ann')).rejects.toThrow(NotTested)
    expect(await given.receiverBeside('ann')).toBe('ann')
  })
})

describe('Loan.shared', () => {
  it('makes one thing for all loans, also at the same moment', async () => {
    const { make, one, other } = two()
    const made = await Promise.all([one.shared('a', make, always), other.shared('a', make, always)])
    expect(made.map((each) => each.made)).toEqual([1, 1])
    expect([one.usedByOthers, other.usedByOthers]).toEqual([false, true])
  })

  it('makes another if the first failed or is no longer valid', async () => {
    const { loan, make } = two()
    const failing = async () => Promise.reject(new Error('broken'))
    await expect(loan().shared('a', failing, always)).rejects.toThrow('broken')
    const madeNow = async () => (await loan().shared('a', make, (n) => n > 1)).made
    expect([await madeNow(), await madeNow(), await madeNow()]).toEqual([1, 2, 2])
  })
})

describe('Loan.inTurn', () => {
  it('passes one thing from loan to loan, one use at a time, until it is spent', async () => {
    const { loan, make, one, other } = two()
    let under = 0
    const use = async (drawn: number) => {
      under += 1
      expect(under).toBe(1)
      await Promise.resolve()
      under -= 1
      return drawn
    }
    const used = [one.inTurn('a', make, use), other.inTurn('a', make, use, { isSpent: always })]
    expect(await Promise.all(used)).toEqual([1, 1])
    expect([one.usedByOthers, other.usedByOthers]).toEqual([false, true])
    expect(await loan().inTurn('a', make, use)).toBe(2)
  })

  it('keeps others waiting during the use', async () => {
    const { make, one, other } = two()
    const waiting = () => [one, other].map(({ keepsOthersWaiting }) => keepsOthersWaiting)
    expect(one.keepsOthersWaiting).toBe(false)
    const during = await one.inTurn('a', make, async () => waiting())
    expect(during).toEqual([true, false])
    expect(one.keepsOthersWaiting).toBe(false)
  })

  it('makes another after a failed use', async () => {
    const { make, one, other } = two()
    const reject = async () => Promise.reject(new Error('found'))
    await expect(one.inTurn('a', make, reject)).rejects.toThrow('found')
    expect(await other.inTurn('a', make, async (drawn) => drawn)).toBe(2)
  })
})

test('a loan that is alone shares nothing', async () => {
  const { loan, make, one } = two()
  const alone = () => loan({ alone: true })
  await one.shared('a', make, always)
  expect((await alone().shared('a', make, always)).made).toBe(2)
  expect(await alone().inTurn('a', make, async (drawn) => drawn)).toBe(3)
  expect(await alone().inTurn('a', make, async (drawn) => drawn)).toBe(4)
})

test('checks that add to a collaboration share it, and a check that uses it up has its own', async () => {
  const { pool, loan } = poolOf(
    { collaboration: (count) => ({ collaborationId: `c${count}` }) },
    { collaborations: 1 },
  )
  const [one, other] = [loan(), loan()]
  expect([await one.take('collaboration'), one.usedByOthers]).toEqual([{ collaborationId: 'c1' }, false])
  expect([await other.take('collaboration'), one.usedByOthers]).toEqual([{ collaborationId: 'c1' }, true])
  const deletes = loan({ usesUp: ['collaboration'] })
  expect(await deletes.take('collaboration')).toEqual({ collaborationId: 'c2' })
  expect(await other.take('collaboration', { with: 'participant' })).toEqual({ collaborationId: 'c3' })
  expect(pool.before('collaboration')).toEqual([])
})

test('a participant in a collaboration of one check alone goes to no other check', async () => {
  // However often, the provider hands out one participant outside of the collaborations that requests name.
  const { pool, loan } = poolOf({
    collaboration: (count) => ({ collaborationId: `c${count}` }),
    participant: (_, { collaborationId = 'shared' }: { readonly collaborationId?: string } = {}) => ({
      collaborationId,
      participantPortalId: 'guest',
    }),
  })
  const { collaborationId } = await loan({ usesUp: ['collaboration'] }).take('collaboration')
  await loan().take('participant', { collaborationId })
  await loan().take('participant')
  expect(pool.before('participant').map((each) => each.collaborationId)).toEqual(['shared'])
})

describe('a workspace', () => {
  const workspace = few(2, (count) => workspaceIn(`c${count}`, count))

  const lendsOne = () => poolOf({ workspace }, { workspaces: 1 })

  it('goes to the next loan when one ends, and to none that is alone', async () => {
    const { loan } = lendsOne()
    const [one, other, alone] = [loan(), loan(), loan({ alone: true })]
    expect((await one.take('workspace')).workspaceId).toBe('w1')
    const next = other.take('workspace')
    expect((await alone.take('workspace')).workspaceId).toBe('w2')
    one.end()
    expect((await next).workspaceId).toBe('w1')
    expect([one.usedByOthers, other.usedByOthers, alone.usedByOthers]).toEqual([false, true, false])
  })

  it('is drawn anew for a loan that may not wait', async () => {
    const { loan } = lendsOne()
    await loan().take('workspace')
    expect((await loan({ mayWait: () => false }).take('workspace')).workspaceId).toBe('w2')
  })

  it('is returned after its use, even if the use fails', async () => {
    const { loan } = lendsOne()
    const reject = () => Promise.reject(new Error('found'))
    await expect(loan().withWorkspace(reject)).rejects.toThrow('found')
    expect(await loan().withWorkspace(async ({ workspaceId }) => workspaceId)).toBe('w1')
  })

  it('keeps others waiting until it is returned', async () => {
    const { loan } = lendsOne()
    const [one, other] = [loan(), loan()]
    await one.take('workspace')
    expect(one.keepsOthersWaiting).toBe(true)
    one.end()
    expect(one.keepsOthersWaiting).toBe(false)
    expect(await other.withWorkspace(async () => other.keepsOthersWaiting)).toBe(true)
    expect(other.keepsOthersWaiting).toBe(false)
  })
})
