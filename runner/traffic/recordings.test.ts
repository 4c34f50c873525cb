/** HAR files: a limit on their size, errors that quote nothing, and secrets that are hidden in every output. */
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { expect, onTestFinished, test } from 'vitest'
import { HarError, RecordedSecrets, readHarEntries } from './recordings.ts'

function fileWith(text: string): string {
  const directory = mkdtempSync(join(tmpdir(), 'pc-har-'))
  onTestFinished(() => rmSync(directory, { recursive: true }))
  const file = join(directory, 'a.har')
  writeFileSync(file, text)
  return file
}

test.each([
  ['1.2', '{"log":{"version":"1.2","entries":[1]}}'],
  ['1.1 with a byte order mark', '\uFEFF{"log":{"version":"1.1","entries":[1]}}'],
  ['without a version', '{"log":{"entries":[1]}}'],
  ['with keys twice: the last counts', '{"log":7,"log":{"entries":[0],"entries":[1]}}'],
])('reads HAR %s', async (_, text) => {
  expect(await readHarEntries(fileWith(text))).toEqual([1])
})

test('refuses a file above the size limit', async () => {
  const file = fileWith(`{"log":{"entries":[${' '.repeat(3 * 1024 * 1024)}]}}`)
  const refused = readHarEntries(file, 2 * 1024 * 1024)
  await expect(refused).rejects.toThrow(/a\.har: is larger than 2 MB; record less at a time/)
  await expect(refused).rejects.toBeInstanceOf(HarError)
  expect(await readHarEntries(file, 4 * 1024 * 1024)).toEqual([])
})

test.each([
  [
    'not JSON, without quoting its text',
    '{"token": s3cr3t-t0ken}',
    /a\.har: is not JSON \(a syntax error.*\); save the recording again/,
  ],
  [
    'cut off',
    '{"log":{"version":"1.2","entries":[{"request":',
    /is not JSON \(it ends too early\); save the recording again/,
  ],
])('reports a recording that is %s', async (_, text, message) => {
  const error = await readHarEntries(fileWith(text)).catch((thrown: Error) => thrown)
  expect((error as Error).message).toMatch(message)
  expect((error as Error).message).not.toMatch(/s3cr/)
})

test('reports a folder instead of a file', async () => {
  await expect(readHarEntries(tmpdir())).rejects.toThrow(/cannot be read: /)
})

const secret = 'Zq8-s3cr3t+v4lue/x='
const encoded = encodeURIComponent(secret)
const bearer = `Bearer ${secret}`
const inBase64 = Buffer.from(`{"token":"${secret}"}`).toString('base64')
const multipart = `--b\r\nContent-Disposition: form-data; name="token"\r\n\r\n${secret}\r\n--b--\r\n`

test.each<[string, object]>([
  ['form', { request: { postData: { text: `f=json&token=${encoded}` } } }],
  ['fields only', { request: { postData: { params: [{ name: 'password', value: secret }] } } }],
  ['multipart', { request: { postData: { text: multipart } } }],
  ['query', { request: { url: `https://a.example/x?token=${encoded}` } }],
  ['fragment', { request: { url: `https://a.example/x#access_token=${encoded}` } }],
  ['bearer', { request: { headers: [{ name: 'Authorization', value: bearer }] } }],
  ['X-Esri-Authorization', { request: { headers: [{ name: 'X-Esri-Authorization', value: bearer }] } }],
  ['cookie', { request: { headers: [{ name: 'cookie', value: `a=b; session=${secret}` }] } }],
  ['set-cookie', { response: { headers: [{ name: 'Set-Cookie', value: `session=${secret}; Path=/` }] } }],
  ['list of cookies', { request: { cookies: [{ name: 'session', value: secret }] } }],
  ['referer', { request: { headers: [{ name: 'Referer', value: `https://a.example/?token=${encoded}` }] } }],
  ['answer', { response: { content: { text: JSON.stringify({ token: secret, expires: 1 }) } } }],
  ['answer in Base64', { response: { content: { encoding: 'base64', text: inBase64 } } }],
])('hides the secret of an entry with: %s', (_, entry) => {
  const secrets = new RecordedSecrets()
  secrets.add(entry)
  const { text, madeUp } = secrets.redactor()
  for (const shown of [`say ${secret} so`, `x=${encoded}`, JSON.stringify({ echoed: secret })]) {
    expect(text(shown)).not.toMatch(/s3cr3t/)
    expect(madeUp(shown)).not.toMatch(/s3cr3t/)
  }
})

test('keeps ordinary text, even if a secret field has a short value', () => {
  const secrets = new RecordedSecrets()
  secrets.add({
    request: { postData: { text: 'token=a&name=Roads' }, cookies: [{ name: 'lang', value: 'en' }] },
  })
  expect(secrets.redactor().text('an ordinary sentence about Roads')).toBe('an ordinary sentence about Roads')
})

test('hides one of 2,000 secrets in a shown text', () => {
  const secrets = new RecordedSecrets()
  const all = Array.from({ length: 2000 }, (_, at) => `${'k'.repeat(80)}${at}-secret`)
  for (const value of all) secrets.add({ request: { postData: { text: `token=${value}` } } })
  const shown = `echo ${all[1234]} end`
  expect(secrets.redactor().text(shown)).toBe('echo *** end')
})

test.each([null, 7, { request: 7 }, { request: { headers: [null], url: 7, postData: null } }])(
  'ignores the malformed entry %j',
  (entry) => {
    const secrets = new RecordedSecrets()
    secrets.add(entry)
    expect(secrets.redactor().text('text')).toBe('text')
  },
)
