import { describe, expect, it } from 'vitest'
import { AdministrationError, notSent } from './administrator.ts'
import { announcementOf, Budget, mostAdded, type Needs } from './announcement.ts'

const budget = () => new Budget({ item: 2, group: 1, groupsForOne: 3 })
const made = async () => 'an id'
const failing = (code?: number) => () =>
  Promise.reject(new AdministrationError(`addItem answered with error code ${code}`, code))
const ends = (asked: Promise<unknown>) => asked.catch((error: unknown) => error)

describe('a budget', () => {
  it('makes what was announced and no more, and says what to do', async () => {
    const items = budget()
    expect([await items.spend('item', made), await items.spend('item', made)]).toEqual(['an id', 'an id'])
    const end = await ends(items.spend('item', made))
    expect(end).toMatchObject({
      code: notSent,
      message:
        'the run announced at most 2 items and has used them up: see what the target refuses, or judge less at a time with --operation',
    })
  })

  it('counts what may have been made without an answer, and not what was refused', async () => {
    const items = budget()
    for (let time = 0; time < 5; time++) await ends(items.spend('item', failing(403)))
    await ends(items.spend('item', failing(504)))
    await ends(items.spend('item', failing()))
    expect(((await ends(items.spend('item', made))) as Error).message).toContain(
      '(last failure: addItem answered with error code undefined)',
    )
  })

  it('counts what is made at the same moment', async () => {
    const items = budget()
    const ended = await Promise.allSettled(Array.from({ length: 5 }, () => items.spend('item', made)))
    expect(ended.filter(({ status }) => status === 'fulfilled')).toHaveLength(2)
  })

  it('has more groups where each takes one workspace', async () => {
    const groups = budget()
    await groups.spend('group', made)
    expect(await ends(groups.spend('group', made))).toMatchObject({ code: notSent })
    groups.takesGroupsForOne()
    expect(await groups.spend('group', made)).toBe('an id')
  })

  it('begins anew with each round', async () => {
    const items = budget()
    await Promise.all([items.spend('item', made), items.spend('item', made)])
    items.renew()
    expect(await items.spend('item', made)).toBe('an id')
  })
})

describe('an announcement', () => {
  const needs: Needs = {
    places: true,
    collaborations: 40,
    workspaces: 300,
    taskRuns: 30,
    receivers: true,
    items: { itemOwner: 400 },
    federation: true,
  }

  it('is more than what a run needs', () => {
    const most = announcementOf(needs, { actors: {} })
    expect(most.collaboration).toBeGreaterThan(80)
    expect(most.item).toBeGreaterThan(600)
    expect(most).toMatchObject({ user: 11, task: 60, federation: 1, addedWorkspaces: mostAdded(300) })
  })

  it('is of nothing where nothing is needed', () => {
    const none = { places: false, collaborations: 0, workspaces: 0, taskRuns: 0, receivers: false }
    const announced = announcementOf({ ...none, items: {}, federation: false }, { actors: {} })
    expect(new Set(Object.values(announced))).toEqual(new Set([0]))
  })
})
