import { execFile } from 'node:child_process'
import { promisify } from 'node:util'
import { expect, test } from 'vitest'
import { loadConfiguration } from '../configuration/load-configuration.ts'
import { curlLine } from '../evidence.ts'
import { createRedactor } from '../redaction/redaction.ts'
import { authority, forClient, forTarget, privateKey } from './certificates.fixture.ts'
import { filesWith, proxyServer, secured } from './networks.fixture.ts'
import { requestBuilder } from './outgoing-request.ts'
import { answerJson, received, serve } from './server.fixture.ts'

const path = '/community/x'

/** The line for a request on that network. */
function lineFor(baseUrl: string, http: object, environment: Record<string, string> = {}): string {
  const value = {
    target: { baseUrl },
    portals: { host: { id: 'h' } },
    actors: { hostAdministrator: { credential: 'secret-of-the-host' } },
    http,
  }
  const configuration = loadConfiguration({ value, name: 'test' }, { effects: 'all' }, environment)
  const fields = [['f', 'pjson']] as const
  const { sent } = requestBuilder(configuration)({
    portal: 'host',
    path,
    fields,
    credential: 'secret-of-the-host',
  })
  return curlLine(sent, sent.body, createRedactor(configuration))
}

/** What the line has between the options of every line and the request. */
const network = (line: string): string => line.slice('curl -sS -i -g'.length, line.indexOf(' -X POST'))

const https = 'https://portal.example'
const http = 'http://portal.example'

test.each<[string, string, string, object, Record<string, string>]>([
  ['nothing where curl goes the same way', '', https, {}, {}],
  ['no certificate checked', ' --insecure', https, { insecure: true }, {}],
  ['that host unchecked', ' --insecure', https, { insecure: ['portal.example'] }, {}],
  ['plain HTTP, which has no certificates', '', http, { insecure: true }, {}],
  ['a proxy', " --proxy 'http://p:1' --noproxy ''", http, { proxy: 'http://p:1' }, {}],
  ['a proxy that this host goes past', '', http, { proxy: 'http://p:1', noProxy: ['.example'] }, {}],
  ['one of the environment', " --proxy 'http://p:1'", http, {}, { HTTP_PROXY: 'http://p:1' }],
])('%s', (_, words, baseUrl, settings, environment) => {
  expect(network(lineFor(baseUrl, settings, environment))).toBe(words)
})

test('a password for the proxy is left to a variable', () => {
  const line = lineFor(https, { proxy: 'http://someone:password-of-the-proxy@p:1' })
  expect(network(line)).toBe(` --proxy 'http://p:1' --noproxy '' --proxy-user "$PORTAL_PROXY_USER"`)
  expect(line).not.toMatch(/someone|password-of-the-proxy/)
})

test('files are named as they are seen from the folder of the run', () => {
  const { ca } = filesWith({ ca: authority })
  const named = (file: string) => network(lineFor(https, { ca: file }))
  expect(named(ca)).toBe(` --cacert '${ca}'`)
  const folder = process.cwd()
  process.chdir(ca.slice(0, ca.lastIndexOf('/')))
  try {
    expect(named(ca)).toBe(" --cacert 'ca.pem'")
  } finally {
    process.chdir(folder)
  }
})

const run = promisify(execFile)
const hasCurl = await run('curl', ['--version']).then(
  () => true,
  () => false,
)

test.skipIf(!hasCurl)('curl repeats the request through proxy and private authority', async () => {
  const plain = await serve(async (request, response) =>
    answerJson(response, { url: request.url, body: await received(request) }),
  )
  const baseUrl = await secured(plain, forTarget, {
    ca: authority,
    requestCert: true,
    rejectUnauthorized: true,
  })
  const proxy = await proxyServer('me:password-of-the-proxy')
  const files = filesWith({ ca: authority, cert: forClient, key: privateKey })
  const line = lineFor(baseUrl, {
    ...files,
    proxy: proxy.url.replace('//', '//me:password-of-the-proxy@'),
  })
  const { stdout } = await run('sh', ['-c', line], {
    env: {
      PATH: process.env.PATH,
      NO_PROXY: '*',
      PORTAL_CREDENTIAL: 'secret-of-the-host',
      PORTAL_PROXY_USER: 'me:password-of-the-proxy',
    },
  })
  expect(proxy.asked).toEqual([new URL(baseUrl).host])
  expect(JSON.parse(stdout.slice(stdout.lastIndexOf('\r\n\r\n')))).toEqual({
    url: path,
    body: 'f=pjson&token=secret-of-the-host',
  })
})
