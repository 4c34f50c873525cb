/** The timeline of a finding draws each exchange with its class in the results. */
import { expect, test } from 'vitest'
import type { Evidence } from '../../deployment/http/exchange.ts'
import { html as pageOf } from '../rendering.fixture.ts'
import { failedCheck, resultsOf } from '../results.fixture.ts'
import { timeline } from './charts.ts'

const [exchange] = failedCheck('sync-workspace/one-at-a-time', 'two at a time').evidence as [Evidence]

/** An answer of HTTP 200 with this body, classified as accepted. */
const answered = (body: string, others: Partial<Evidence> = {}): Evidence => ({
  ...exchange,
  response: { ...exchange.response!, body, durationMs: 20 },
  ...others,
})

const drawn = (...evidence: Evidence[]): (string | undefined)[] =>
  [...String(timeline(evidence)).matchAll(/<rect class="(\w[\w-]*)"/g)].map(([, look]) => look)

const first = answered('{"success":true}', { atMs: 0 })

test.each<[string, Evidence, string]>([
  [
    '{"success":true,"error":{"code":500}} as refused',
    answered('{"success":true,"error":{"code":500}}', { class: 'refused' }),
    'refused',
  ],
  ['{"\\u0073uccess":true} as accepted', answered('{"\\u0073uccess":true}'), 'accepted'],
  ['a shortened body as accepted', answered('{"workspace":"x… (cut: 9000 bytes in all)'), 'accepted'],
  [
    'a body without a verdict as no-verdict',
    answered('{"error":{"code":504}}', { class: 'no-verdict' }),
    'no-verdict',
  ],
])('timeline draws HTTP 200 with %s', (_, lane, look) => {
  expect(drawn(first, { ...lane, atMs: 100 })).toEqual(['accepted', look])
})

test('the page labels a refused HTTP 200 as refused, also for screen readers', () => {
  const both = answered('{"success":true,"error":{"code":500}}', { class: 'refused', atMs: 100 })
  const check = { ...failedCheck('sync-workspace/one-at-a-time', 'two at a time'), evidence: [first, both] }
  const page = pageOf(resultsOf([check]))
  expect(page).toContain('at 100 ms addWorkspace, refused, HTTP 200 after 20 ms')
  expect(page).toContain('>addWorkspace, refused, HTTP 200 after 20 ms</text>')
})
