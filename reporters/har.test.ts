import { createRequire } from 'node:module'
import { Ajv } from 'ajv'
import ajvFormats from 'ajv-formats'
import { describe, expect, test } from 'vitest'
import type { Evidence } from '../deployment/http/exchange.ts'
import { occasions } from './occasions.fixture.ts'
import { har } from './rendering.fixture.ts'
import { checkOf, resultsOf } from './results.fixture.ts'
import type { Results } from './results.ts'

const require = createRequire(import.meta.url)
const schemas: Record<string, { $id: string }> = require('har-schema')
// Not strict, because the HAR schemas have unknown keywords, such as `min`.
const ajv = new Ajv({ strict: false, allErrors: true })
ajvFormats.default(ajv)
ajv.addMetaSchema(require('ajv/dist/refs/json-schema-draft-06.json'))
for (const schema of Object.values(schemas)) ajv.addSchema(schema)
const validate = ajv.getSchema('har.json')!

const rendered = (results: Results) => JSON.parse(har(results))

const runOf = (evidence: Evidence): Results =>
  resultsOf([checkOf('add-workspace/creates', { evidence: [evidence] })])

const entryOf = (evidence: Evidence) => rendered(runOf(evidence)).log.entries[0]

const accepted = { class: 'accepted', operation: 'add-workspace' } as const

const request = {
  method: 'POST',
  url: 'https://h.example/a?f=json&x=%C3%A4',
  headers: { 'Content-Type': 'application/x-www-form-urlencoded' },
  body: 'name=a+b%26&f=pjson',
}

describe.each(Object.entries(occasions))('HAR report of a run (%s)', (_name, results) => {
  test('is valid HAR', () => {
    validate(rendered(results))
    expect(validate.errors).toBeNull()
  })

  test('has a page for each check and an entry for each exchange', () => {
    const { pages, entries } = rendered(results).log
    const checks = results.requirements.flatMap((requirement) => requirement.checks)
    expect(pages.map(({ id, _outcome }: Record<string, string>) => [id, _outcome])).toEqual(
      checks.map(({ id, outcome }) => [id, outcome]),
    )
    expect(entries.map(({ pageref, comment }: Record<string, string>) => [pageref, comment])).toEqual(
      checks.flatMap(({ id, evidence = [] }) => evidence.map(() => [id, id])),
    )
  })
})

test('a HAR entry has form parameters, query, time, actor and class of the request', () => {
  const response = {
    status: 200,
    headers: { Location: '/b', 'content-type': 'application/json' },
    body: '{"ü":1}',
    durationMs: 12.5,
  }
  const entry = entryOf({ ...accepted, request, response, curl: 'curl x', actor: 'hostMember', atMs: 1500 })
  expect(entry).toMatchObject({
    startedDateTime: '2025-06-15T12:00:01.500Z',
    time: 12.5,
    timings: { send: 0, wait: 12.5, receive: 0 },
    _actor: 'hostMember',
    _class: 'accepted',
    _operation: 'add-workspace',
    _curl: 'curl x',
    request: {
      queryString: [
        { name: 'f', value: 'json' },
        { name: 'x', value: 'ä' },
      ],
      postData: {
        mimeType: 'application/x-www-form-urlencoded',
        text: request.body,
        params: [
          { name: 'name', value: 'a b&' },
          { name: 'f', value: 'pjson' },
        ],
      },
    },
    response: { status: 200, redirectURL: '/b', content: { size: 8, mimeType: 'application/json' } },
  })
})

test('a request without an answer has status 0 and the reason as _error', () => {
  const { response, time } = entryOf({
    class: 'no-verdict',
    request,
    error: 'no answer within 10 s',
    curl: '',
  })
  expect([response.status, response._error, time]).toEqual([0, 'no answer within 10 s', 0])
})

test.each([
  ['https://h.example/a b/ü?x=[1]&y=%zz', 'https://h.example/a%20b/%C3%BC?x=%5B1%5D&y=%25zz'],
  ['http://[::1]:8080/a', 'http://[::1]:8080/a'],
  ['https://h.example/a#b#c', 'https://h.example/a#b%23c'],
  ['https://h.example/a?token=***&b=%20', 'https://h.example/a?token=***&b=%20'],
])('URL %s is escaped as %s', (url, written) => {
  expect(entryOf({ ...accepted, request: { ...request, url }, curl: '' }).request.url).toBe(written)
})
