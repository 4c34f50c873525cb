/** An embedded portal with fixtures of other runs, for tests of leftovers. */
import type { IncomingMessage, ServerResponse } from 'node:http'
import { text } from 'node:stream/consumers'
import type { FixtureKind } from '../../deployment/fixtures/fixture-kinds.ts'
import { type EmbeddedPortal, type PortalOptions, startPortal } from '../../reference/portal.ts'
import { serve } from '../../selftest/hostile/servers.ts'

export interface SharedPortal {
  readonly portal: EmbeddedPortal
  /** The configuration of a run on the portal. */
  readonly configuration: EmbeddedPortal['configuration']
  /** The contents of the portal as text. */
  holds(): string
  /** Collaborations that are not deleted, with the names of their workspaces. */
  collaborations(): ReadonlyMap<string, readonly string[]>
  close(): Promise<void>
}

/** Other fixtures: one of each for another run, and one for no run. */
const others: readonly (readonly [FixtureKind, object])[] = [
  ['collaboration', {}],
  ['workspace', {}],
  ['participant', {}],
  ['items', { owner: 'itemOwner', count: 2 }],
  ['eligibleUser', {}],
  ['group', {}],
  ['taskRun', {}],
  ['federation', {}],
]

/** `providerRemoves` false: fixtures come from a provider that offers no cleanup. */
export async function sharedPortal(
  providerRemoves: boolean,
  options: PortalOptions = {},
): Promise<SharedPortal> {
  const portal = await startPortal(options)
  const { url } = portal.configuration.fixtures
  for (const [kind, options] of others) {
    for (const headers of [{}, { 'x-portal-conformance-run': 'pc-other' }])
      await fetch(`${url}/${kind}`, { method: 'POST', headers, body: JSON.stringify(options) })
  }
  const keeping = providerRemoves
    ? undefined
    : await serve((request, response) => void handOn(url, request, response))
  return {
    portal,
    configuration: {
      ...portal.configuration,
      ...(keeping === undefined ? {} : { fixtures: { url: keeping.origin } }),
    },
    holds: () => JSON.stringify(held(portal), null, 1),
    collaborations: () =>
      new Map(
        [...portal.store.collaborations.values()]
          .filter(({ deletedAt }) => deletedAt === undefined)
          .map(({ id, workspaces }) => [id, [...workspaces.values()].map(({ name }) => name)]),
      ),
    close: async () => {
      await Promise.all([keeping?.close(), portal.close()])
    },
  }
}

/** Forwards requests for fixtures, and removes nothing. */
async function handOn(to: string, request: IncomingMessage, response: ServerResponse): Promise<void> {
  const body = await text(request)
  if (request.url === '/cleanup') return void response.writeHead(404).end('{}')
  const answer = await fetch(to + request.url, { method: 'POST', body })
  response.writeHead(answer.status, { 'content-type': 'application/json' }).end(await answer.text())
}

function held({ store }: EmbeddedPortal): unknown {
  return {
    collaborations: [...store.collaborations.values()].map(({ id, participants, workspaces }) => ({
      id,
      participants: [...participants],
      workspaces: [...workspaces.keys()],
    })),
    groups: [...store.groups],
    items: [...store.items.values()],
    tasks: [...store.tasks.values()].map(({ id, runs }) => ({ id, runs: [...runs.values()] })),
    federations: [...store.federations.values()],
    users: [...store.users.values()].map(({ username, folders }) => ({ username, folders: [...folders] })),
  }
}
