import { expect, test } from 'vitest'
import { hostile } from '../../reporters/hostile.fixture.ts'
import { occasions } from '../../reporters/occasions.fixture.ts'
import { checkOf, failedCheck, refusedCheck, resultsOf } from '../../reporters/results.fixture.ts'
import type { Results } from '../../reporters/results.ts'
import { requirements } from '../../specs/requirements.ts'
import { annotations } from './github.ts'

/** Consequences of an operation are one cause. */
const direct = requirements.filter(({ kind }) => kind !== 'consequences').map(({ id }) => id)

test('an error for what failed: what the contract says, what was found, how to see it again', () => {
  const results = resultsOf([failedCheck('add-workspace/refuses-guest', '100% a, b: c')])
  expect(annotations(results)).toEqual([
    "::error title=failed%3A add-workspace/refuses-guest::Only the host creates workspaces: a guest's administrator is refused.%0A100%25 a, b: c (came: accepted: HTTP 200)%0AAgain: portal-conformance run --config staging.yaml --seed 42 --runs 25 --requirement add-workspace/refuses-guest",
  ])
})

test('warnings for what could not be decided and for advice; nothing for what was not tested, waived or passed', () => {
  const kinds = (name: string) => annotations(occasions[name] as Results).map((line) => line.split('::')[1])
  expect(kinds('conformant')).toEqual([])
  expect(kinds('waived')).toEqual([])
  expect(kinds('failing')).toEqual([
    'error title=failed%3A add-workspace/refuses-guest',
    'error title=failed%3A add-workspace/name-limit-accepts',
    'warning title=warned%3A update-federation/bad-input',
  ])
  expect(kinds('incomplete')).toEqual(['warning title=inconclusive%3A add-workspace/id-is-new'])
  expect(kinds('interrupted')[0]).toBe('error title=the run itself')
})

test.each([
  [10, 10, undefined],
  [11, 10, '2 more'],
  [40, 10, '31 more'],
])('of %i causes %i lines are reported, the last: %s', (failed, lines, last) => {
  const reported = annotations(
    resultsOf([
      ...direct.slice(0, failed).map((id) => refusedCheck(id, id)),
      ...direct.slice(failed, failed * 2).map((id) => checkOf(id, { outcome: 'inconclusive', reason: 'y' })),
    ]),
  )
  for (const kind of ['error', 'warning']) {
    const ofKind = reported.filter((line) => line.startsWith(`::${kind} title=`))
    expect(ofKind).toHaveLength(lines)
    if (last !== undefined)
      expect(ofKind.at(-1)).toMatch(new RegExp(`^::${kind} title=${last}::${last} ${kind}s`))
    else expect(ofKind.at(-1)).not.toMatch(/ title=\d+ more::/)
  }
})

test('findings of one cause are one error, and what they block is no warning', () => {
  const open = refusedCheck('add-workspace/name-kept', 'HTTP 500')
  const { failure: _, ...blocked } = open
  const results = resultsOf([
    refusedCheck('add-workspace/creates', 'HTTP 500'),
    refusedCheck('add-workspace/name-limit-accepts', 'HTTP 500'),
    { ...blocked, outcome: 'inconclusive', reason: 'the control was refused' },
  ])
  expect(annotations(results)).toEqual([
    expect.stringMatching(/^::error title=failed%3A add-workspace.*2 findings of 2 requirements show this\./),
  ])
})

test('what a target sends stays within its message', () => {
  for (const line of annotations(occasions.hostile as Results)) {
    expect(line).toMatch(/^::(?:error|warning) title=[^:,\n\r]*::[^\n\r]*$/)
    expect(line).not.toMatch(/[\p{Cc}\p{Cf}\p{Cs}]/u)
  }
  expect(hostile).toContain('\n::error::owned')
})

test('a long message is cut', () => {
  const [line = ''] = annotations(resultsOf([failedCheck('add-workspace/creates', 'a'.repeat(5000))]))
  expect(line.length).toBeLessThan(1500)
  expect(line).toContain('…%0AAgain: ')
})

test('an error for what a recorded client did wrong; nothing for a note', () => {
  const plain = resultsOf([])
  const evidence = {
    class: 'refused' as const,
    request: { method: 'PUT', url: 'https://a.example', headers: {}, body: '' },
    curl: 'curl',
  }
  const sent = {
    operation: 'sync-workspace',
    expected: 'POST',
    actual: 'PUT',
    count: 1,
    places: [],
    evidence,
  } as const
  const client = [
    { ...sent, id: 'client/method', level: 'finding', message: 'not asked for by POST' },
    { ...sent, id: 'client/query', level: 'note', message: 'in the query' },
  ] as const
  const counted = { recordings: 1, entries: 2, exchanges: 2, operations: {}, baseUrls: [], leftOut: [] }
  const results = { ...plain, run: { ...plain.run, traffic: { ...counted, client } } }
  expect(annotations(results)).toEqual([
    '::error title=client/method%3Async-workspace::not asked for by POST',
  ])
})
