import { expect, test } from 'vitest'
import { hostile } from '../../reporters/hostile.fixture.ts'
import { occasions } from '../../reporters/occasions.fixture.ts'
import { checkOf, failedCheck, refusedCheck, resultsOf } from '../../reporters/results.fixture.ts'
import type { Results } from '../../reporters/results.ts'
import { requirements } from '../../specs/requirements.ts'
import { annotations } from './github.ts'

/** Without `consequences`: findings of that kind share one cause per operation. */
const direct = requirements.filter(({ kind }) => kind !== 'consequences').map(({ id }) => id)

test('annotations has an error for a failed check, with clause, finding and repeat command', () => {
  const results = resultsOf([failedCheck('add-workspace/refuses-guest', '100% a, b: c')])
  expect(annotations(results)).toEqual([
    "::error title=failed%3A add-workspace/refuses-guest::Only the host creates workspaces: a guest's administrator is refused.%0A100%25 a, b: c (came: accepted: HTTP 200)%0AAgain: portal-conformance run --config staging.yaml --seed 42 --runs 25 --requirement add-workspace/refuses-guest",
  ])
})

test('annotations warns of inconclusive checks and advice, and omits passed, waived and not tested checks', () => {
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

test('annotations has no more of a kind than GitHub shows', () => {
  const failed = 11
  const reported = annotations(
    resultsOf([
      ...direct.slice(0, failed).map((id) => refusedCheck(id, id)),
      ...direct.slice(failed, failed * 2).map((id) => checkOf(id, { outcome: 'inconclusive', reason: 'y' })),
    ]),
  )
  for (const kind of ['error', 'warning'])
    expect(reported.filter((line) => line.startsWith(`::${kind} title=`))).toHaveLength(10)
})

test('annotations has one error per cause, and no warning for checks that the cause blocks', () => {
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

test('annotations lets no text of the target start another workflow command', () => {
  for (const line of annotations(occasions.hostile as Results)) {
    expect(line).toMatch(/^::(?:error|warning) title=[^:,\n\r]*::[^\n\r]*$/)
    expect(line).not.toMatch(/[\p{Cc}\p{Cf}\p{Cs}]/u)
  }
  expect(hostile).toContain('\n::error::owned')
})

test('annotations shortens a long message and keeps the repeat command', () => {
  const [line = ''] = annotations(resultsOf([failedCheck('add-workspace/creates', 'a'.repeat(5000))]))
  expect(line.length).toBeLessThan(1500)
  expect(line).toContain('…%0AAgain: ')
})

test('annotations has an error for a finding about a recorded client, and omits a note', () => {
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
