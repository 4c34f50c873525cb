/** What is wrong with a recorded request, and what is open and therefore not. */
import { expect, test } from 'vitest'
import { clientIssues } from './client-issues.ts'
import { entryOf, exchangeOfEntry, type Fields, give, many, refusal, type Said } from './exchange.fixture.ts'

async function issuesOf(entry: ReturnType<typeof entryOf>): Promise<string[]> {
  return clientIssues(await exchangeOfEntry(entry)).map(({ id, level }) => `${id} ${level}`)
}

const asked = (to: Said['to'], form: Fields, others: Partial<Said> = {}): Said => ({
  to,
  form,
  answer: refusal,
  ...others,
})

const [missing, wrongValue] = [['client/required-parameter finding'], ['client/parameter-value finding']]

test.each<[string, Said, string[] | undefined]>([
  ['nothing', asked('run', { status: 'executing' }), []],
  ['a vendor parameter', asked('run', { status: 'executing', async: 'true', callback: 'x' }), []],
  ['missing parameters whose presence is open', asked('add', {}), []],
  ['an empty name', asked('add', { collaborationWorkspaceName: '' }), []],
  ['f=html', asked('sync', { f: 'html' }), []],
  ['groups in another notation', asked('federation', { groups: 'a,b' }), []],
  ['a certificate with markers', asked('federation', { certificate: '-----BEGIN CERTIFICATE-----' }), []],
  ['no status', asked('run', {}), missing],
  ['an empty status', asked('run', { status: '' }), wrongValue],
  ['no target', asked('items', { items: 'i1' }), missing],
  ['no item', asked('items', { ...give, items: '' }), wrongValue],
  ['too many items', asked('items', { ...give, items: many(101) }), ['client/over-limit note']],
  ['a long name', asked('add', { collaborationWorkspaceName: 'n'.repeat(101) }), ['client/over-limit note']],
  ['credits in words', asked('federation', { userCreditAssignment: 'all' }), wrongValue],
  ['no URL', asked('federation', { discoveryServiceUrl: 'none' }), wrongValue],
  ['a URL beyond ASCII', asked('federation', { discoveryServiceUrl: 'https://größe.example/ä' }), []],
  ['no address', asked('participant', { contactEmailAddress: 'no-one' }), ['client/email-address note']],
  ['an address beyond ASCII', asked('participant', { contactEmailAddress: 'zoë@größe.example' }), []],
  ['GET', asked('sync', {}, { method: 'GET' }), ['client/method finding']],
])('%s', async (_, said, expected) => {
  expect(await issuesOf(entryOf(said))).toEqual(expected)
})

const form = 'application/x-www-form-urlencoded'
const multipart = ['--b', 'Content-Disposition: form-data; name="status"', '', 'executing', '--b--', '']

test.each([
  ['multipart/form-data; boundary=b', multipart.join('\r\n'), '', 'client/multipart note'],
  [form, '', '?status=executing&token=x', 'client/query note'],
  ['application/json', '{"status":"executing"}', '', 'client/content-type finding'],
])('another encoding is understood, and reported: %s', async (mimeType, text, query, issue) => {
  const entry = entryOf(asked('run', {}))
  entry.request.postData = { mimeType, text }
  entry.request.url += query
  expect(await issuesOf(entry)).toEqual([issue])
})
