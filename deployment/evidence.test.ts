import { execFile, execFileSync } from 'node:child_process'
import { promisify } from 'node:util'
import { expect, test } from 'vitest'
import { evidenceOf } from './evidence.ts'
import { authority, forClient, forTarget, privateKey } from './http/certificates.fixture.ts'
import { Answer, type SentRequest, type SyncLimit, TransportError } from './http/exchange.ts'
import { filesWith, secured } from './http/networks.fixture.ts'
import { requestBuilder } from './http/outgoing-request.ts'
import { answerJson, configurationFor, received, serve } from './http/server.fixture.ts'
import { createRedactor, type Redactor } from './redaction/redaction.ts'

const secret = "s3cr+t/'quoted'$(x)=="
const actors = { hostAdministrator: { credential: secret } }

function answerTo(request: SentRequest, body: string | Buffer, headers: Answer['headers'] = {}): Answer {
  const bytes = Buffer.from(body as string)
  return new Answer({ request, status: 200, headers, body: bytes, sentAt: 1, answeredAt: 3.25 })
}

const plainRequest: SentRequest = {
  method: 'POST',
  url: 'http://127.0.0.1/x',
  headers: { 'content-type': 'application/x-www-form-urlencoded' },
  body: 'f=pjson',
}

const redactor = createRedactor(configurationFor('http://127.0.0.1', { actors }))

/** Evidence of an exchange that was classified as accepted. */
const evidenceFor = (exchange: Answer | TransportError, ours: Redactor, began?: number) =>
  evidenceOf(exchange, { class: 'accepted' }, ours, began)

const shownBody = (body: string | Buffer) =>
  evidenceFor(answerTo(plainRequest, body), redactor).response!.body

