import { describe, expect, test } from 'vitest'
import { occasions } from '../occasions.fixture.ts'
import { outsideCode, markdown as rendered } from '../rendering.fixture.ts'
import { checkOf, failedCheck, refusedCheck, resultsOf } from '../results.fixture.ts'
import type { Results } from '../results.ts'
import { stepSummaryLimit } from './report.ts'

describe.each(Object.entries(occasions))('Markdown report of a run (%s)', (_name, results) => {
  const text = rendered(results)

  test('begins with its verdict', () => {
    expect(text).toMatch(new RegExp(`^# [✓✗?] portal-conformance 0\\.1\\.0: ${results.verdict}\n`))
  })

  test('names every requirement that did not pass', () => {
    for (const { id, outcome } of results.requirements.filter((each) => each.outcome !== 'passed')) {
      expect([outcome, text.includes(id)]).toEqual([outcome, true])
    }
  })

  test('has balanced details tags and no other HTML than allowed', () => {
    const plain = outsideCode(text)
    expect(plain.match(/<details>/g)?.length).toBe(plain.match(/<\/details>/g)?.length)
    expect(
      [...plain.matchAll(/<\/?([a-z]+)/g)].every(([, tag]) => /^(details|summary|br)$/.test(tag ?? '')),
    ).toBe(true)
  })
})

test('failures come first, with requirement, folded evidence and the command to repeat', () => {
  const text = rendered(occasions.failing as Results)
  const sections = [...text.matchAll(/^## (.*)$/gm)].map(([, title]) => title)
  expect(sections.slice(1)).toEqual(['Failures', 'Advice that is not kept', 'Not applicable (1 requirement)'])
  expect(text).toContain(
    "> The contract (§4.1, must): Only the host creates workspaces: a guest's administrator is refused.",
  )
  expect(text).toMatch(/<details><summary>Request and answer<\/summary>\n\n```text\nPOST https:/)
  expect(text).toMatch(/Again:\n\n```sh\nportal-conformance run --config staging\.yaml --seed 42/)
})

test('the report says at the top if the run was cut short, and a waiver shows its owner', () => {
  expect(rendered(occasions.interrupted as Results).split('\n## ')[0]).toContain(
    '**Cut short.** The run ended early',
  )
  expect(rendered(occasions.waived as Results)).toContain(
    '**Waived:** until 2999-12-31 by portal team: mended in the next release (https<code>://</code>tracker.example.com/1)',
  )
})

test.each([1, 2, 3, 7])('a code fence is longer than %i backticks in the answer', (length) => {
  const body = `a\n${'`'.repeat(length)}\n# not a heading\n`
  const text = rendered(resultsOf([failedCheck('add-workspace/creates', 'x', body)]))
  const fence = '`'.repeat(Math.max(3, length + 1))
  expect(text).toContain(`\n${fence}text\nHTTP 200 after 12 ms, application/json\n\n${body}\n${fence}\n`)
})

describe('Markdown report with a size limit', () => {
  const many = resultsOf([
    ...Array.from({ length: 3000 }, (_, index) =>
      refusedCheck(`add-workspace/name-limit-accepts:${index}`, `answer ${index}`, '€'.repeat(1000)),
    ),
    checkOf('delete-collaboration/deletes', { outcome: 'not-tested', reason: 'no fixture' }),
  ])

  test.each([stepSummaryLimit, 100_000, 20_000])(
    'stays within %i bytes and counts the failed checks that are left out',
    (most) => {
      const text = rendered(many, most)
      const bytes = Buffer.byteLength(text)
      expect(bytes).toBeLessThanOrEqual(most)
      expect(bytes).toBeGreaterThan(most * 0.75 - 6000)
      const shown = text.match(/^### /gm)?.length ?? 0
      expect(shown).toBeGreaterThan(0)
      expect(text).toContain(
        `Left out, since this summary may have at most ${most} bytes: ${3000 - shown} failed checks. `,
      )
      expect(text).toContain('- – not tested: no fixture\n  - `delete-collaboration/deletes`')
    },
  )

  test('leaves out a finding above the limit and keeps the others', () => {
    const repeat = 'x'.repeat(stepSummaryLimit)
    const huge = failedCheck('add-workspace/creates', 'huge')
    const results = resultsOf([
      { ...huge, failure: { ...huge.failure!, repeat } },
      failedCheck('add-workspace/refuses-guest', 'small'),
    ])
    const text = rendered(results)
    expect(text).toContain('### ✗ failed `add-workspace/refuses-guest`')
    expect(text).toContain('bytes: 1 failed checks. ')
  })

  test('mentions nothing left out if everything fits', () => {
    expect(rendered(occasions.failing as Results)).not.toContain('Left out')
  })
})
