import { expect, test } from 'vitest'
import { failedCheck, openCheck, waivedCheck, wholeResults } from '../results.fixture.ts'
import type { Results } from '../results.ts'
import { type ClassStatus, classConformances, overallStatus } from './class-conformance.ts'

function statuses(results: Results): Record<string, ClassStatus> {
  return Object.fromEntries(classConformances(results).map((each) => [each.class.id, each.status]))
}

const all = (status: ClassStatus) => ({
  host: status,
  guest: status,
  content: status,
  tasks: status,
  federation: status,
})
const overall = (results: Results) => overallStatus(results, classConformances(results))
const reasons = (results: Results, id: string) =>
  classConformances(results).find((each) => each.class.id === id)?.reasons

test('a complete run in which everything passed is conformant in every class', () => {
  expect(statuses(wholeResults())).toEqual(all('conformant'))
  expect(overall(wholeResults())).toBe('conformant')
})

test('a failure makes only the classes of its operation non-conformant', () => {
  const own = wholeResults([failedCheck('sync-workspace/starts', 'x')])
  expect(statuses(own)).toEqual({ ...all('conformant'), guest: 'non-conformant' })
  expect(reasons(own, 'guest')).toEqual(['failed: sync-workspace/starts'])
  const shared = wholeResults([failedCheck('protocol/form-post:reassign-items', 'x')])
  expect(statuses(shared)).toEqual({ ...all('conformant'), content: 'non-conformant' })
  const lifecycle = wholeResults([failedCheck('lifecycle/consistent', 'x')])
  expect(statuses(lifecycle)).toEqual(all('not shown'))
  expect(reasons(lifecycle, 'tasks')).toEqual(['failed, possibly in another class: lifecycle/consistent'])
  expect(overall(lifecycle)).toBe('non-conformant')
  expect(overall(own)).toBe('non-conformant')
})

test.each(['inconclusive', 'not-tested'] as const)(
  'the class of a requirement that is %s is not shown',
  (outcome) => {
    const results = wholeResults([openCheck('update-task-run/updates', outcome)])
    expect(statuses(results)).toEqual({ ...all('conformant'), tasks: 'not shown' })
    expect(overall(results)).toBe('not shown')
  },
)

test('advice does not count for a class', () => {
  expect(statuses(wholeResults([openCheck('update-participant/bad-email', 'warned')]))).toEqual(
    all('conformant'),
  )
})

const { run } = wholeResults()
const { complete: _, ...cutShort } = wholeResults()

test.each<[string, Results, string]>([
  ['cut short', cutShort, 'the run was cut short'],
  ['broken', wholeResults([], { errors: ['x'] }), 'the run broke'],
  [
    'filtered',
    wholeResults([], { run: { ...run, selection: { operations: [], requirements: ['*/*'] } } }),
    'the run was limited to a selection of checks',
  ],
  [
    'waived',
    wholeResults([waivedCheck('protocol/form-post:add-workspace')]),
    'the run waived failures: protocol/form-post',
  ],
])('no class is shown by a run that was %s', (_name, results, reason) => {
  expect(statuses(results)).toEqual(all('not shown'))
  expect(reasons(results, 'tasks')).toEqual([reason])
  expect(overall(results)).toBe('not shown')
})

test('a failure in a filtered run makes its class non-conformant', () => {
  const results = wholeResults([failedCheck('update-task-run/updates', 'x')], {
    run: { ...run, selection: { operations: [], requirements: ['update-task-run/*'] } },
  })
  expect(statuses(results)).toEqual({ ...all('not shown'), tasks: 'non-conformant' })
})

test('a class is not applicable if the release lacks its operations', () => {
  const results = wholeResults()
  const without = results.requirements.map((each) =>
    each.operation === 'update-task-run'
      ? { ...each, checks: each.checks.map((check) => ({ ...check, outcome: 'not-applicable' as const })) }
      : each,
  )
  expect(statuses({ ...results, requirements: without })).toEqual({
    ...all('conformant'),
    tasks: 'not applicable',
  })
})

test('a class names requirements that are missing in the results', () => {
  const results = wholeResults()
  const requirements = results.requirements.filter(({ id }) => id !== 'update-federation/updates')
  expect(reasons({ ...results, requirements }, 'federation')).toEqual([
    'not in these results: update-federation/updates',
  ])
})
