import { expect, test } from 'vitest'
import { answerOf } from './answer.fixture.ts'
import { diagnosisOf, inOneLine, likelyBaseUrls, newTokenTrouble } from './diagnosis.ts'
import type { Answer } from './exchange.ts'

const baseUrl = 'http://gis.example.com/portal/sharing/rest'

type Given = Parameters<typeof answerOf>[0]

const at = (path: string) => ({ url: `${baseUrl}${path}?f=json` })
const answered = (given: Given): Answer => answerOf({ request: at(''), ...given })

const html = { 'content-type': 'text/html; charset=utf-8' }
const page = (title: string) => `<!doctype html>\n<html><head><title>${title}</title></head></html>`
const json = (value: object) => JSON.stringify(value)

test.each<[string, Given, string]>([
  [
    'web-tier authentication',
    { status: 401, headers: { 'www-authenticate': 'Negotiate, NTLM' } },
    'HTTP 401 with WWW-Authenticate: Negotiate, NTLM (web-tier authentication); the suite cannot sign in there: use an address of the portal without web-tier authentication, often port 7443 of its machine',
  ],
  [
    'http instead of https',
    { status: 302, headers: { location: 'https://gis.example.com/portal/sharing/rest?f=json' } },
    'HTTP 302 with Location https://gis.example.com/portal/sharing/rest; use https: set the base URL to https://gis.example.com/portal/sharing/rest',
  ],
  [
    'another host',
    { status: 307, headers: { location: 'http://maps.example.com/gis/sharing/rest/?token=secret' } },
    'HTTP 307 with Location http://maps.example.com/gis/sharing/rest/; it is at another host: if that is the deployment to judge, set the base URL to http://maps.example.com/gis/sharing/rest',
  ],
  [
    'another path',
    { status: 302, headers: { location: '/gis/sharing/rest' } },
    'HTTP 302 with Location http://gis.example.com/gis/sharing/rest; set the base URL to http://gis.example.com/gis/sharing/rest',
  ],
  [
    'a redirect to a sign-in page',
    { status: 302, headers: { location: 'https://login.example.com/oauth2/authorize?client=x' } },
    'HTTP 302 with Location https://login.example.com/oauth2/authorize; a sign-in page is in front: use an address of the portal that answers without it',
  ],
  [
    'a redirect to a sign-in page of ADFS',
    { status: 302, headers: { location: 'https://login.example.com/adfs/ls?wa=x' } },
    'HTTP 302 with Location https://login.example.com/adfs/ls; a sign-in page is in front: use an address of the portal that answers without it',
  ],
  [
    'Basic authentication in front',
    { status: 401, headers: { ...html, 'www-authenticate': 'Basic realm="x"' }, body: page('401') },
    'HTTP 401 with the HTML page "401"; the server in front wants a user name and password: send them with http.headers.Authorization (Basic …), or use another address',
  ],
  [
    'an encoding that was not asked for',
    { headers: { 'content-encoding': 'deflate' }, body: 'x\u009c' },
    'HTTP 200 with Content-Encoding: deflate; the suite accepts only gzip and br: have the server in front use one of them, or none',
  ],
  [
    'a firewall',
    { status: 403, headers: html, body: page(' Access\n denied ') },
    'HTTP 403 with the HTML page "Access denied"; a firewall or a proxy refuses the request: have it let the suite through, or use another address',
  ],
  [
    'a login page',
    { headers: html, body: page('Please sign in') },
    'HTTP 200 with the HTML page "Please sign in"; a login page is in front: use an address of the portal that answers without it',
  ],
  [
    'HTTP 404',
    { status: 404, headers: html, body: page('Not Found') },
    'HTTP 404; no portal answers here: the base URL usually ends in /sharing/rest, below the name of the web adaptor',
  ],
  [
    'other JSON',
    { body: '[1]' },
    'HTTP 200 without a JSON object; no portal answers here: the base URL usually ends in /sharing/rest, below the name of the web adaptor',
  ],
])('diagnosisOf recognizes %s', (_, given, line) => {
  const found = diagnosisOf(answered(given), baseUrl)
  expect(found && inOneLine(found)).toBe(`answered ${line}`)
})

test.each<[string, Given]>([
  ['a release', { body: json({ currentVersion: '11.0' }) }],
  ['an error of a portal', { body: json({ error: { code: 499, message: 'Token Required' } }) }],
  ['an error of a portal with its HTTP status', { status: 403, body: json({ error: { code: 403 } }) }],
  ['malformed JSON', { body: '{"currentVersion":' }],
  ['a gateway without its server (503)', { status: 503, headers: html, body: page('Down') }],
])('diagnosisOf returns undefined for %s', (_, given) => {
  expect(diagnosisOf(answered(given), baseUrl)).toBeUndefined()
})

test('diagnosisOf does not quote titles with quotes: false', () => {
  const answer = answered({ status: 403, headers: html, body: page('No access with secret') })
  expect(diagnosisOf(answer, baseUrl, { quotes: false })?.found).toBe('HTTP 403 with an HTML page')
})

test.each([
  ['https://h', ['https://h/sharing/rest', 'https://h/portal/sharing/rest', 'https://h/arcgis/sharing/rest']],
  ['https://h/portal', ['https://h/portal/sharing/rest']],
  ['https://h/portal/sharing', ['https://h/portal/sharing/rest']],
  [
    'https://h/portal/home/index.html',
    [
      'https://h/portal/home/index.html/sharing/rest',
      'https://h/portal/home/sharing/rest',
      'https://h/portal/sharing/rest',
    ],
  ],
  ['https://h/Portal/Sharing/REST', ['https://h/Portal/sharing/rest', 'https://h/portal/sharing/rest']],
  ['https://h/portal/sharing/rest', []],
])('likelyBaseUrls of %s: %j', (given, likely) => {
  expect(likelyBaseUrls(given)).toEqual(likely)
})

test('newTokenTrouble blames a dropped Referer header only for code 498 with a Referer', () => {
  const invalid = answered({ body: json({ error: { code: 498 } }) })
  expect(newTokenTrouble(invalid, 'https://h')).toMatch(/error code 498 .* drops the Referer header/)
  expect(newTokenTrouble(invalid, undefined)).toMatch(/does not accept the token/)
  expect(newTokenTrouble(answered({ body: json({ error: { code: 499 } }) }), 'https://h')).toMatch(
    /does not accept the token/,
  )
  expect(newTokenTrouble(answered({ body: json({ username: 'x' }) }), 'https://h')).toBeUndefined()
})
