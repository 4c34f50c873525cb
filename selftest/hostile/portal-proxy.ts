/** The embedded portal behind a proxy of our own, so that a target is right but for what the proxy does. */
import { request as forward, type IncomingMessage } from 'node:http'
import { startPortal } from '../../reference/portal.ts'
import { http } from './configuration.ts'
import type { ConfigurationFile, RunningTarget } from './hostile-target.ts'
import { bodyOf, serve } from './servers.ts'

/** An answer of the portal, on its way through the proxy. */
export interface Answered {
  readonly status: number
  readonly contentType: string
  readonly body: string
}

/** What the proxy makes of an answer of an operation. */
type Rewriting = (answer: Answered) => Answered | Promise<Answered>

/** Starts both; the fixtures come from the portal unless `changes`, which replace whole sections, say otherwise. */
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
      // Long enough to tell by timing whether a sync blocks: this target answers.
      http: { ...http, timeout: '5s' },
      ...changes,
    },
    secrets: Object.values(configuration.actors).map(({ credential }) => credential),
    close: async () => {
      await Promise.all([portal.close(), proxy.close()])
    },
  }
}

async function ask(origin: string, request: IncomingMessage): Promise<Answered> {
  const body = await bodyOf(request)
  const { host: _host, connection: _connection, ...headers } = request.headers
  return new Promise((resolve, reject) => {
    const { method = 'POST', url = '/' } = request
    const asked = forward(origin + url, { method, headers, agent: false }, async (answer) => {
      const { statusCode = 0, headers } = answer
      resolve({ status: statusCode, contentType: headers['content-type'] ?? '', body: await bodyOf(answer) })
    })
    asked.on('error', reject)
    asked.end(body)
  })
}
