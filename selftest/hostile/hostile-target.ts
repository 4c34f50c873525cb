/** Hostile and broken targets, and the expected result of a run against them. */

import { randomBytes } from 'node:crypto'
import type { ServerResponse } from 'node:http'
import type { Socket } from 'node:net'
import { text } from 'node:stream/consumers'
import { type ActorName, actorNames, type PortalName } from '../../deployment/configuration/actors.ts'
import type { ExitCode } from '../../reporters/exit-codes.ts'
import type { RequirementId } from '../../specs/requirements.ts'
import { type ConfigurationFile, http, type Listening, type RunningTarget, serve } from './servers.ts'

export interface Expectation {
  readonly exitCode: ExitCode
  /** The one-line explanation: the reason of an inconclusive check, or the message on stderr. */
  readonly says: RegExp
  /** Gating requirements that fail because the target really breaks them. No others may fail. */
  readonly fails?: readonly RequirementId[]
  /** Further requirements that may fail, depending on the requests. `any`: the answers follow no rule. */
  readonly mayFail?: readonly RequirementId[] | 'any'
  /** Gating requirements that the target really keeps. Default: none. */
  readonly mayPass?: readonly RequirementId[] | 'any'
  /** The sum of the time-outs that a run meets one after the other, in ms. */
  readonly timeoutsMs: number
}

export interface HostileTarget {
  /** In kebab-case. */
  readonly id: string
  /** What the target does. */
  readonly sentence: string
  readonly expect: Expectation
  start(): Promise<RunningTarget>
}

const portalOf = (actor: ActorName): PortalName =>
  actor.startsWith('guest') || actor === 'syncInitiator' ? 'guest' : 'host'

interface Planted {
  readonly configuration: ConfigurationFile
  readonly secrets: readonly string[]
}

/** A configuration with new credentials. `changes` replace whole sections. */
function planted(baseUrl: string, fixturesUrl: string, changes: ConfigurationFile = {}): Planted {
  const actors = actorNames.map((actor) => {
    const credential = `planted-${randomBytes(12).toString('hex')}`
    return [actor, { credential, username: `user_${actor}`, portal: portalOf(actor) }] as const
  })
  return {
    secrets: actors.map(([, { credential }]) => credential),
    configuration: {
      target: { baseUrl, version: '11.0', edition: 'self-hosted', profile: 'none' },
      authentication: { in: 'form', name: 'token' },
      portals: {
        host: { id: 'portalhost' },
        guest: { id: 'portalguest' },
        otherGuest: { id: 'portalother' },
      },
      actors: Object.fromEntries(actors),
      fixtures: { url: fixturesUrl },
      contract: {
        sync: { parameter: 'async', synchronous: 'false', asynchronous: 'true' },
        run: { statuses: ['executing', 'succeeded'], closed: true },
        federation: { roleId: 'org_user', userLicenseType: 'creatorUT' },
      },
      effects: 'all',
      http,
      run: { settle: '200ms', guestRefresh: '300ms' },
      ...changes,
    },
  }
}

/** The base path of every target that answers over HTTP. */
const basePath = '/sharing/rest'

/** Combines a server, made-up fixtures and a configuration. */
export async function targetAt(
  server: Listening,
  changes: ConfigurationFile = {},
  wrongs: () => readonly string[] = () => [],
): Promise<RunningTarget> {
  const fixtures = await serveMadeUpFixtures()
  return {
    ...planted(`${server.origin}${basePath}`, fixtures.origin, changes),
    wrongs,
    close: async () => {
      await Promise.all([server.close(), fixtures.close()])
    },
  }
}

export const json = { 'content-type': 'application/json' } as const

/** Answers GET like a portal, so that a run starts, and answers operations with `answer`. */
export async function answering(
  answer: (response: ServerResponse, socket: Socket) => void,
): Promise<RunningTarget> {
  const server = await serve((request, response) => {
    request.resume()
    if (request.method === 'GET') response.writeHead(200, json).end('{"currentVersion":"11.0"}')
    else request.on('end', () => answer(response, request.socket))
  })
  return targetAt(server)
}

/** How long a run waits for syncs, deletions and guest refreshes that never happen, in ms. */
export const consequencesMs = 3000

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

/** Serves made-up fixtures on loopback. */
export function serveMadeUpFixtures(): Promise<Listening> {
  return serve(async (request, response) => {
    const options = JSON.parse((await text(request)) || '{}') as Options
    const make = makers[(request.url ?? '/').slice(1)]
    response.writeHead(make === undefined ? 404 : 200, json)
    response.end(JSON.stringify(make?.(options) ?? {}))
  })
}
