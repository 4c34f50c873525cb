import { describe, expect, it } from 'vitest'
import type { OperationId } from '../specs/operations.ts'
import { define } from './check.ts'
import type { CheckContext } from './context/context.ts'
import { targetNeeds } from './operation-targets.ts'
import { accepted, refused, resultOf, sessionOn, usual } from './run-check.fixture.ts'

/** The values of this parameter in what a check sends to a target that refuses a request equal to the last one. */
async function sentBy(
  operation: OperationId,
  parameter: string,
  body: (context: CheckContext) => Promise<void>,
) {
  const sent: (string | null)[] = []
  let last = ''
  const answer = (_: number, asked: { readonly body: string }) => {
    sent.push(new URLSearchParams(asked.body).get(parameter))
    if (asked.body === last) return refused
    last = asked.body
    return accepted
  }
  const session = await sessionOn({
    answers: { update: answer, addWorkspace: answer },
    makes: {
      ...usual,
      federation: () => ({ federationId: 'f1' }),
      group: (count) => ({ groupId: `fresh-${count}`, reusable: false }),
    },
    actors: { organizationAdministrator: { credential: 'secret-of-the-administrator', portal: 'host' } },
  })
  const id = operation === 'add-workspace' ? 'add-workspace/creates' : 'update-federation/updates'
  const { outcome } = await resultOf(define(id, targetNeeds(operation), {}, body), session)
  return { sent, outcome }
}

describe('operationTarget of add-workspace', () => {
  it('sends each group once, links a repeated request with a fresh group, and adds none where it is omitted', async () => {
    const { sent } = await sentBy('add-workspace', 'portalGroupId', async (context) => {
      const { send } = context.target('add-workspace')
      for (const portalGroupId of ['g1', 'g1', 'bad', undefined, undefined])
        context.expect(await send({ collaborationWorkspaceName: 'A name', portalGroupId })).toBeAccepted()
    })
    expect(sent.slice(0, 5)).toEqual(['g1', expect.stringMatching(/^fresh/), 'bad', null, null])
  })
})

describe('operationTarget of update-federation', () => {
  const request = { name: 'Research', groups: ['g1'] }

  it('sends another name each time, so that no request repeats what the federation has', async () => {
    const { sent, outcome } = await sentBy('update-federation', 'name', async (context) => {
      const { send } = context.target('update-federation')
      for (let time = 0; time < 3; time += 1) context.expect(await send(request)).toBeAccepted()
    })
    expect(outcome).toBe('passed')
    expect(new Set(sent).size).toBe(sent.length)
  })

  it('lets a wrong caller repeat the last accepted request', async () => {
    const { sent } = await sentBy('update-federation', 'name', async (context) => {
      const { send, tried } = context.target('update-federation')
      for (let time = 0; time < 2; time += 1) context.control(await send(request))
      await tried(async (call) =>
        context.expect(await call(context.as.anonymous, request)).toBeRefused('let in'),
      )
    })
    expect(sent.at(-1)).toBe(sent.at(-2))
  })
})
