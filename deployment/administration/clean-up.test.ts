/** Clean-up on deployments that refuse deletes, delete nothing, or stop answering. */
import { describe, expect, it, onTestFinished, vi } from 'vitest'
import { admitBefore } from '../../reference/alterations.ts'
import type { Alter, Rendered } from '../../reference/parts.ts'
import type { EmbeddedPortal } from '../../reference/portal.ts'
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
  return { message, left, warnings, things: things.all, portal }
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
    expect(front.seen).toBeLessThan(160)
    expect(message).toMatch(/item .* delete answered HTTP 403 with the HTML page "Request blocked"/)
    expect(message).not.toMatch(/not tried/)
    expect(left.filter((line) => /^(?:collaboration|group)/.test(line))).toEqual([])
  })
})
