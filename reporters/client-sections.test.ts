/** What was found about clients stands in every report, and nothing of it is obeyed. */
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { parse as readJUnit } from 'test-results-parser'
import { expect, onTestFinished, test } from 'vitest'
import { validateXML } from 'xmllint-wasm'
import { junitReport } from './junit.ts'
import { htmlReport, markdownReport, terminalReport } from './report/report.ts'
import { checkOf, resultsOf } from './results.fixture.ts'

const junitSchema = readFileSync(new URL('junit-10.fixture.xsd', import.meta.url), 'utf8')

const evidence = {
  class: 'refused' as const,
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

/** Two findings that differ only in what was sent, and a note. */
const several = {
  ...results,
  run: {
    ...results.run,
    traffic: { ...traffic, client: [finding, finding, { ...finding, level: 'note' as const }] },
  },
}
const names = [1, 2, 3].map((at) => `client/required-parameter:update-task-run${at === 1 ? '' : `:${at}`}`)

test('JUnit has a test for each, valid by its schema, and a consumer sees the red', async () => {
  const contents = [...junitReport(several)].join('')
  const { errors } = await validateXML({ xml: [{ fileName: 'junit.xml', contents }], schema: [junitSchema] })
  expect(errors).toEqual([])
  const folder = mkdtempSync(join(tmpdir(), 'pc-client-'))
  onTestFinished(() => rmSync(folder, { recursive: true }))
  const file = join(folder, 'junit.xml')
  writeFileSync(file, contents)
  const { suites, failed } = readJUnit({ type: 'junit', files: [file] })
  const cases = suites.find(({ name }) => name.startsWith('Client'))?.cases ?? []
  expect(failed).toBe(2)
  expect(cases.map(({ name, status }) => [name, status])).toEqual([
    [names[0], 'FAIL'],
    [names[1], 'FAIL'],
    [names[2], 'PASS'],
  ])
})

test.each([
  ['html', () => [...htmlReport(results)].join('')],
  ['markdown', () => [...markdownReport(results)].join('')],
])('%s speaks of no seed, cases and requests where nothing was sent', (_, render) => {
  expect(render()).toMatch(/8 exchanges/)
  expect(render()).not.toMatch(/of each generated check|310 requests/)
})

test('a run has no such section', () => {
  for (const report of [htmlReport, markdownReport, junitReport]) {
    expect([...report(plain)].join('')).not.toMatch(/no conforming server/)
  }
})
