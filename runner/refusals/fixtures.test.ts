import { describe, expect, it } from 'vitest'
import type { Answer } from '../../deployment/http/exchange.ts'
import { define } from '../check.ts'
import { buildContext } from '../context/build-context.ts'
import { accepted, refused, sessionOn } from '../run-check.fixture.ts'
import { whyFull } from './fixtures.ts'

/** Whether a target accepts a workspace. `there`: workspaces in this collaboration; `all`: in all collaborations. */
type Accepts = (at: { readonly id: string; readonly there: number; readonly all: number }) => boolean

/** Adds workspaces elsewhere and then to c1. Returns why the last one may be refused for lack of room. */
async function whyRefused(
  accepts: Accepts,
  add: number,
  elsewhere = 0,
  offered = Number.POSITIVE_INFINITY,
): Promise<string | undefined> {
  const taken = new Map<string, number>()
  const session = await sessionOn({
    answers: {
      addWorkspace: (_, { path }) => {
        const id = path.split('/').at(-2) as string
        const there = taken.get(id) ?? 0
        const all = [...taken.values()].reduce((sum, each) => sum + each, 0)
        if (!accepts({ id, there, all })) return refused
        taken.set(id, there + 1)
        return { ...accepted, workspace: { id: `w${all}` } }
      },
    },
    makes: {
      collaboration: (count) =>
        (count > offered ? undefined : { collaborationId: `fresh-${count}` }) as object,
      group: () => ({ groupId: 'g1' }),
    },
  })
  const check = define('add-workspace/creates', {}, { actors: ['hostAdministrator'] }, async () => undefined)
  const { context } = buildContext(check, session)
  const addTo = async (at: { readonly collaborationId: string }): Promise<Answer> =>
    context.as.hostAdministrator('add-workspace', at, await context.given.request('add-workspace'))
  for (let time = 0; time < elsewhere; time += 1) await addTo(await session.pool.ownCollaboration())
  let answer: Answer | undefined
  for (let time = 0; time < add; time += 1) answer = await addTo({ collaborationId: 'c1' })
  const why = await whyFull(session, answer as Answer)
  await session.close()
  return why
}

describe('whyFull', () => {
  it.each<[string, Accepts, number]>([
    ['a collaboration takes five', ({ there }) => there < 5, 6],
    ['a collaboration takes two', ({ there }) => there < 2, 3],
    ['a collaboration takes one', ({ there }) => there < 1, 2],
    ['a collaboration takes two and had one at first', ({ id, there }) => there < (id === 'c1' ? 1 : 2), 2],
  ])('finds that the collaboration is full if %s', async (_, accepts, add) => {
    expect(await whyRefused(accepts, add)).toMatch(/the collaboration is full/)
  })

  it('finds that the portal is full if it took several workspaces, not if only two', async () => {
    const why = await whyRefused(({ all }) => all < 12, 3, 10)
    expect(why).toMatch(/every collaboration refuses workspaces now/)
    expect(await whyRefused(({ all }) => all < 2, 3)).toBeUndefined()
  })

  it('finds that the collaboration may be full if there is no other to try', async () => {
    expect(await whyRefused(({ there }) => there < 1, 2, 0, 0)).toMatch(/there is no other one/)
  })

  it.each<[string, Accepts, number]>([
    ['the last request was accepted', () => true, 2],
    ['a plain workspace is accepted', ({ there, all }) => there !== 1 || all > 1, 2],
    ['only this collaboration refuses a second workspace', ({ id, there }) => id !== 'c1' || there < 1, 2],
    ['no workspace was ever accepted', () => false, 1],
  ])('finds no lack of room if %s', async (_, accepts, add) => {
    expect(await whyRefused(accepts, add)).toBeUndefined()
  })
})
