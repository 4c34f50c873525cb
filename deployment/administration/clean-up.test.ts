/** Clean-up on deployments that refuse deletes, delete nothing, or stop answering. */
import { describe, expect, it, onTestFinished, vi } from 'vitest'
import { admitBefore } from '../../reference/alterations.ts'
import type { Alter, Rendered } from '../../reference/parts.ts'
import type { EmbeddedPortal } from '../../reference/portal.ts'
import type { User } from '../../reference/store.ts'
import type { MadeKind } from '../journal/journal.ts'
import {
  beginRun,
  configurationFor,
  contentsOf,
  few,
  hurry,
  neverAborted,
  portalWith,
} from './administered.fixture.ts'
import type { Needs } from './announcement.ts'

const page: Rendered = {
  status: 403,
  headers: { 'content-type': 'text/html' },
  body: Buffer.from('<html><title>Request blocked</title></html>'),
}

const success: Rendered = {
  status: 200,
  headers: { 'content-type': 'application/json' },
  body: Buffer.from(JSON.stringify({ success: true })),
}

/** Answers requests to those paths in place of the portal, once it is switched on. Counts them. */
function inFront(paths: RegExp, answer: Rendered) {
  const front = { isOn: false, seen: 0 }
  const alter: Alter = admitBefore(({ response }) => {
    if (!front.isOn || !paths.test(response.req.url ?? '')) return undefined
    front.seen += 1
    return answer
  })
  return { front, alter }
}

const notFound: Rendered = { ...page, status: 404 }

const json = (status: number, code: number, message: string): Rendered => ({
  status,
  headers: success.headers,
  body: Buffer.from(JSON.stringify({ error: { code, message } })),
})

const invalidUrl = json(200, 400, 'Invalid URL')

interface Ending {
  readonly needs?: Needs
  /** Happens before the end. */
  readonly change?: (portal: EmbeddedPortal) => void
}

/** What the end of a run says that makes its fixtures on that portal, and what is left. */
async function endOn(alter: Alter, { needs = few, change }: Ending = {}) {
  const portal = await portalWith({ alter })
  const before = contentsOf(portal)
  const { fixtures, things } = await beginRun(configurationFor(portal), needs)
  change?.(portal)
  const warnings: string[] = []
  const removed = fixtures.remove(neverAborted, { warn: (message) => void warnings.push(message) })
  const message = await removed.then(
    () => '',
    (error: Error) => error.message,
  )
  const left = contentsOf(portal).filter((line) => !before.includes(line))
  const removeAgain = () => fixtures.remove(neverAborted)
  return { message, left, warnings, things: things.all, portal, before, removeAgain }
}

const refusing =
  (routes: RegExp): Alter =>
  ({ administration }) => {
    administration.fails = (route) => (routes.test(route) ? 'forbidden' : undefined)
  }

describe('AdministrationFixtures behind a firewall that answers everything', () => {
  it('stop asking, say why, and go on where the portal answers again later', async () => {
    const { front, alter } = inFront(/./, page)
    const { obtain } = await beginRun(configurationFor(await portalWith({ alter })), few)
    const oneItem = () => obtain('items', { owner: 'itemOwner', count: 1 })
    front.isOn = true
    const answers = await Promise.all(Array.from({ length: 40 }, oneItem))
    for (let time = 0; time < 10; time++) answers.push(await oneItem())
    expect(front.seen).toBeLessThan(50)
    expect(answers.at(-1)).toEqual({
      notOffered: 'not tried, because the host portal answered nothing more before',
    })
    front.isOn = false
    const now = performance.now.bind(performance)
    const later = vi.spyOn(performance, 'now').mockImplementation(() => now() + 10_000)
    onTestFinished(() => later.mockRestore())
    expect(await oneItem()).toHaveProperty('itemIds')
  })

  it('tries few things of a kind if none can be made', async () => {
    const { front, alter } = inFront(/\/addItem$/, page)
    front.isOn = true
    const needs: Needs = { ...few, taskRuns: 0, items: { itemOwner: 300 } }
    const { obtain } = await beginRun(configurationFor(await portalWith({ alter })), needs)
    for (let time = 0; time < 10; time++)
      expect(await obtain('items', { owner: 'itemOwner', count: 10 })).toEqual({
        notOffered: expect.stringMatching(/^addItem answered HTTP 403 with the HTML page/),
      })
    expect(front.seen).toBeLessThan(50)
  })
})

