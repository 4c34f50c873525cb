import { expect, it } from 'vitest'
import type { CheckResult } from '../../runner/check-result.ts'
import { checkOf, exchangesOf, failedCheck, observationOf, openCheck, resultsOf } from '../results.fixture.ts'
import { plain } from '../terminal/sheet.ts'
import { historyHtml, historyMarkdown, historyOf, historyOnTerminal } from './history.ts'

const day = (at: number, checks: readonly CheckResult[], baseUrl: string, observed: string) => {
  const results = resultsOf(checks, {
    target: { baseUrl, profile: 'none' },
    observations: [observationOf(observed)],
  })
  const startedAt = `2026-11-0${at}T03:00:00Z`
  return { file: `${at}/results.json`, results: { ...results, run: { ...results.run, startedAt } } }
}

const good = [checkOf('add-workspace/creates'), checkOf('add-workspace/name-kept')]
const bad = [checkOf('add-workspace/creates'), failedCheck('add-workspace/name-kept', 'changed')]

// Out of order, because historyOf sorts by time.
const histories = historyOf([
  day(3, good, 'https://a.example/rest', 'removed'),
  day(1, good, 'https://a.example/rest', 'kept'),
  day(2, bad, 'https://a.example/rest', 'kept'),
])

it('historyOf lists broken and fixed requirements and changed open points by target and time', () => {
  const [a] = histories
  expect(a?.runs.map(({ results }) => results.verdict)).toEqual([
    'conformant',
    'non-conformant',
    'conformant',
  ])
  expect(a?.runs.map(({ broken, fixed }) => [broken, fixed])).toEqual([
    [[], []],
    [['add-workspace/name-kept'], []],
    [[], ['add-workspace/name-kept']],
  ])
  expect(a?.runs.map(({ openPoints }) => openPoints.length)).toEqual([0, 0, 1])
})

it('the history names requirements that are no longer judged, and those that are judged again', () => {
  const open = [checkOf('add-workspace/creates'), openCheck('add-workspace/name-kept', 'not-tested', 'no')]
  const runs = [good, open, good].map((checks, at) => day(at + 1, checks, 'https://a.example/rest', 'kept'))
  const text = historyOnTerminal(historyOf(runs), { width: 120, paint: plain })
  expect(text).toMatch(/1 of 2 .*no longer judged: add-workspace\/name-kept/)
  expect(text).toMatch(/2 of 2 .*judged again: add-workspace\/name-kept/)
})

it.each([
  ['terminal', historyOnTerminal(histories, { width: 120, paint: plain })],
  ['markdown', [...historyMarkdown(histories)].join('')],
  ['html', [...historyHtml(histories)].join('')],
])('the %s history shows each run and what changed', (_, text) => {
  for (const part of [
    '2026-11-01T03:00:00Z',
    '2026-11-02',
    '2026-11-03',
    '1 of 2',
    '2 of 2',
    'add-workspace/name-kept',
  ])
    expect(text).toContain(part)
})

it('the HTML history draws pass rate and latency as lines and marks changes', () => {
  const [fast, slow] = [[5], [0, 5]]
  const runs = [fast, fast, slow].map((times, at) => {
    const { file, results } = day(at + 1, at === 1 ? bad : good, 'https://a.example/rest', 'kept')
    const exchanges = exchangesOf({ operation: 'add-workspace', times })
    return { file, results: { ...results, exchanges } }
  })
  const page = [...historyHtml(historyOf(runs))].join('')
  const [passed, latency] = page.split('<li>').slice(1)
  expect(passed).toMatch(/<polyline points="5\.0,5\.0 100\.0,18\.0 195\.0,5\.0"\/>/)
  expect(passed).toMatch(/<circle class="failed" cx="100\.0"[\s\S]*<circle class="passed" cx="195\.0"/)
  expect(latency).toContain('Add workspace')
  expect(latency).toMatch(/half within (?:<[^>]*>)?100 ms/)
  expect(latency).toMatch(/<circle class="warned" cx="195\.0"/)
  expect(latency).toContain('half of the answers took at least 2 times as long as in the run before')
})