test.each(['form', 'query', 'header', 'cookie'] as const)(
  'evidence has no secret if the credential is sent in the %s and the answer repeats it',
  (place) => {
    // A cookie cannot contain some of the characters.
    const credential = place === 'cookie' ? secret.replaceAll(/[";,\\ ]/g, '') : secret
    const configuration = configurationFor('http://127.0.0.1/base', {
      actors: { hostAdministrator: { credential } },
      authentication: { in: place, name: 'X-Portal', prefix: 'P '.trim() },
      http: { headers: { 'X-Gateway': 'gateway-secret' } },
    })
    const { sent } = requestBuilder(configuration)({
      portal: 'host',
      path: `/x/${encodeURIComponent(credential)}`,
      fields: [
        ['f', 'pjson'],
        ['password', 'hunter2'],
        ['note', `about ${credential}`],
      ],
      credential,
      style: { safe: 'escaped', escapes: 'lower' },
    })
    const answer = answerTo(
      sent,
      JSON.stringify({ echo: credential, access_token: 'fresh-one', nested: JSON.stringify({ credential }) }),
      {
        'set-cookie': ['sid=session-secret', 'other=1'],
        location: `http://127.0.0.1/?a=1&token=fresh-one&b=${encodeURIComponent(credential)}#access_token=fresh-one`,
        'x-echo': credential,
      },
    )
    const ours = createRedactor(configuration)
    const failed = new TransportError('broken', `POST ${sent.url}: broken`, sent)
    for (const evidence of [evidenceFor(answer, ours), evidenceFor(failed, ours)]) {
      const text = JSON.stringify(evidence)
      expect(text).not.toMatch(/s3cr|fresh-one|hunter2|gateway-secret|session-secret/)
      expect(text).not.toContain('%73%33%63')
      // The command still shows where the credential goes.
      expect(evidence.curl).toContain('"$PORTAL_CREDENTIAL"')
    }
  },
)

test.each([
  ['form', '', 'token=', "--data-raw 'f=pjson&token='"],
  ['form', 'P ', 'token=P+', "--data-raw 'f=pjson&token=P+'"],
  ['query', '', '?token=', "?''token='"],
  ['header', '', '"token":""', "-H 'token;'"],
  ['header', 'P ', '"token":"P "', "-H 'token: P '"],
  ['cookie', '', '"cookie":"token="', "-H 'cookie: token='"],
] as const)(
  'an empty credential in the %s with prefix "%s" is shown as it is',
  (place, prefix, shown, word) => {
    const configuration = configurationFor('http://127.0.0.1/base', {
      actors,
      authentication: { in: place, name: 'token', prefix },
    })
    const of = (credential: string) => {
      const fields = [['f', 'pjson']] as const
      const { sent } = requestBuilder(configuration)({ portal: 'host', path: '/x', fields, credential })
      const { request, curl } = evidenceFor(answerTo(sent, '{}'), createRedactor(configuration))
      return { request: JSON.stringify(request), curl }
    }
    expect(of('').request).toContain(shown)
    expect(of('').curl).toContain(word)
    expect(of('').curl).not.toContain('PORTAL_CREDENTIAL')
    for (const real of [secret, ' ', 'x']) {
      expect(of(real).request).not.toContain(shown.endsWith('"') ? shown : `${shown}"`)
      expect(of(real).curl).toContain('"$PORTAL_CREDENTIAL"')
    }
  },
)

test('evidence of a complete exchange has request, response and curl command', () => {
  expect(
    evidenceFor(
      answerTo(plainRequest, '{"success": true}', { 'content-type': 'application/json' }),
      redactor,
    ),
  ).toEqual({
    class: 'accepted',
    request: {
      method: 'POST',
      url: 'http://127.0.0.1/x',
      headers: { 'content-type': 'application/x-www-form-urlencoded' },
      body: 'f=pjson',
    },
    response: {
      status: 200,
      headers: { 'content-type': 'application/json' },
      body: '{"success": true}',
      durationMs: 2.3,
    },
    curl: "curl -sS -i -g -X POST 'http://127.0.0.1/x' -H 'content-type: application/x-www-form-urlencoded' --data-raw 'f=pjson'",
  })
})

test('evidence has the actor and the time since the start of the run', () => {
  const request = { ...plainRequest, actor: 'hostMember' }
  const complete = evidenceFor(answerTo(request, ''), redactor, 0.25)
  expect(complete).toMatchObject({ actor: 'hostMember', atMs: 0.8 })
  const late = new TransportError('timeout', 'late', request, { sentAt: 21.5 })
  expect(evidenceFor(late, redactor, 0.25)).toMatchObject({ actor: 'hostMember', atMs: 21.3 })
  const never = new TransportError('interrupted', 'interrupted', request)
  expect(evidenceFor(never, redactor, 0.25)).not.toHaveProperty('atMs')
  expect(evidenceFor(answerTo(request, ''), redactor, 5)).toMatchObject({ atMs: 0 })
})

test('evidence of a sync has the time until which this or an earlier sync runs', () => {
  const began = 0.25
  const of = (sync: SyncLimit) => evidenceFor(answerTo({ ...plainRequest, sync }, ''), redactor, began)
  expect(of({ leastMs: 300 })).toMatchObject({ atMs: 0.8, syncUntilMs: 300.8 })
  expect(of({ leastMs: 300, busyUntil: 120.25 })).toMatchObject({ syncUntilMs: 120 })
  expect(of({ leastMs: 300, busyUntil: 0.5 })).toMatchObject({ syncUntilMs: 300.8 })
  expect(evidenceFor(answerTo(plainRequest, ''), redactor, began)).not.toHaveProperty('syncUntilMs')
})

test('JSON fields with secret names are redacted, also nested or cut off', () => {
  expect(
    shownBody('{"token" : "abc\\"d", "key": "shown", "a": {"Password": "x", "expires": 5}, "secret": 42}'),
  ).toBe('{"token" : "***", "key": "shown", "a": {"Password": "***", "expires": 5}, "secret": "***"}')
  expect(shownBody('{"token": "abc\\')).toBe('{"token": "***"')
})

test('long bodies are cut and end with their length', () => {
  const body = `${'x'.repeat(3990)}${'y'.repeat(20)}`
  expect(shownBody(body)).toBe(`${'x'.repeat(3990)}${'y'.repeat(10)}… (cut: 4010 bytes in all)`)
  expect(shownBody('z'.repeat(1_000_000))).toBe(`${'z'.repeat(4000)}… (cut: 1000000 bytes in all)`)
})

test('a cut leaves no part of a secret', () => {
  for (let shift = 0; shift < secret.length; shift++) {
    // After redaction, 64 KiB of secrets are far shorter than the limit.
    const body = `${' '.repeat(shift)}${secret.repeat(10_000)}`
    expect(shownBody(body)).not.toContain(secret.slice(0, 4))
  }
})

test('bodies that are not UTF-8 are marked as such', () => {
  expect(shownBody(Buffer.from([0xff, 0x61]))).toBe(
    '(not valid UTF-8: 2 bytes, shown with replacement characters) \ufffda',
  )
  expect(shownBody(Buffer.from(`"${secret}"`, 'utf16le'))).toBe(`(binary: ${2 * secret.length + 4} bytes)`)
})

test('control characters are escaped, except line feed and tab', () => {
  expect(shownBody('a\u001b[31m\r\n\t\u0085b')).toBe('a\\u001b[31m\\u000d\n\t\\u0085b')
})

/** The arguments of the curl command. A shell function replaces curl and prints them. */
const argumentsOf = (command: string, env: NodeJS.ProcessEnv) =>
  execFileSync('sh', ['-c', `curl() { printf '%s\\0' "$@"; }; ${command}`], { env, encoding: 'utf8' }).split(
    '\0',
  )

test('the curl command repeats the form byte for byte, in every field order', () => {
  const build = requestBuilder(configurationFor('http://127.0.0.1', { actors }))
  const fields = [
    ['name', 'it\'s $HOME `x` \\ "q" \n!'],
    ['f', 'pjson'],
  ] as const
  for (const order of ['given', 'reversed', 'rotated'] as const) {
    const { sent } = build({ portal: 'host', path: "/it's", fields, credential: secret, style: { order } })
    const { curl } = evidenceFor(answerTo(sent, ''), redactor)
    const words = argumentsOf(curl, { PORTAL_CREDENTIAL: secret })
    const data = words.flatMap((word, index) => {
      if (word === '--data-raw') return [words[index + 1]!]
      if (word !== '--data-urlencode') return []
      const [name, ...value] = words[index + 1]!.split('=')
      return [new URLSearchParams([[name!, value.join('=')]]).toString()]
    })
    expect(words).toContain("http://127.0.0.1/it's")
    expect(data.join('&')).toBe(sent.body)
  }
})

test('a certificate from the suite is shown; certificates of the target, keys and addresses are redacted', () => {
  const made = '-----BEGIN CERTIFICATE-----\nbWFkZSB1cA==\n-----END CERTIFICATE-----'
  const fields = { certificate: made, spKey: privateKey, note: forTarget, owner: 'anna@stadt.de' }
  const request = { ...plainRequest, body: new URLSearchParams(fields).toString() }
  const {
    request: sent,
    response,
    curl,
  } = evidenceFor(
    answerTo(request, JSON.stringify({ made, certificate: forTarget, mail: 'anna@stadt.de' }), {
      'x-key': privateKey,
    }),
    redactor,
  )
  const hiddenBlock = (label: string) => `-----BEGIN ${label}----- *** -----END ${label}-----`
  expect(sent.body.split('&')).toEqual([
    new URLSearchParams({ certificate: made }).toString(),
    `spKey=${hiddenBlock('PRIVATE KEY')}%0A`,
    `note=${hiddenBlock('CERTIFICATE')}%0A`,
    'owner=***@***',
  ])
  expect(JSON.parse(response!.body)).toEqual({
    made: hiddenBlock('CERTIFICATE'),
    certificate: `${hiddenBlock('CERTIFICATE')}\n`,
    mail: '***@***',
  })
  expect(response!.headers['x-key']).toContain(hiddenBlock('PRIVATE KEY'))
  expect(curl).toContain(`&owner='"$PORTAL_USERNAME"''`)
})

test('each e-mail address in the curl command becomes its own variable', () => {
  const request = {
    ...plainRequest,
    url: 'http://127.0.0.1/users/a%40x.de/x',
    body: 'to=b%40y.de&from=a@x.de',
  }
  const { curl } = evidenceFor(answerTo(request, ''), redactor)
  const env = { PORTAL_USERNAME: 'a%40x.de', PORTAL_USERNAME_2: 'b%40y.de', PORTAL_USERNAME_3: 'a@x.de' }
  const words = argumentsOf(curl, env)
  expect(words).toContain(request.url)
  expect(words).toContain(request.body)
})

test('each secret header in the curl command becomes a variable', () => {
  const headers = { cookie: 'session=s3cr3t-cookie', 'x-esri-authorization': 'Bearer s3cr3t-bearer' }
  const { curl } = evidenceFor(answerTo({ ...plainRequest, headers }, ''), redactor)
  expect(curl).not.toMatch(/\*\*\*|s3cr3t/)
  const env = {
    PORTAL_COOKIE: headers.cookie,
    PORTAL_X_ESRI_AUTHORIZATION: headers['x-esri-authorization'],
  }
  expect(argumentsOf(curl, env)).toEqual(
    expect.arrayContaining(Object.entries(headers).map(([name, value]) => `${name}: ${value}`)),
  )
})

const path = '/community/x'

/** The curl command for a request with these network settings. */
function commandFor(baseUrl: string, http: Record<string, unknown>): string {
  const credential = 'secret-of-the-host'
  const sections = { actors: { hostAdministrator: { credential } }, http }
  const configuration = configurationFor(baseUrl, sections)
  const { sent } = requestBuilder(configuration)({
    portal: 'host',
    path,
    fields: [['f', 'pjson']],
    credential,
  })
  return evidenceFor(answerTo(sent, ''), createRedactor(configuration)).curl
}

/** The network options in a curl command. */
const network = (command: string): string =>
  command.slice('curl -sS -i -g'.length, command.indexOf(' -X POST'))

const https = 'https://portal.example'
const http = 'http://portal.example'

test.each<[string, string, string, Record<string, unknown>]>([
  ['no option by default', '', https, {}],
  ['--insecure if no certificate is checked', ' --insecure', https, { insecure: true }],
  ['--insecure for a host that is not checked', ' --insecure', https, { insecure: ['portal.example'] }],
  ['no --insecure for plain HTTP', '', http, { insecure: true }],
])('the curl command has %s', (_, options, baseUrl, settings) => {
  expect(network(commandFor(baseUrl, settings))).toBe(options)
})

const run = promisify(execFile)
const hasCurl = await run('curl', ['--version']).then(
  () => true,
  () => false,
)

test.skipIf(!hasCurl)(
  'the curl command works with a private certificate authority and a client certificate',
  async () => {
    const plain = await serve(async (request, response) =>
      answerJson(response, { url: request.url, body: await received(request) }),
    )
    const baseUrl = await secured(plain, forTarget, {
      ca: authority,
      requestCert: true,
      rejectUnauthorized: true,
    })
    const command = commandFor(baseUrl, filesWith({ ca: authority, cert: forClient, key: privateKey }))
    const { stdout } = await run('sh', ['-c', command], {
      env: { PATH: process.env.PATH, NO_PROXY: '*', PORTAL_CREDENTIAL: 'secret-of-the-host' },
    })
    expect(JSON.parse(stdout.slice(stdout.lastIndexOf('\r\n\r\n')))).toEqual({
      url: path,
      body: 'f=pjson&token=secret-of-the-host',
    })
  },
)
