/** Reads exchanges from HAR entries of different recorders, and reports missing parts. */
import { gzipSync } from 'node:zlib'
import { expect, test } from 'vitest'
import { addressOf, recordedExchange } from './har-entry.ts'

const url = 'https://portal.example/rest/x'
const form = 'application/x-www-form-urlencoded'

async function read(request: object, response: object = { status: 200, content: { size: 2, text: '{}' } }) {
  const entry = {
    startedDateTime: '2025-06-15T12:00:00Z',
    time: 5,
    request: { method: 'post', url, ...request },
    response,
  }
  return recordedExchange(entry, addressOf(entry)!, 'here')
}

const posted = (mimeType: string | undefined, text?: string, others: object = {}) => ({
  postData: {
    ...(mimeType === undefined ? {} : { mimeType }),
    ...(text === undefined ? {} : { text }),
    ...others,
  },
})

const part = (name: string, value: string) =>
  `--b\r\nContent-Disposition: form-data; name="${name}"\r\n\r\n${value}\r\n`

test.each<[string, object, [string, string][], object]>([
  [
    'a form',
    posted(`${form};charset=UTF-8`, 'a=1+2&b=%C3%A9'),
    [
      ['a', '1 2'],
      ['b', 'é'],
    ],
    { kind: 'form', exact: true },
  ],
  [
    'only fields without text',
    posted(form, undefined, { params: [{ name: 'a', value: 'é' }] }),
    [['a', 'é']],
    { exact: false },
  ],
  [
    'query and body together',
    { url: `${url}?a=0`, ...posted(form, 'b=1') },
    [
      ['a', '0'],
      ['b', '1'],
    ],
    { kind: 'form' },
  ],
  ['no body', { bodySize: 0 }, [], { kind: 'none' }],
  [
    'multipart',
    posted('multipart/form-data; boundary=b', `${part('a', 'é&=')}${part('b', '')}--b--\r\n`),
    [
      ['a', 'é&='],
      ['b', ''],
    ],
    { kind: 'multipart', exact: true },
  ],
  ['base64', posted(form, Buffer.from('a=1').toString('base64'), { encoding: 'base64' }), [['a', '1']], {}],
  ['a dangerous name', posted(form, '__proto__=1'), [['__proto__', '1']], {}],
])('recordedExchange reads parameters from %s', async (_, request, fields, others) => {
  const { form } = await read(request)
  expect(form).toMatchObject({ fields, ...others })
  expect(form.lacks).toBeUndefined()
})

test.each<[string, object, RegExp]>([
  ['a missing body', { bodySize: 20 }, /holds no body of the request/],
  [
    'an empty text for a long body',
    { bodySize: 20, headers: [{ name: 'Content-Length', value: '20' }], ...posted(form, '') },
    /./,
  ],
  [
    'an incomplete multipart body',
    posted('multipart/form-data; boundary=b', part('a', '1')),
    /cannot be read/,
  ],
  ['JSON', posted('application/json', '{}'), /the body is application\/json/],
  ['escapes that are not UTF-8', posted(form, 'a=%FF'), /not encoded in UTF-8/],
  ['evidence that was shortened', posted(form, 'a=1… (cut: 9000 characters in all)'), /only a part/],
])('recordedExchange reports missing parameters: %s', async (what, request, why) => {
  const { form } = await read(request)
  if (what.startsWith('an empty')) expect(form.fields).toEqual([])
  else expect(form.lacks).toMatch(why)
})

const gzip = [{ name: 'Content-Encoding', value: 'gzip' }]
const base64 = (bytes: Buffer) => ({ size: 9, encoding: 'base64', text: bytes.toString('base64') })

test.each<[string, object, boolean]>([
  ['text', { content: { text: '{"a":"é"}', size: 10 } }, false],
  ['base64', { content: base64(Buffer.from('{"a":"é"}')) }, true],
  ['base64 with gzip', { headers: gzip, content: base64(gzipSync('{"a":"é"}')) }, true],
])('recordedExchange reads the answer from %s', async (_, response, bytes) => {
  const exchange = await read({}, { status: 200, ...response })
  expect(exchange.answer?.body.toString()).toBe('{"a":"é"}')
  expect([exchange.bytes, exchange.lacks]).toEqual([bytes, undefined])
})

test.each<[string, unknown, RegExp]>([
  ['no response', null, /no complete answer/],
  ['a missing body', { status: 200, content: { size: 12 } }, /no body of the answer/],
  ['an empty body with a size', { status: 200, content: { size: 12, text: '' } }, /no body of the answer/],
  ['an incomplete body', { status: 200, content: { size: 12, text: '{"a":"' } }, /only a part/],
  [
    'evidence that was shortened',
    { status: 200, content: { size: 3, text: '{"a":1… (cut: 9000 bytes in all)' } },
    /only a part/,
  ],
  ['invalid Base64', { status: 200, content: { text: '{"a":1}', encoding: 'base64' } }, /cannot be decoded/],
  [
    'a gzip bomb',
    { status: 200, headers: gzip, content: base64(gzipSync(Buffer.alloc(20 * 1024 * 1024))) },
    /cannot be decoded/,
  ],
])('recordedExchange has no answer, with the reason: %s', async (_, response, why) => {
  const { answer, lacks } = await read({}, response as object)
  expect(answer).toBeUndefined()
  expect(lacks).toMatch(why)
})

test('recordedExchange keeps a refusal by its status without a body', async () => {
  const { answer, lacks } = await read({}, { status: 403, content: { size: 9 } })
  expect([answer?.status, lacks]).toEqual([403, 'the recording holds no body of the answer'])
})

test.each([
  null,
  7,
  {},
  { request: null },
  { request: { method: 'POST', url: 'data:,x' } },
  { request: { method: 'POST', url: 'https://' } },
  { request: { method: 7, url } },
])('addressOf returns undefined for %j', (entry) => {
  expect(addressOf(entry)).toBeUndefined()
})

test('recordedExchange merges repeated headers and skips invalid ones', async () => {
  const headers = [
    null,
    { name: 'A', value: '1' },
    { name: 'a', value: '2' },
    { name: ':path', value: '/x?token=1' },
    { name: 7 },
  ]
  const { request, startedAt, answer } = await read({ headers })
  expect(request.headers).toEqual({ a: '1, 2' })
  expect(answer).toMatchObject({ sentAt: startedAt, answeredAt: (startedAt ?? 0) + 5 })
})
