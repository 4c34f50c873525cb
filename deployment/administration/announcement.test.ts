import { describe, expect, it } from 'vitest'
import { announcementOf, Budget, mostAdded, type Needs } from './announcement.ts'
import { AdministrationError, notSent } from './refusals.ts'

const budget = () => new Budget({ item: 2, group: 1, groupsForOne: 3 })
const made = async () => 'an id'
const failing = (code?: number) => () =>
  Promise.reject(new AdministrationError(`addItem answered with error code ${code}`, code))
const errorOf = (spending: Promise<unknown>) => spending.catch((error: unknown) => error)

describe('Budget', () => {
  it('makes the announced number of items, then fails with advice', async () => {
    const items = budget()
    expect([await items.spend('item', made), await items.spend('item', made)]).toEqual(['an id', 'an id'])
    const error = await errorOf(items.spend('item', made))
    expect(error).toMatchObject({
      code: notSent,
      message:
        'the run announced at most 2 items and has used them up: see what the target refuses, or judge less at a time with --operation',
    })
  })

  it('counts requests without an answer, which may have made an item, and not refused ones', async () => {
    const items = budget()
    for (let time = 0; time < 5; time++) await errorOf(items.spend('item', failing(403)))
    await errorOf(items.spend('item', failing(504)))
    await errorOf(items.spend('item', failing()))
    expect(await errorOf(items.spend('item', made))).toMatchObject({ code: notSent })
  })

  it('allows more groups if each takes only one workspace', async () => {
    const groups = budget()
    await groups.spend('group', made)
    expect(await errorOf(groups.spend('group', made))).toMatchObject({ code: notSent })
    groups.takesGroupsForOne()
    expect(await groups.spend('group', made)).toBe('an id')
  })

  it('starts again with each round', async () => {
    const items = budget()
    await Promise.all([items.spend('item', made), items.spend('item', made)])
    items.renew()
    expect(await items.spend('item', made)).toBe('an id')
  })
})

describe('announcementOf', () => {
  const needs: Needs = {
    places: true,
    collaborations: 40,
    workspaces: 300,
    taskRuns: 30,
    receivers: true,
    items: { itemOwner: 400 },
    federation: true,
  }

  it('announces more than a run needs', () => {
    const most = announcementOf(needs, { actors: {} })
    expect(most.collaboration).toBeGreaterThan(80)
    expect(most.item).toBeGreaterThan(600)
    expect(most).toMatchObject({ user: 11, task: 60, federation: 1, addedWorkspaces: mostAdded(300) })
  })

  it('announces nothing if nothing is needed', () => {
    const none = { places: false, collaborations: 0, workspaces: 0, taskRuns: 0, receivers: false }
    const announced = announcementOf({ ...none, items: {}, federation: false }, { actors: {} })
    expect(new Set(Object.values(announced))).toEqual(new Set([0]))
  })
})
