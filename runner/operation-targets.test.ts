import { describe, expect, it } from 'vitest'
import type { RequestFields } from './context/calls.ts'
import type { CheckContext } from './context/context.ts'
import { operationTarget } from './operation-targets.ts'

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

  it('adds no group to a request that omits the group', async () => {
    const { context, groups } = contextOf()
    const { send } = operationTarget(context, 'add-workspace')
    const request = { collaborationWorkspaceName: 'A name', portalGroupId: undefined }
    await send(request)
    await send(request)
    expect(groups).toEqual([undefined, undefined])
  })
})
