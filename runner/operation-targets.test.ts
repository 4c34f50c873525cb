import { describe, expect, it } from 'vitest'
import { define } from './check.ts'
import type { RequestFields } from './context/calls.ts'
import type { CheckContext } from './context/context.ts'
import { operationTarget, targetNeeds } from './operation-targets.ts'
import { accepted, refused, resultOf, sessionOn } from './run-check.fixture.ts'

/** A context with only what adding a workspace uses; each group takes one workspace. */
function contextOf() {
  const groups: unknown[] = []
  let made = 0
  let subject: unknown
  const given = {
    collaboration: async () => ({ collaborationId: `c${++made}` }),
    once: <T>(_: string, make: () => T) => {
      subject ??= make()
      return subject
    },
    room: () => Number.POSITIVE_INFINITY,
    named: (request: RequestFields) => request,
    linked: async (_: string, request: RequestFields) =>
      Object.hasOwn(request, 'portalGroupId') ? request : { ...request, portalGroupId: `fresh ${++made}` },
    linkedAt: async (guest: string, request: RequestFields) => ({
      ...request,
      portalGroupId: `of the ${guest}`,
    }),
  }
  const hostAdministrator = async (_: string, __: object, request: RequestFields) => {
    groups.push(request.portalGroupId)
  }
  const context = { given, as: { hostAdministrator } } as unknown as CheckContext
  return { context, groups }
}

describe('operationTarget of add-workspace', () => {
  it('sends each group once, and links a repeated request with a fresh group', async () => {
    const { context, groups } = contextOf()
    const { send } = operationTarget(context, 'add-workspace')
    const request = { collaborationWorkspaceName: 'A name', portalGroupId: 'g1' }
    await send(request)
    await send(request)
    await send({ ...request, portalGroupId: 'bad' })
    expect(groups).toEqual(['g1', expect.stringMatching(/^fresh/), 'bad'])
  })

  it('sends a group of the guest under the id of a guest', async () => {
    const { context, groups } = contextOf()
    const { tried, permitted } = operationTarget(context, 'add-workspace')
    const request = { collaborationWorkspaceName: 'A name', portalGroupId: 'g1' }
    await tried(async (call) => {
      for (const portal of ['host', 'guest', 'otherGuest'] as const)
        await call(permitted, request, {}, portal)
    })
    expect(groups).toEqual(['g1', 'of the guest', 'of the otherGuest'])
  })

  it('adds no group to a request that omits the group', async () => {
    const { context, groups } = contextOf()
    const { send } = operationTarget(context, 'add-workspace')
    const request = { collaborationWorkspaceName: 'A name', portalGroupId: undefined }
    await send(request)
    await send(request)
    expect(groups).toEqual([undefined, undefined])
  })
})

describe('operationTarget of update-federation', () => {
  /** The names in the updates that the check sends to a target that refuses an update without a change. */
  async function namesSentBy(body: (context: CheckContext) => Promise<void>) {
    const names: (string | null)[] = []
    let last = ''
    const session = await sessionOn({
      answers: {
        update: (_, asked) => {
          names.push(new URLSearchParams(asked.body).get('name'))
          if (asked.body === last) return refused
          last = asked.body
          return accepted
        },
      },
      makes: { federation: () => ({ federationId: 'f1' }), group: () => ({ groupId: 'g1' }) },
      actors: { organizationAdministrator: { credential: 'secret-of-the-administrator', portal: 'host' } },
    })
    const check = define('update-federation/updates', targetNeeds('update-federation'), {}, body as never)
    const { outcome } = await resultOf(check, session)
    return { names, outcome }
  }
  const request = { name: 'Research', groups: ['g1'] }

  it('sends another name each time, so that no request repeats what the federation has', async () => {
    const { names, outcome } = await namesSentBy(async (context) => {
      const { send } = context.target('update-federation')
      for (let time = 0; time < 3; time += 1) context.expect(await send(request)).toBeAccepted()
    })
    expect(outcome).toBe('passed')
    expect(new Set(names).size).toBe(names.length)
  })

  it('lets a wrong caller repeat the last accepted request', async () => {
    const { names } = await namesSentBy(async (context) => {
      const { send, tried } = context.target('update-federation')
      context.control(await send(request))
      context.control(await send(request))
      await tried(async (call) =>
        context.expect(await call(context.as.anonymous, request)).toBeRefused('let in'),
      )
    })
    expect(names.at(-1)).toBe(names.at(-2))
  })
})
