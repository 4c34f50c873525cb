/** Targets that cannot be reached, or that answer but are not portals. */
import { mkdtemp, rm, writeFile } from 'node:fs/promises'
import type { RequestListener, ServerResponse } from 'node:http'
import { createServer as createSecureServer } from 'node:https'
import { createServer as createSocketServer } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { text } from 'node:stream/consumers'
import { type Certificate, selfSigned } from '../../reference/certificate.ts'
import { type Expectation, type HostileTarget, listen, serve, targetAt } from './servers.ts'

/** A server with that certificate, which accepts everything. */
const secureServer = ({ certificate, key }: Certificate) =>
  listen(
    createSecureServer({ cert: certificate, key }, (_, response) => response.end('{"success":true}')),
    'https',
  )

/** The preflight stops if no exchange is possible, or if a server that is not a portal answers. */
const stopped = (says: RegExp): Expectation => ({ exitCode: 4, says })

/** A target that answers every request like this. */
const onRequest = (listener: RequestListener) => async () => targetAt(await serve(listener))

function html(response: ServerResponse, status: number, text: string): void {
  response.writeHead(status, { 'content-type': 'text/html; charset=utf-8' })
  response.end(`<!doctype html><html><body><p>${text}</p></body></html>`)
}

/** A target that redirects every request with this status to another origin, where tests show that no request comes. */
const redirecting = (status: number) =>
  onRequest((_request, response) =>
    response.writeHead(status, { location: 'http://127.0.0.1:1/login' }).end(),
  )

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
    id: 'refusing',
    sentence: 'Every connection is closed as soon as it is made.',
    expect: stopped(/cannot be reached: the connection was (closed|reset)/),
    start: async () => targetAt(await listen(createSocketServer((socket) => socket.destroy()))),
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
    start: async () => targetAt(await secureServer(selfSigned(['127.0.0.1']))),
  },
  {
    id: 'certificate-of-another-host',
    sentence: 'The certificate is trusted, and made out to another host.',
    expect: stopped(/cannot be reached: TLS failed \(ERR_TLS_CERT_ALTNAME_INVALID\)/),
    async start() {
      const folder = await mkdtemp(join(tmpdir(), 'portal-conformance-ca-'))
      const ca = join(folder, 'ca.pem')
      const wronglyNamed = selfSigned(['elsewhere.invalid'])
      await writeFile(ca, wronglyNamed.certificate)
      const target = await targetAt(await secureServer(wronglyNamed), { http: { ca } })
      const close = () => Promise.all([target.close(), rm(folder, { recursive: true, force: true })])
      return { ...target, close: async () => void (await close()) }
    },
  },
  {
    id: 'plain-http-behind-https',
    sentence: 'Plain HTTP is spoken where TLS is expected.',
    expect: stopped(/cannot be reached: TLS failed/),
    async start() {
      const { origin, close } = await listen(
        createSocketServer((socket) => socket.end('HTTP/1.1 400 Bad Request\r\n\r\n')),
      )
      return targetAt({ origin: origin.replace('http:', 'https:'), close })
    },
  },
  {
    id: 'static-site',
    sentence: 'A static site: a page for GET, 405 for POST.',
    expect: stopped(/answered HTTP 200 with an HTML page; no portal answers here/),
    start: onRequest(({ method }, response) =>
      method === 'GET'
        ? html(response, 200, 'Welcome.')
        : html(response.setHeader('allow', 'GET'), 405, 'No.'),
    ),
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
    expect: stopped(/answered only HTTP 502: not available/),
    start: onRequest((_request, response) => html(response, 502, 'Nothing is behind me.')),
  },
  {
    id: 'redirect-to-login',
    sentence: 'Every request is redirected (302) to a login page on another origin.',
    expect: stopped(/answered HTTP 302 with Location \S+\/login; a sign-in page is in front/),
    start: redirecting(302),
  },
  {
    id: 'redirect-with-body',
    sentence: 'Every request is redirected (307) to another origin, body and all.',
    expect: stopped(/answered HTTP 307 with Location \S+\/login; a sign-in page is in front/),
    start: redirecting(307),
  },
]
