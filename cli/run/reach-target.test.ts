import { createServer as createHttpServer, type RequestListener } from 'node:http'
import { type AddressInfo, createServer, type Server } from 'node:net'
import { expect, onTestFinished, test } from 'vitest'
import type { Configuration } from '../../deployment/configuration/configuration.ts'
import { loadConfiguration } from '../../deployment/configuration/load-configuration.ts'
import { reachTarget } from './reach-target.ts'

async function listening(server: Server): Promise<string> {
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  onTestFinished(() => void server.close())
  return `http://127.0.0.1:${(server.address() as AddressInfo).port}`
}

const answering = (listener: RequestListener): Promise<string> => listening(createHttpServer(listener))

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
  const url = await answering(({ method, url }, response) => {
    requests.push(`${method} ${url}`)
    response.writeHead(500).end('no')
  })
  await reachTarget(configured(`${url}/rest`), never)
  await reachTarget(configured(url), never)
  expect(requests).toEqual(['GET /rest?f=json', 'GET /?f=json'])
})

test('reachTarget exits with 4 if the target hangs up on every request', async () => {
  const url = await answering(({ socket }) => void socket.destroy())
  await expect(reachTarget(configured(url), never)).rejects.toMatchObject({
    exitCode: 4,
    message: expect.stringContaining('cannot be reached: the connection was'),
  })
})

test('reachTarget names an address that refuses connections, and its setting', async () => {
  const url = await answering((_, response) => void response.end('{}'))
  const dead = 'http://127.0.0.1:1/rest'
  await expect(reachTarget(configured(dead), never)).rejects.toMatchObject({
    exitCode: 4,
    message: expect.stringMatching(
      /^the target at http:\/\/127\.0\.0\.1:1\/rest \(target\.baseUrl\) cannot be reached: connection refused/,
    ),
  })
  await expect(reachTarget(configured(url, dead), never)).rejects.toMatchObject({
    exitCode: 4,
    message: expect.stringContaining('(portals.guest.baseUrl)'),
  })
})

test('reachTarget exits with 4 if the target accepts the connection and never answers', async () => {
  const url = await listening(createServer((socket) => void onTestFinished(() => void socket.destroy())))
  await expect(reachTarget(configured(url), never)).rejects.toMatchObject({
    exitCode: 4,
    message: expect.stringContaining('no complete answer within 500ms'),
  })
})

test('reachTarget exits with 130 when interrupted', async () => {
  const url = await answering((_, response) => void response.end())
  await expect(reachTarget(configured(url), AbortSignal.abort())).rejects.toMatchObject({ exitCode: 130 })
})

test.each([
  ['refuses the anonymous otherwise', (isAnonymous: boolean) => isAnonymous, 401],
  ['takes no GET', (_: boolean, method = '') => method === 'GET', 405],
])('reachTarget goes on at a portal that answers with HTTP 404 alone and %s', async (_, isOther, status) => {
  const url = await answering((request, response) => {
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
  const nowhere = await answering((_, response) => void response.writeHead(404).end())
  await expect(reachTarget(configured(`${nowhere}/rest`), never)).rejects.toMatchObject({ exitCode: 4 })
})

test.each([
  ['goes on where an operation says what it did not find', 'Collaboration does not exist', true],
  ['exits with 4 where only the repeated path differs', 'Cannot POST {path}, since nothing is there', false],
])('reachTarget %s, with 404 for everything', async (_, message, goesOn) => {
  const url = await answering(({ url = '' }, response) => {
    const [path = ''] = url.split('?')
    const said = path.endsWith('/addWorkspace') ? message : message.replace(/^Coll.*/, 'Not found')
    response.writeHead(404, { 'content-type': 'application/json' })
    response.end(JSON.stringify({ error: { code: 404, message: said.replace('{path}', path) } }))
  })
  const reached = reachTarget(configured(`${url}/rest`), never)
  if (goesOn) await reached
  else await expect(reached).rejects.toMatchObject({ exitCode: 4 })
})
