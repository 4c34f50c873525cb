import { expect, test } from 'vitest'
import { everything } from '../everything.fixture.ts'
import { html as pageOf } from '../rendering.fixture.ts'
import { checkOf, failedCheck, resultsOf } from '../results.fixture.ts'

test('the page has the verdict as its title, and notices only with a reason', () => {
  const page = pageOf(everything())
  expect(page).toContain('<title>Non-conformant: https://staging.example.com/rest</title>')
  for (const part of ['Cut short.', 'Filtered.', 'could not clean up', 'Who may do what'])
    expect(page).toContain(part)
  const plain = pageOf(resultsOf([checkOf('add-workspace/creates')]))
  expect(plain).not.toMatch(/class="notice|Who may do what/)
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
  expect(page).toContain('1,000 findings of 1 requirement')
  expect(page.split('<a href="#finding-1">Evidence</a>')).toHaveLength(1 + 1000)
})

test.each([
  ['{"b":1,"list":[1,{}]}', '{\n  "b": 1,\n  "list": [\n    1,\n    {}\n  ]\n}'],
  // Nothing but white space may change.
  ['{"b":1e3}', '{"b":1e3}'],
  ['{"a":1,"a":2}', '{"a":1,"a":2}'],
  ['{ "a": 1 }', '{ "a": 1 }'],
  ['{"a":1,}', '{"a":1,}'],
  ['not json', 'not json'],
])('the page shows the answer %s on lines of its own only if it is plain JSON', (body, shown) => {
  const page = pageOf(resultsOf([failedCheck('add-workspace/creates', 'x', body)]))
  const [, text] = /aria-label="Body of the answer"><code>([^<]*)<\/code>/.exec(page) ?? []
  expect(text?.replaceAll('&quot;', '"')).toBe(shown)
})

test.each([
  [
    'a form by its decoded fields, with marked fields that were not sent',
    'a=1+2%26&b=&b=%E9&c=%C3%A9',
    '<dl class="form"><div><dt>a</dt><dd><code>1 2&amp;</code></dd></div>' +
      '<div><dt><mark>b</mark></dt><dd><mark><em>empty</em></mark></dd></div>' +
      '<div><dt><mark>b</mark></dt><dd><mark><code>%E9</code></mark></dd></div>' +
      '<div><dt>c</dt><dd><code>é</code></dd></div>' +
      '<div><dt><mark>missing</mark></dt><dd><em>not sent</em></dd></div></dl>',
  ],
  ['another body as it is', '{"a":1}', '<pre><code>{&quot;a&quot;:1}</code></pre>'],
])('the page shows %s', (_, body, shown) => {
  const check = failedCheck('add-workspace/creates', 'x')
  const evidence = check.evidence!.map((each) => ({ ...each, request: { ...each.request, body } }))
  const failure = { ...check.failure!, marks: { request: ['b', 'missing'] } }
  expect(pageOf(resultsOf([{ ...check, evidence, failure }]))).toContain(shown)
})
