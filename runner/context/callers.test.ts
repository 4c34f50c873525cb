import { expect, it } from 'vitest'
import { answerOf } from '../../deployment/http/answer.fixture.ts'
import type { OutgoingRequest } from '../../deployment/http/outgoing-request.ts'
import { Identities } from '../identities.ts'
import { CheckCalls } from './callers.ts'

it.each([498, 499])('a page that is refused with %i is read again with a new credential', async (code) => {
  const source = { command: 'prints another one', folder: '.' }
  const signIns = { obtain: async () => ({ credential: 'second' }) }
  const configuration = {
    authentication: { in: 'form', name: 'token', prefix: '' },
    target: { baseUrl: 'http://127.0.0.1' },
    portals: { host: { id: 'h' } },
    actors: { hostAdministrator: { credential: 'first', portal: 'host', source } },
    profile: { reads: { workspaces: '/workspaces' } },
    http: { headers: {} },
  }
  const used: unknown[] = []
  const read = async ({ credential }: OutgoingRequest) => {
    used.push(credential)
    const body = JSON.stringify(credential === 'second' ? { total: 0 } : { error: { code } })
    return answerOf({ body, request: { actor: 'hostAdministrator' } })
  }
  const session = {
    configuration,
    identities: new Identities(configuration as never, signIns as never, (name) => name),
    channel: { client: { read }, send: (ask: () => unknown) => ask() },
  }
  const record = { requests: 0, answers: [] }
  const calls = new CheckCalls({ definition: { id: 'x' }, session, record } as never)
  const page = await calls.read('workspaces', {}, 'hostAdministrator')
  expect(page.body.toString()).toBe('{"total":0}')
  expect(used).toEqual(['first', 'second'])
})
