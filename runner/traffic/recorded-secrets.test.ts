/** Secrets of recorded people are found wherever they travel, and hidden wherever they show up. */
import { expect, test } from 'vitest'
import { RecordedSecrets } from './recordings.ts'

const secret = 'Zq8-s3cr3t+v4lue/x='
const encoded = encodeURIComponent(secret)
const multipart = `--b\r\nContent-Disposition: form-data; name="token"\r\n\r\n${secret}\r\n--b--\r\n`

test.each<[string, object]>([
  ['form', { request: { postData: { text: `f=json&token=${encoded}` } } }],
  ['fields only', { request: { postData: { params: [{ name: 'password', value: secret }] } } }],
  ['multipart', { request: { postData: { text: multipart } } }],
  ['query', { request: { url: `https://a.example/x?token=${encoded}` } }],
  ['fragment', { request: { url: `https://a.example/x#access_token=${encoded}` } }],
  ['bearer', { request: { headers: [{ name: 'Authorization', value: `Bearer ${secret}` }] } }],
  [
    'the header of Esri',
    { request: { headers: [{ name: 'X-Esri-Authorization', value: `Bearer ${secret}` }] } },
  ],
  ['cookie', { request: { headers: [{ name: 'cookie', value: `a=b; session=${secret}` }] } }],
  ['set-cookie', { response: { headers: [{ name: 'Set-Cookie', value: `session=${secret}; Path=/` }] } }],
  ['list of cookies', { request: { cookies: [{ name: 'session', value: secret }] } }],
  ['referer', { request: { headers: [{ name: 'Referer', value: `https://a.example/?token=${encoded}` }] } }],
  ['answer', { response: { content: { text: JSON.stringify({ token: secret, expires: 1 }) } } }],
  [
    'answer in Base64',
    {
      response: {
        content: { encoding: 'base64', text: Buffer.from(`{"token":"${secret}"}`).toString('base64') },
      },
    },
  ],
])('%s', (_, entry) => {
  const secrets = new RecordedSecrets()
  secrets.add(entry)
  const { text, madeUp } = secrets.redactor(() => '')
  for (const shown of [`say ${secret} so`, `x=${encoded}`, JSON.stringify({ echoed: secret })]) {
    expect(text(shown)).not.toMatch(/s3cr3t/)
    expect(madeUp(shown)).not.toMatch(/s3cr3t/)
  }
})

test('ordinary text stays, also where a field of a secret name holds a short one', () => {
  const secrets = new RecordedSecrets()
  secrets.add({
    request: { postData: { text: 'token=a&name=Roads' }, cookies: [{ name: 'lang', value: 'en' }] },
  })
  expect(secrets.redactor(() => '').text('an ordinary sentence about Roads')).toBe(
    'an ordinary sentence about Roads',
  )
})

test('of very many secrets those in the shown text are hidden', () => {
  const secrets = new RecordedSecrets()
  const all = Array.from({ length: 2000 }, (_, at) => `${'k'.repeat(80)}${at}-secret`)
  for (const value of all) secrets.add({ request: { postData: { text: `token=${value}` } } })
  const shown = `echo ${all[1234]} end`
  expect(secrets.redactor(() => shown).text(shown)).toBe('echo *** end')
})

test.each([null, 7, { request: 7 }, { request: { headers: [null], url: 7, postData: null } }])(
  '%j does no harm',
  (entry) => {
    const secrets = new RecordedSecrets()
    secrets.add(entry)
    expect(secrets.redactor(() => '').text('text')).toBe('text')
  },
)
