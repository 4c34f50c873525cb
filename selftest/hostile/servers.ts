/** Hostile and broken targets, the expected result of a run against them, and the servers on loopback that they use. */
import { once } from 'node:events'
import { createServer, type RequestListener, type ServerResponse } from 'node:http'
import type { AddressInfo, Server, Socket } from 'node:net'
import type { Parts } from '../../reference/parts.ts'
import { type EmbeddedPortal, startPortal } from '../../reference/portal.ts'
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

/** Listens on a free port of 127.0.0.1. Closing ends every connection, also one whose socket was written to directly. */
export async function listen(server: Server, scheme = 'http'): Promise<Listening> {
  const sockets = new Set<Socket>()
  server.on('connection', (socket) => {
    sockets.add(socket)
    // The client may disconnect at any time.
    socket.on('error', () => undefined)
    socket.on('close', () => sockets.delete(socket))
  })
  server.listen(0, '127.0.0.1')
  await once(server, 'listening')
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

/**
 * A target at the server, with the configuration of an embedded portal, which offers the fixtures. `changes` replace whole
 * sections.
 */
export async function targetAt(server: Listening, changes: ConfigurationFile = {}): Promise<RunningTarget> {
  const portal = await startPortal()
  const { baseUrl, configuration, close } = portal
  return {
    configuration: {
      ...configuration,
      target: { ...configuration.target, baseUrl: server.origin + new URL(baseUrl).pathname },
      http: { timeout: '1s', throttleWait: '2s' },
      run: { settle: '200ms', guestRefresh: '300ms' },
      ...changes,
    },
    secrets: secretsOf(portal),
    close: closingAll(server, { close }),
  }
}

/** An embedded portal that rewrites the bodies of its answers to operations. `changes` replace whole sections. */
export async function rewritingPortal(
  rewrite: (body: string) => string,
  changes: ConfigurationFile = {},
): Promise<RunningTarget> {
  const alter = (parts: Parts) => {
    const { send } = parts
    parts.send = (rendered, arrival) => {
      if (arrival.method === 'GET') return send(rendered, arrival)
      return send({ ...rendered, body: Buffer.from(rewrite(rendered.body.toString())) }, arrival)
    }
  }
  const portal = await startPortal({ alter })
  return {
    configuration: { ...portal.configuration, ...changes },
    secrets: secretsOf(portal),
    close: portal.close,
  }
}

const secretsOf = ({ configuration: { actors } }: EmbeddedPortal): string[] =>
  Object.values(actors).flatMap(({ credential, expired }) => [credential, expired])

export const json = { 'content-type': 'application/json' } as const

/** Answers GET like a portal, so that a run starts, and answers operations with `answer`. */
export const answering = (answer: (response: ServerResponse, socket: Socket) => void) => async () => {
  const server = await serve((request, response) => {
    request.resume()
    if (request.method === 'GET') response.writeHead(200, json).end('{"currentVersion":"11.0"}')
    else request.on('end', () => answer(response, request.socket))
  })
  return targetAt(server)
}
