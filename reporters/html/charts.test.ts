/** What the timeline of a finding draws of each exchange: the class that the results give it. */
import { expect, test } from 'vitest'
import type { Evidence } from '../../deployment/http/exchange.ts'
import { html as pageOf } from '../rendering.fixture.ts'
import { failedCheck, resultsOf } from '../results.fixture.ts'
import { timeline } from './charts.ts'

const [exchange] = failedCheck('sync-workspace/one-at-a-time', 'two at a time').evidence as [Evidence]

/** HTTP 200 with that body, as the judge classified it. */
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
  [
    'an answer that is cut in reports as accepted',
    answered('{"workspace":"x… (cut: 9000 bytes in all)'),
    'accepted',
  ],
  [
    'an answer without a verdict as such',
    answered('{"error":{"code":504}}', { class: 'no-verdict' }),
    'no-verdict',
  ],
])('HTTP 200 with %s', (_, lane, look) => {
  expect(drawn(first, { ...lane, atMs: 100 })).toEqual(['accepted', look])
})

test('the page says refused of it, for eyes and ears', () => {
  const both = answered('{"success":true,"error":{"code":500}}', { class: 'refused', atMs: 100 })
  const check = { ...failedCheck('sync-workspace/one-at-a-time', 'two at a time'), evidence: [first, both] }
  const page = pageOf(resultsOf([check]))
  expect(page).toContain('at 100 ms addWorkspace, refused, HTTP 200 after 20 ms')
  expect(page).toContain('>addWorkspace, refused, HTTP 200 after 20 ms</text>')
})
