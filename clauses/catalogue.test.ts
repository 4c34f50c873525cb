/** What the judges have in common, and where one judge leaves a breach to another. runner/one-judge.test.ts has the cases of each. */
import { expect, test } from 'vitest'
import { operations } from '../specs/operations.ts'
import { type ContractRequirementId, judges } from './catalogue.ts'
import { judge, type Said, watch } from './exchange.fixture.ts'
import { recordedCases } from './recorded-cases.fixture.ts'
import { informedCases, runCases } from './run-cases.fixture.ts'
import { type Case, deleted, executing, give, giveOne, items, moved, run } from './said.fixture.ts'

/** What the last of the exchanges shows of that requirement. */
const shownLast = async (id: ContractRequirementId, said: readonly Said[], known?: Case['known']) =>
  (await watch(said, known)).at(-1)?.find(({ requirement }) => requirement === id)?.judgement

/** What shows nothing may well keep the clause; it breaks none. */
const nothing = [undefined, 'kept']

const momentary = [429, 502, 503, 504]
const page = '<html>Not now.</html>'

test.each([
  ...momentary.map((status) => [`with status ${status}`, { ...run(executing, page), status }] as const),
  ...momentary.map(
    (code) => [`under HTTP 200 with error code ${code}`, run(executing, { error: { code } })] as const,
  ),
])('an answer %s is none of the service', async (_, said) => {
  const { shown, unjudged } = await judge(run({}, page), said)
  expect(unjudged.size).toBe(1)
  expect(shown.filter(({ breach }) => breach?.exchange.recorded.place.endsWith('2'))).toEqual([])
})

test.each<[string, Partial<Said>]>([
  ['a run under another task', { path: { runID: 'run-5b1c9e', taskID: 't2' } }],
  ['a run that no one has', { path: { runID: 'r9' } }],
  ['another caller', { caller: 'anonymous' }],
])('what is accepted for %s says nothing of what the request lacks', async (_, others) => {
  const lacking = { ...run({}), caller: 'taskOwner' } as const
  const known: Case['known'] = (knowledge) => {
    knowledge.handedOut('taskRun', { userName: 'ann', taskId: 't1', runId: 'run-5b1c9e' })
    knowledge.madeUp('r9')
  }
  const shown = (said: Said) => shownLast('update-task-run/status-required', [said], known)
  expect(await shown(lacking)).toMatchObject({ message: 'a request without status was accepted' })
  expect(await shown({ ...lacking, ...others })).toBeUndefined()
})

test.each(['contentAdministrator', 'customAdministrator', 'itemOwner'] as const)(
  'too much is too much from %s',
  async (caller) => {
    const ids = Array.from({ length: 101 }, (_, at) => `i${at}`).join(',')
    const said = { ...items({ ...give, items: ids }), caller }
    expect(await shownLast('reassign-items/items-limit-rejects', [said])).toMatchObject({
      message: 'more than 100 items were accepted',
    })
    const lacking = { ...items({ items: 'i1' }), caller }
    expect(await shownLast('reassign-items/target-required', [lacking])).toMatchObject({
      message: 'a request without targetUsername was accepted',
    })
  },
)

test('an id in another spelling is another id where others come back as they were sent', async () => {
  const sent = (taskID: string, taskId: string): Said => ({
    ...run(executing, { success: true, taskId, runId: 'r1' }),
    path: { taskID, runID: 'r1' },
  })
  const shown = (...said: Said[]) => shownLast('update-task-run/identifiers', said)
  expect(await shown(sent('a1', 'A1'), sent('b2', 'B2'))).toBeOneOf(nothing)
  expect(await shown(sent('A1', 'A1'), sent('b2', 'B2'))).toBeOneOf(nothing)
  expect(await shown(sent('a1', 'a1'), sent('b2', 'B2'))).toMatchObject({ actual: 'taskId: "B2"' })
})

test.each(['anonymous', 'impostor'] as const)(
  'that %s may delete what is gone breaks another clause',
  async (caller) => {
    const shown = await shownLast('delete-collaboration/delete-twice', [
      deleted(0),
      { ...deleted(120), caller },
    ])
    expect(shown).toBeUndefined()
  },
)

test('where a collaboration can be deleted again, a race of deletes is judged as before', async () => {
  const both = (collaborationID: string, at: number): Said[] =>
    [at, at + 0.01].map((time) => ({ ...deleted(time), path: { collaborationID } }))
  const again = { ...deleted(1), path: { collaborationID: 'c1' } }
  const shown = await shownLast('delete-collaboration/concurrent-once', [
    ...both('c1', 0),
    again,
    ...both('c2', 2),
  ])
  expect(shown).toMatchObject({ expected: 'at most one accepted' })
})

test('where what both have got can be given away again, a race shows nothing', async () => {
  const both = (id: string, at: number): Said[] => [
    items({ ...give, items: id }, moved, at),
    items({ items: id, targetUsername: 'eve' }, moved, at + 0.01),
  ]
  const shown = (...said: Said[]) => shownLast('reassign-items/concurrent-one-wins', said)
  expect(await shown(...both('i1', 0), ...both('i2', 2))).toMatchObject({ expected: 'at most one accepted' })
  expect(await shown(...both('i1', 0), items(giveOne, moved, 1), ...both('i3', 2))).toBeOneOf(nothing)
})

test('every judge has a case', () => {
  const having = new Set([...recordedCases, ...runCases, ...informedCases].map(({ id }) => id))
  expect([...having].sort()).toEqual(Object.keys(judges).sort())
})

test('every operation has a rule on the shape of its answers', () => {
  expect(operations.filter(({ requirements }) => judges[requirements[0].id] === undefined)).toEqual([])
})
