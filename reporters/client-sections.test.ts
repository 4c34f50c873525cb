/** What was found about clients stands in every report for people, and nothing of it is obeyed. */
import { expect, test } from 'vitest'
import { htmlReport } from './html/report.ts'
import { markdownReport } from './markdown/report.ts'
import { checkOf, resultsOf } from './results.fixture.ts'
import { terminalReport } from './terminal/report.ts'

const evidence = {
  request: { method: 'POST', url: 'https://a.example/x', headers: {}, body: '' },
  curl: 'curl',
}
const finding = {
  id: 'client/required-parameter',
  level: 'finding',
  operation: 'update-task-run',
  message: 'status is required <script>',
  expected: 'status',
  actual: '\u001b[31mnothing',
  count: 7,
  places: ['a.har, entry 3'],
  evidence,
} as const
const traffic = {
  recordings: 1,
  entries: 9,
  exchanges: 8,
  operations: { 'update-task-run': 8 },
  baseUrls: [{ url: 'https://a.example/rest', exchanges: 8 }],
  leftOut: [{ reason: 'another path', count: 1 }],
  client: [finding],
}
const plain = resultsOf([checkOf('add-workspace/creates')])
const results = { ...plain, run: { ...plain.run, traffic } }

test.each([
  ['html', () => [...htmlReport(results)].join(''), 'status is required &lt;script&gt;'],
  ['markdown', () => [...markdownReport(results)].join(''), 'status is required &lt;script&gt;'],
  [
    'terminal',
    () => terminalReport(results, { width: 100, paint: (_, text) => text }),
    'status is required <script>',
  ],
])('%s', (_, render, message) => {
  const text = render()
  for (const part of [message, 'client/required-parameter', 'update-task-run']) expect(text).toContain(part)
  expect(text).not.toContain('\u001b')
})

test('a run has no such section', () => {
  for (const report of [htmlReport, markdownReport]) {
    expect([...report(plain)].join('')).not.toMatch(/no conforming server/)
  }
})
