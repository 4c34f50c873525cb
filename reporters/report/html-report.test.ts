import { createHash } from 'node:crypto'
import { expect, test } from 'vitest'
import { everything } from '../everything.fixture.ts'
import { html as pageOf } from '../rendering.fixture.ts'
import { checkOf, failedCheck, resultsOf } from '../results.fixture.ts'
import { htmlReport } from './report.ts'

test('the security policy allows only the script and style of the page, by digest', () => {
  const page = pageOf(everything())
  const digest = (text: string): string => `'sha256-${createHash('sha256').update(text).digest('base64')}'`
  const inside = (name: string): string[] =>
    page.split(new RegExp(`</?${name}>`)).filter((_, at) => at % 2 === 1)
  const [style, script] = [inside('style'), inside('script')]
  expect([style.length, script.length]).toEqual([1, 1])
  const policy = `default-src 'none'; script-src ${digest(script[0] as string)}; style-src ${digest(style[0] as string)}; form-action 'none'; base-uri 'none'`
  expect(page).toContain(`content="${policy.replaceAll("'", '&#39;')}"`)
  expect(page).not.toMatch(/<[a-z][^>]* (style|on[a-z]+|src)=/)
})

test('the page has title, facts of the run and notices, and no notices without a reason', () => {
  const page = pageOf(everything())
  expect(page).toContain('<title>Non-conformant: https://staging.example.com/rest</title>')
  for (const fact of [
    '11.0',
    'self-hosted',
    'pc-0a1b2c3d',
    '2025-06-15T12:00:00.000Z',
    '310 requests in 5.1 s',
  ]) {
    expect(page).toContain(fact)
  }
  for (const banner of [
    'Cut short.',
    'Filtered.',
    'Waived: failed, but does not count',
    'could not clean up',
  ]) {
    expect(page).toContain(banner)
  }
  const plain = pageOf(resultsOf([checkOf('add-workspace/creates')]))
  expect(plain).not.toMatch(/class="notice/)
  expect(plain).not.toContain('Who may do what')
})

test('results without requirements make a valid page', () => {
  const page = pageOf(resultsOf([]))
  expect(page).toContain('Nothing passed, so nothing is proved.')
  expect(page).not.toContain('NaN')
})

test('the offending fields are marked in request and answer', () => {
  const page = pageOf(everything())
  const marks = [...page.matchAll(/<mark>(.*?)<\/mark>/g)].map(([, text]) => text)
  const name = 'x'.repeat(101)
  expect(marks).toEqual(['collaborationWorkspaceName', `<code>${name}</code>`, 'workspace.name'])
  expect(page).toContain('<small>101 characters</small>')
})

test('a thousand findings of one cause make one card with 21 exchanges', () => {
  const ids = Array.from({ length: 1000 }, (_, at) => `protocol/form-post:case-${at}` as const)
  const page = pageOf(
    resultsOf(ids.map((id, at) => failedCheck(id, `the form of ${10_000 + at} was not read`))),
  )
  expect(page.split('class="exchange"')).toHaveLength(1 + 21)
  expect(page.split('<article class="finding failed"')).toHaveLength(1 + 1)
  expect(page).toContain('1000 findings of 1 requirement')
  expect(page.split('<a href="#finding-1">Evidence</a>')).toHaveLength(1 + 1000)
})

test('htmlReport yields pieces below 64,000 characters, also for 5,000 checks', () => {
  const ids = Array.from({ length: 5000 }, (_, at) => `protocol/form-post:case-${at}` as const)
  const pieces = [...htmlReport(resultsOf(ids.map((id) => checkOf(id))))]
  expect(pieces.filter((piece) => piece.includes('title of protocol/form-post:case-'))).toHaveLength(5000)
  expect(Math.max(...pieces.map(({ length }) => length))).toBeLessThan(64_000)
  expect(pieces.every((piece) => typeof piece === 'string')).toBe(true)
})
