/** An embedded portal behind a proxy that records requests, and may change or answer them. Only logins are configured. */
import { writeFileSync } from 'node:fs'
import { type IncomingHttpHeaders, request as requestTo } from 'node:http'
import { join } from 'node:path'
import { received, serve } from '../../deployment/http/server.fixture.ts'
import { loginsConfiguration } from '../../reference/configuration.ts'
import type { EmbeddedPortal } from '../../reference/portal.ts'
import { commandWith } from '../process/in-process.fixture.ts'
import { testFolder } from '../process/test-folder.fixture.ts'
import { testPortal } from '../process/test-portal.fixture.ts'

interface Request {
  readonly method: string
  /** With its query. */
  readonly path: string
  readonly headers: IncomingHttpHeaders
  readonly body: string
}

interface Reply {
  readonly status: number
  readonly headers?: Record<string, string>
  readonly body?: string
}

/** Returns an answer instead of the portal's, a request to forward instead, or undefined to change nothing. */
type Intervention = (request: Request) => Reply | Request | undefined

export const htmlPage = (status: number, title: string): Reply => ({
  status,
  headers: { 'content-type': 'text/html; charset=utf-8' },
  body: `<!doctype html><html><head><title>${title}</title></head><body></body></html>`,
})

/** Starts a portal and its proxy, both closed after the test. */
export async function portalBehindProxy(intervene: Intervention = () => undefined) {
  const portal = await testPortal()
  const { origin } = new URL(portal.baseUrl)
  const proxied: Request[] = []
  /** The user names of failed logins, in order. */
  const failedLogins: string[] = []
  const proxy = await serve(async (incoming, outgoing) => {
    const { method = 'GET', url: path = '/', headers } = incoming
    const came = { method, path, headers, body: await received(incoming) }
    proxied.push(came)
    const refused = refusedUser(portal, came)
    if (refused !== undefined) failedLogins.push(refused)
    const change = intervene(came)
    if (change !== undefined && 'status' in change) {
      outgoing.writeHead(change.status, change.headers).end(change.body ?? '')
      return
    }
    const sent = change ?? came
    const { 'content-length': _, 'transfer-encoding': __, ...others } = sent.headers
    const options = { method, headers: { ...others, 'content-length': Buffer.byteLength(sent.body) } }
    requestTo(origin + sent.path, options, (answer) => {
      outgoing.writeHead(answer.statusCode ?? 500, answer.headers)
      answer.pipe(outgoing)
    }).end(sent.body)
  })
  const here = (url: string) => proxy + new URL(url).pathname
  const { host, guest } = portal.logins
  const logins = {
    host: { ...host, baseUrl: here(host.baseUrl) },
    guest: { ...guest, baseUrl: here(guest.baseUrl) },
  }
  return { portal, origin: proxy, proxied, logins, failedLogins }
}

/** The user name, if the request is a login with a wrong password. */
function refusedUser({ store }: EmbeddedPortal, { path, body }: Request): string | undefined {
  if (!/\/generateToken/.test(path)) return undefined
  const form = new URLSearchParams(body)
  const username = form.get('username') ?? ''
  return store.users.get(username)?.password === form.get('password') ? undefined : username
}

type Written = ReturnType<typeof loginsConfiguration>

/** A folder with a configuration of two logins, with changes, and the commands that use it. */
export function userOf(
  logins: Parameters<typeof loginsConfiguration>[0],
  change = (written: Written): object => written,
) {
  const folder = testFolder()
  const config = join(folder, 'portal.json')
  const out = join(folder, 'report')
  const written = join(folder, 'new.yaml')
  const run = { settle: '300ms', seed: 1, runs: 1 }
  writeFileSync(config, JSON.stringify({ ...change(loginsConfiguration(logins)), run }))
  return {
    folder,
    out,
    written,
    run: (...words: string[]) => commandWith({}, ['run', '--config', config, '--out', out, ...words]),
    doctor: (...words: string[]) => commandWith({}, ['doctor', '--config', config, ...words]),
    /** With the login of the host, whose password is in HOST_PASSWORD, and further options. */
    init: (words: readonly string[] = [], environment: NodeJS.ProcessEnv = {}) => {
      const { baseUrl, username, password } = logins.host
      const login = ['--base-url', baseUrl, '--host-login', `${username}:HOST_PASSWORD`]
      const variables = { HOST_PASSWORD: password, ...environment }
      return commandWith(variables, ['init', '--out', written, ...login, ...words])
    },
    cleanup: () => commandWith({}, ['cleanup', join(out, 'journal.ndjson'), '--config', config]),
  }
}