describe('removeMade', () => {
  it('does not report tasks that were deleted with their owner', async () => {
    const { message, left, things } = await endOn(refusing(/\/tasks\/:task\/delete$/), { change: hurry })
    expect([message, left, things]).toEqual(['', [], []])
  })

  it('reports what is still there after a delete was answered with success', async () => {
    const { front, alter } = inFront(/\/groups\/\w+\/delete$/, success)
    front.isOn = true
    const { message, left, things } = await endOn(alter)
    expect(left.length).toBeGreaterThan(0)
    expect(message).toMatch(
      /\n {2}group .* more: its deletion was answered with success, and it is still there; to remove it: curl/,
    )
    expect(things).toHaveLength(left.length)
    expect(things.every(({ kind, id, remove }) => kind === 'group' && id && remove)).toBe(true)
  })

  it('warns if it cannot check whether something is gone', async () => {
    const { message, warnings } = await endOn(({ administration }) => {
      const known = administration.answered
      administration.answered = (route, answer, call) =>
        route.endsWith('/roles') ? { ...call.parts.refuse('forbidden') } : known(route, answer, call)
    })
    expect(message).toBe('')
    expect(warnings).toEqual([
      expect.stringMatching(
        /^role \w+ and \d more: deleted, but whether it is gone could not be checked: roles/,
      ),
    ])
  })

  it('gives a federation that stays the name of the run again', async () => {
    const federationsOf = ({ store }: EmbeddedPortal) => [...store.federations.values()]
    const { message, portal, things } = await endOn(refusing(/\/unregister$/), {
      change: (on) => {
        hurry()
        for (const { settings } of federationsOf(on)) Object.assign(settings, { name: 'of a check' })
      },
    })
    expect(federationsOf(portal)[0]?.settings.name).toBe(things[0]?.name)
    expect(message).toMatch(/federation .*: unregister answered/)
  })

  it('stops asking a portal that answers nothing more, and keeps the rest in the journal', async () => {
    const { front, alter } = inFront(/./, page)
    const needs: Needs = { ...few, items: { itemOwner: 40 } }
    const { message, things } = await endOn(alter, {
      needs,
      change: () => Object.assign(front, { isOn: true }),
    })
    expect(things.length).toBeGreaterThan(50)
    expect(front.seen).toBeLessThan(30)
    expect(message).toMatch(/task .* delete answered HTTP 403 with the HTML page "Request blocked"/)
    expect(message).toMatch(
      /item .* and \d+ more: not tried, because the host portal answered nothing more before/,
    )
  })

  it('goes on where a portal refuses with pages and still answers others', async () => {
    const { front, alter } = inFront(/\/items\/\w+\/delete$/, page)
    front.isOn = true
    const needs: Needs = { ...few, items: { itemOwner: 40 } }
    const { message, left } = await endOn(alter, { needs, change: hurry })
    expect(front.seen).toBeLessThan(100)
    expect(message).toMatch(/item .* delete answered HTTP 403 with the HTML page "Request blocked"/)
    expect(message).not.toMatch(/not tried/)
    expect(left.filter((line) => /^(?:collaboration|group)/.test(line))).toEqual([])
  })
})

/** Paths that even a portal with all other pages switched off answers. */
const logins = '(?!\\S*(?:generateToken|/portals/self(?:\\?|$)|/community/self))'

describe('removeMade on a portal that hides what is there', () => {
  it.each<[string, RegExp, Rendered, MadeKind[]]>([
    ['every page is an HTML 404', /./, notFound, ['collaboration', 'item', 'group', 'user', 'role']],
    [
      'every page but those of the caller is an HTML 404',
      new RegExp(`^${logins}`),
      notFound,
      ['federation', 'collaboration', 'item', 'group', 'user', 'role'],
    ],
    [
      'every page but those of the caller is an invalid URL',
      new RegExp(`^${logins}`),
      invalidUrl,
      ['federation', 'collaboration', 'item', 'group', 'user', 'role'],
    ],
    ['the federation is an invalid URL', /\/idp/, invalidUrl, ['federation']],
    ['collaborations are an HTML 404', /ollaboration/, notFound, ['collaboration']],
    ['collaborations are a JSON 404', /ollaboration/, json(404, 404, 'Not found'), ['collaboration']],
    ['collaborations are an invalid URL', /ollaboration/, invalidUrl, ['collaboration']],
  ])('keeps in the journal what may be there: %s', async (_, paths, answer, kinds) => {
    const { front, alter } = inFront(paths, answer)
    const { message, left, things, portal, before, removeAgain } = await endOn(alter, {
      change: () => {
        hurry()
        front.isOn = true
      },
    })
    expect(message).toMatch(/could not be removed/)
    expect(left.filter((line) => !things.some(({ id, name }) => line.includes(` ${id ?? name}:`)))).toEqual(
      [],
    )
    expect([...new Set(things.map(({ kind }) => kind))]).toEqual(expect.arrayContaining(kinds))
    front.isOn = false
    await removeAgain()
    expect(contentsOf(portal)).toEqual(before)
  })

  it('keeps in the journal what a login without its role no longer sees', async () => {
    const administrator = ({ store }: EmbeddedPortal) => store.users.get('host_administrator') as User
    const hiding: Alter = ({ refusals }) => {
      refusals.forbidden = {
        code: 400,
        messageCode: 'CONT_0001',
        message: 'Item does not exist or is inaccessible.',
      }
    }
    const { message, things, portal, before, removeAgain } = await endOn(hiding, {
      change: (on) => {
        hurry()
        administrator(on).role = 'user'
      },
    })
    expect(message).toMatch(/could not be removed/)
    const kinds = things.map(({ kind }) => kind)
    expect(kinds).toEqual(expect.arrayContaining(['federation', 'collaboration', 'user', 'role']))
    administrator(portal).role = 'administrator'
    await removeAgain()
    expect(contentsOf(portal)).toEqual(before)
  })

  it.each(['everything', 'everything but users'])('finds that others removed %s', async (what) => {
    const { message, things, warnings } = await endOn(() => undefined, {
      change: ({ store }) => {
        const { users, groups, roles, items, tasks, federations, collaborations } = store
        for (const all of [groups, roles, items, tasks, federations, collaborations]) all.clear()
        if (what === 'everything')
          for (const name of users.keys()) if (/^pc_[0-9a-f]{8}_/.test(name)) users.delete(name)
      },
    })
    expect([message, things, warnings]).toEqual(['', [], []])
  })
})
