import { type AddressInfo, createServer } from 'node:net'
import { expect, onTestFinished, test } from 'vitest'
import type { Configuration } from '../../deployment/configuration/configuration.ts'
import { loadConfiguration } from '../../deployment/configuration/load-configuration.ts'
import { serve } from '../../deployment/http/server.fixture.ts'
import { reachTarget } from './reach-target.ts'

function configured(baseUrl: string, guestUrl?: string): Configuration {
  const value = {
    target: { baseUrl },
    authentication: { in: 'form', name: 'token' },
    portals: {
      host: { id: 'h' },
      ...(guestUrl === undefined ? {} : { guest: { id: 'g', baseUrl: guestUrl } }),
    },
    actors: {},
    http: { timeout: '500ms' },
  }
  return loadConfiguration({ value, name: 'test' }, {}, {})
}

const never = new AbortController().signal

test('reachTarget accepts HTTP 500, with and without a path in the base URL', async () => {
  const requests: string[] = []
  const url = await serve(({ method, url }, response) => {
    requests.push(`${method} ${url}`)
    response.writeHead(500).end('no')
  })
  await reachTarget(configured(`${url}/rest`), never)
  await reachTarget(configured(url), never)
  expect(requests).toEqual(['GET /rest?f=json', 'GET /?f=json'])
})

test('reachTarget waits for a portal that is away, and goes on where only its base URL has no page', async () => {
  for (const isUp of [(asked: number) => asked > 3, (_: number, url: string) => url.includes('/addW')]) {
    let asked = 0
    const origin = await serve(({ url = '' }, response) => {
      asked += 1
      response.writeHead(isUp(asked, url) ? 200 : 503).end('{}')
    })
    await reachTarget(configured(`${origin}/rest`), never)
  }
})

/** The address of a server that accepts connections and never answers. */
async function silent(): Promise<string> {
  const server = createServer((socket) => void onTestFinished(() => void socket.destroy()))
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  onTestFinished(() => void server.close())
  return `http://127.0.0.1:${(server.address() as AddressInfo).port}`
}

const dead = 'http://127.0.0.1:1/rest'
const answers = () => serve((_, response) => void response.end('{}'))

test.each<[string, () => Promise<Configuration>, RegExp]>([
  [
    'hangs up on every request',
    async () => configured(await serve(({ socket }) => void socket.destroy())),
    /cannot be reached: the connection was/,
  ],
  [
    'never answers',
    async () => configured(await silent()),
    /cannot be reached: no complete answer within 500ms/,
  ],
  ...[429, 503].map((status): [string, () => Promise<Configuration>, RegExp] => [
    `answers everything with HTTP ${status}`,
    async () => {
      const url = await serve((_, response) => void response.writeHead(status, { 'retry-after': '60' }).end())
      return configured(url)
    },
    new RegExp(`\\(target.baseUrl\\) answered only HTTP ${status}: .*after waits of 0ms`),
  ]),
  [
    'refuses connections',
    async () => configured(dead),
    /^the target at http:\/\/127\.0\.0\.1:1\/rest \(target\.baseUrl\) cannot be reached: connection refused/,
  ],
  [
    'has a guest that refuses connections',
    async () => configured(await answers(), dead),
    /\(portals\.guest\.baseUrl\) cannot be reached/,
  ],
])('reachTarget exits with 4 and names the setting if the target %s', async (_, configuration, message) => {
  await expect(reachTarget(await configuration(), never)).rejects.toMatchObject({
    exitCode: 4,
    message: expect.stringMatching(message),
  })
})

test('reachTarget exits with 130 when interrupted', async () => {
  const url = await serve((_, response) => void response.end())
  await expect(reachTarget(configured(url), AbortSignal.abort())).rejects.toMatchObject({ exitCode: 130 })
})

test.each([
  ['refuses the anonymous otherwise', (isAnonymous: boolean) => isAnonymous, 401],
  ['takes no GET', (_: boolean, method = '') => method === 'GET', 405],
])('reachTarget goes on at a portal that answers with HTTP 404 alone and %s', async (_, isOther, status) => {
  const url = await serve((request, response) => {
    let sent = ''
    request.on('data', (part) => {
      sent += part
    })
    request.on('end', () => {
      const isOperation = request.url?.split('?')[0]?.endsWith('/addWorkspace') === true
      const other = isOperation && isOther(!sent.includes('token='), request.method)
      response.writeHead(other ? status : 404).end()
    })
  })
  const configuration = configured(`${url}/rest`)
  const hostAdministrator = { credential: 'secret', portal: 'host' as const }
  await reachTarget({ ...configuration, actors: { hostAdministrator } }, never)
  const nowhere = await serve((_, response) => void response.writeHead(404).end())
  await expect(reachTarget(configured(`${nowhere}/rest`), never)).rejects.toMatchObject({ exitCode: 4 })
})

test.each([
  ['goes on where an operation says what it did not find', 'Collaboration does not exist', true],
  ['exits with 4 where only the repeated path differs', 'Cannot POST {path}, since nothing is there', false],
])('reachTarget %s, with 404 for everything', async (_, message, goesOn) => {
  const url = await serve(({ url = '' }, response) => {
    const [path = ''] = url.split('?')
    const said = path.endsWith('/addWorkspace') ? message : message.replace(/^Coll.*/, 'Not found')
    response.writeHead(404, { 'content-type': 'application/json' })
    response.end(JSON.stringify({ error: { code: 404, message: said.replace('{path}', path) } }))
  })
  const reached = reachTarget(configured(`${url}/rest`), never)
  if (goesOn) await reached
  else await expect(reached).rejects.toMatchObject({ exitCode: 4 })
})
