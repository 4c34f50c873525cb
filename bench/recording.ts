/** Stands between a run and the portal and writes down every request of an operation that goes by. */
import { readFile, writeFile } from 'node:fs/promises'
import { createServer, type IncomingHttpHeaders } from 'node:http'
import type { AddressInfo } from 'node:net'
import { buffer } from 'node:stream/consumers'
import { Pool } from 'undici'
import type { PortalProcess } from './processes.ts'

export interface RecordedRequest {
  readonly path: string
  readonly headers: Readonly<Record<string, string>>
  readonly body: string
  readonly answerBytes: number
}

export interface Recorder {
  /** A configuration file that leads a run through the recorder. */
  readonly configuration: string
  readonly requests: readonly RecordedRequest[]
  close(): Promise<void>
}

/** Of a connection, not of a request. */
const notForwarded = ['connection', 'host', 'transfer-encoding', 'keep-alive', 'content-length']

/** Records what is sent to that portal. What the run asks to be cleaned up stays, so that it can be replayed. */
export async function record(portal: PortalProcess): Promise<Recorder> {
  const requests: RecordedRequest[] = []
  const pool = new Pool(portal.origin, { connections: 32 })
  const server = createServer(async (incoming, outgoing) => {
    try {
      const { url: path = '/', method = 'GET' } = incoming
      const body = await buffer(incoming)
      if (path === '/fixtures/cleanup') {
        outgoing.end('{}')
        return
      }
      const headers = forwarded(incoming.headers)
      const answer = await pool.request({ path, method: method as 'POST', headers, body })
      const bytes = Buffer.from(await answer.body.arrayBuffer())
      if (method === 'POST' && !path.startsWith('/fixtures/')) {
        requests.push({ path, headers, body: body.toString('latin1'), answerBytes: bytes.length })
      }
      outgoing.writeHead(answer.statusCode, forwarded(answer.headers)).end(bytes)
    } catch {
      outgoing.destroy()
    }
  })
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  const origin = `http://127.0.0.1:${(server.address() as AddressInfo).port}`
  const configuration = `${portal.configuration}.recorded.yaml`
  await writeFile(
    configuration,
    (await readFile(portal.configuration, 'utf8')).replaceAll(portal.origin, origin),
  )
  return {
    configuration,
    requests,
    close: async () => {
      server.close()
      server.closeAllConnections()
      await pool.close()
    },
  }
}

function forwarded(headers: IncomingHttpHeaders): Record<string, string> {
  return Object.fromEntries(
    Object.entries(headers)
      .filter(([name]) => !notForwarded.includes(name))
      .map(([name, value]) => [name, String(value)]),
  )
}
