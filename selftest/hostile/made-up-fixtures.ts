/** An honest fixture provider that hands out made-up ids. */
import { randomBytes } from 'node:crypto'
import { bodyOf, type Listening, serve } from './servers.ts'

type Options = Readonly<Record<string, unknown>>

const id = (): string => randomBytes(16).toString('hex')

const makers: Readonly<Record<string, (options: Options) => object>> = {
  collaboration: () => ({ collaborationId: id() }),
  workspace: ({ collaborationId = id(), minimumSyncMs = 100 }) => ({
    collaborationId,
    workspaceId: id(),
    minimumSyncMs,
    maximumSyncMs: Number(minimumSyncMs) + 100,
  }),
  scheduledSync: ({ remainingMs }) => ({ collaborationId: id(), workspaceId: id(), remainingMs }),
  participant: ({ collaborationId = id() }) => ({ collaborationId, participantPortalId: id() }),
  group: () => ({ groupId: id(), reusable: true }),
  items: ({ owner, count }) => ({
    owner: `user_${String(owner)}`,
    itemIds: Array.from({ length: Number(count) }, id),
  }),
  eligibleUser: () => ({ username: `receiver_${id()}` }),
  ineligibleUser: () => ({ username: `bystander_${id()}` }),
  taskRun: () => ({ userName: 'user_taskOwner', taskId: id(), runId: id() }),
  federation: () => ({ federationId: id() }),
  cleanup: () => ({}),
}

/** Serves it on loopback. */
export function serveMadeUpFixtures(): Promise<Listening> {
  return serve(async (request, response) => {
    const options = JSON.parse((await bodyOf(request)) || '{}') as Options
    const make = makers[(request.url ?? '/').slice(1)]
    response.writeHead(make === undefined ? 404 : 200, { 'content-type': 'application/json' })
    response.end(JSON.stringify(make?.(options) ?? {}))
  })
}
