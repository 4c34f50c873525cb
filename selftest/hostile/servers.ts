/** Hostile and broken targets, the expected result of a run against them, and the servers on loopback that they use. */

import { randomBytes } from 'node:crypto'
import {
  createServer,
  request as forward,
  type IncomingMessage,
  type RequestListener,
  type ServerResponse,
} from 'node:http'
import { type AddressInfo, createServer as createSocketServer, type Server, type Socket } from 'node:net'
import { text } from 'node:stream/consumers'
import { type ActorName, actorNames, type PortalName } from '../../deployment/configuration/actors.ts'
import { startPortal } from '../../reference/portal.ts'
import type { ExitCode } from '../../reporters/exit-codes.ts'
import type { RequirementId } from '../../specs/requirements.ts'

/** A configuration in the format of the configuration file. */
export type ConfigurationFile = Readonly<Record<string, unknown>>

export interface Expectation {
  readonly exitCode: ExitCode
  /** The one-line explanation: the reason of an inconclusive check, or the message on stderr. Absent: any. */
  readonly says?: RegExp
  /** Gating requirements that fail because the target really breaks them. No others may fail. */
  readonly fails?: readonly RequirementId[]
  /** Further requirements that may fail, depending on the requests. `any`: the answers follow no rule. */
  readonly mayFail?: readonly RequirementId[] | 'any'
  /** Gating requirements that the target really keeps. Default: none. */
  readonly mayPass?: readonly RequirementId[] | 'any'
  /** The sum of the time-outs that a run meets one after the other, in ms. Default: 0. */
  readonly timeoutsMs?: number
}

export interface HostileTarget {
  /** In kebab-case. */
  readonly id: string
  /** What the target does. */
  readonly sentence: string
  readonly expect: Expectation
  start(): Promise<RunningTarget>
}

export interface RunningTarget {
  readonly configuration: ConfigurationFile
  /** Secrets that no output may contain. */
  readonly secrets: readonly string[]
  /** Forbidden things that happened, one line each. Called after the run. */
  wrongs?(): readonly string[]
  close(): Promise<void>
}

export interface Listening {
  /** Scheme, host and port. */
  readonly origin: string
  close(): Promise<void>
}

/** Closes all of them. */
export const closingAll =
  (...all: readonly Pick<Listening, 'close'>[]): (() => Promise<void>) =>
  async () => {
    await Promise.all(all.map((each) => each.close()))
  }

/** How long an answer may take, and how long a run waits for a throttling target, in ms. */
export const timeoutMs = 1000
export const throttleWaitMs = 2000

/** The number of concurrent exchanges. */
export const concurrency = 8

export const http = { timeout: `${timeoutMs}ms`, throttleWait: `${throttleWaitMs}ms`, concurrency } as const

/** Listens on a free port of 127.0.0.1. Closing ends every connection. */
export async function listen(server: Server, scheme = 'http'): Promise<Listening> {
  const sockets = new Set<Socket>()
  server.on('connection', (socket) => {
    sockets.add(socket)
    // The client may disconnect at any time.
    socket.on('error', () => undefined)
    socket.on('close', () => sockets.delete(socket))
  })
  await new Promise<void>((resolve, reject) => {
    server.once('error', reject)
    server.listen(0, '127.0.0.1', resolve)
  })
  const { port } = server.address() as AddressInfo
  return {
    origin: `${scheme}://127.0.0.1:${port}`,
    close: () =>
      new Promise((resolve) => {
        server.close(() => resolve())
        for (const socket of sockets) socket.destroy()
      }),
  }
}

export function serve(listener: RequestListener): Promise<Listening> {
  return listen(createServer(listener))
}

/** A server for raw TCP connections. */
export function serveSockets(onConnection: (socket: Socket) => void): Promise<Listening> {
  return listen(createSocketServer(onConnection))
}

/** The origin of a port without a listener. */
export async function closedPort(): Promise<string> {
  const { origin, close } = await serveSockets(() => undefined)
  await close()
  return origin
}

/** An answer of the portal that the proxy forwards. */
export interface Answered {
  readonly status: number
  readonly contentType: string
  readonly body: string
}

/** How the proxy changes the answer of an operation. */
type Rewriting = (answer: Answered) => Answered | Promise<Answered>

/** Starts a portal and a proxy. Fixtures come from the portal, unless `changes` replace that section. */
export async function portalBehindProxy(
  rewrite: Rewriting,
  changes: ConfigurationFile = {},
): Promise<RunningTarget> {
  const portal = await startPortal()
  const { origin, pathname } = new URL(portal.baseUrl)
  const proxy = await serve(async (request, response) => {
    const answer = await ask(origin, request)
    const { status, contentType, body } = request.method === 'GET' ? answer : await rewrite(answer)
    response.writeHead(status, { 'content-type': contentType }).end(body)
  })
  const { configuration } = portal
  return {
    configuration: {
      ...configuration,
      target: { ...configuration.target, baseUrl: proxy.origin + pathname },
      // Long enough to measure whether a sync blocks, because this target answers.
      http: { ...http, timeout: '5s' },
      ...changes,
    },
    secrets: Object.values(configuration.actors).map(({ credential }) => credential),
    close: closingAll(portal, proxy),
  }
}

async function ask(origin: string, request: IncomingMessage): Promise<Answered> {
  const body = await text(request)
  const { host: _host, connection: _connection, ...headers } = request.headers
  return new Promise((resolve, reject) => {
    const { method = 'POST', url = '/' } = request
    const asked = forward(origin + url, { method, headers, agent: false }, async (answer) => {
      const { statusCode = 0, headers } = answer
      resolve({ status: statusCode, contentType: headers['content-type'] ?? '', body: await text(answer) })
    })
    asked.on('error', reject)
    asked.end(body)
  })
}

const portalOf = (actor: ActorName): PortalName =>
  actor.startsWith('guest') || actor === 'syncInitiator' ? 'guest' : 'host'

/** A configuration with new credentials. `changes` replace whole sections. */
function planted(baseUrl: string, fixturesUrl: string, changes: ConfigurationFile) {
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
    close: closingAll(server, fixtures),
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
