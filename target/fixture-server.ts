/** Serves a fixture provider of this process over loopback, in the protocol that all providers speak. */
import { randomBytes } from 'node:crypto'
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http'
import type { AddressInfo } from 'node:net'
import { FixtureNotOffered } from './fixture-errors.ts'
import { fixtureFields, wrongField } from './fixture-fields.ts'
import {
  type FixtureProvider,
  type ForRun,
  fixtureKinds,
  type NotOffered,
  runHeader,
} from './fixture-kinds.ts'

export interface ServedFixtures {
  /** Where the provider answers; not to be guessed by other users of this machine. */
  readonly url: string
  close(): Promise<void>
}

interface Reply {
  readonly status: number
  readonly body: unknown
}

const largestOptions = 1024 * 1024

/** Serves the provider until `close` is called. */
export async function serveFixtures(provider: FixtureProvider): Promise<ServedFixtures> {
  const secretPath = `/${randomBytes(16).toString('hex')}`
  const server = createServer((request, response) => {
    void reply(provider, secretPath, request).then((answer) => write(response, answer))
  })
  await new Promise<void>((resolve, reject) => {
    server.once('error', reject)
    server.listen(0, '127.0.0.1', resolve)
  })
  const { port } = server.address() as AddressInfo
  return {
    url: `http://127.0.0.1:${port}${secretPath}`,
    close: () =>
      new Promise((resolve) => {
        server.close(() => resolve())
        server.closeAllConnections()
      }),
  }
}

async function reply(
  provider: FixtureProvider,
  secretPath: string,
  request: IncomingMessage,
): Promise<Reply> {
  const path = request.url ?? ''
  if (!path.startsWith(`${secretPath}/`)) return { status: 404, body: { reason: 'there is nothing here' } }
  if (request.method !== 'POST') return { status: 405, body: { reason: 'POST expected' } }
  const name = path.slice(secretPath.length + 1)
  try {
    const options = await optionsOf(request)
    if (name === 'cleanup') {
      if (typeof provider.cleanup !== 'function') return { status: 404, body: {} }
      return answered((await provider.cleanup(options as ForRun)) ?? {})
    }
    const kind = fixtureKinds.find((known) => known === name)
    // Called on the provider, so that it may be an object with state.
    if (kind === undefined || typeof provider[kind] !== 'function') return { status: 404, body: {} }
    const runId = request.headers[runHeader]
    const run: ForRun = typeof runId === 'string' ? { runId } : {}
    const wrong = wrongField(fixtureFields[kind].options, options)
    if (wrong !== undefined) return { status: 400, body: { reason: `options: ${wrong}` } }
    return answered(await provider[kind](options as never, run))
  } catch (error) {
    if (error instanceof FixtureNotOffered) return { status: 404, body: { reason: error.message } }
    return { status: 500, body: { reason: error instanceof Error ? error.message : String(error) } }
  }
}

function answered(body: unknown): Reply {
  const reason = (body as Partial<NotOffered> | null | undefined)?.notOffered
  return typeof reason === 'string' ? { status: 404, body: { reason } } : { status: 200, body }
}

async function optionsOf(request: IncomingMessage): Promise<object> {
  const chunks: Buffer[] = []
  let length = 0
  for await (const chunk of request as AsyncIterable<Buffer>) {
    length += chunk.length
    if (length > largestOptions) throw new Error('the options are too large')
    chunks.push(chunk)
  }
  const options: unknown = length === 0 ? {} : JSON.parse(Buffer.concat(chunks).toString('utf8'))
  if (typeof options !== 'object' || options === null || Array.isArray(options))
    throw new Error('the options must be a JSON object')
  return options
}

function write(response: ServerResponse, { status, body }: Reply): void {
  let text: string
  try {
    text = JSON.stringify(body ?? null)
  } catch {
    response.writeHead(500, { 'content-type': 'application/json' }).end('{"reason":"no JSON was handed out"}')
    return
  }
  response.writeHead(status, { 'content-type': 'application/json' }).end(text)
}
