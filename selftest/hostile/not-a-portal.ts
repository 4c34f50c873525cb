/** Targets that cannot be reached, or that answer but are not portals. */
import type { RequestListener, ServerResponse } from 'node:http'
import { createServer as createSecureServer } from 'node:https'
import { createServer as createSocketServer } from 'node:net'
import { text } from 'node:stream/consumers'
import { selfSigned } from '../../reference/certificate.ts'
import { type Expectation, type HostileTarget, listen, serve, targetAt } from './servers.ts'

/** The preflight stops if no exchange is possible, or if a server that is not a portal answers. */
const stopped = (says: RegExp): Expectation => ({ exitCode: 4, says })

/** A target that answers every request like this. */
const onRequest = (listener: RequestListener) => async () => targetAt(await serve(listener))

function html(response: ServerResponse, status: number, text: string): void {
  response.writeHead(status, { 'content-type': 'text/html; charset=utf-8' })
  response.end(`<!doctype html><html><body><p>${text}</p></body></html>`)
}

export const notAPortal: readonly HostileTarget[] = [
  {
    id: 'closed-port',
    sentence: 'No one listens at the address.',
    expect: stopped(/cannot be reached: connection refused/),
    async start() {
      const closed = await serve(() => undefined)
      await closed.close()
      return targetAt({ ...closed, close: async () => undefined })
    },
  },
  {
    id: 'silent',
    sentence: 'Connections are taken, and nothing is ever answered.',
    expect: stopped(/cannot be reached: no complete answer within 1s/),
    start: onRequest((request) => void request.resume()),
  },
  {
    id: 'no-http',
    sentence: 'Another protocol is spoken at the address.',
    expect: stopped(/cannot be reached: the answer is not HTTP/),
    start: async () =>
      targetAt(await listen(createSocketServer((socket) => socket.end('SSH-2.0-OpenSSH_9.6\r\n')))),
  },
  {
    id: 'untrusted-certificate',
    sentence: 'The certificate is signed by itself.',
    expect: stopped(/cannot be reached: TLS failed \(\w*SELF_SIGNED\w*\)/),
    async start() {
      const { certificate, key } = selfSigned(['127.0.0.1'])
      const server = createSecureServer({ cert: certificate, key }, (_, response) => response.end('{}'))
      return targetAt(await listen(server, 'https'))
    },
  },
  {
    id: 'html-200-from-proxy',
    sentence: 'A proxy answers every request with HTTP 200 and a page that repeats what was sent.',
    expect: stopped(/answered HTTP 200 with an HTML page; no portal answers here/),
    start: onRequest(async (request, response) =>
      html(response, 200, `You sent ${JSON.stringify(request.headers)} ${await text(request)}.`),
    ),
  },
  {
    id: 'html-502-from-proxy',
    sentence: 'A proxy answers every request with HTTP 502 and a page.',
    // 502 comes from a gateway and not from the deployment. The run gives up after several in a row.
    expect: { exitCode: 3, says: /the run stopped sending after \d+ broken exchanges in a row/ },
    start: onRequest((_request, response) => html(response, 502, 'Nothing is behind me.')),
  },
]
