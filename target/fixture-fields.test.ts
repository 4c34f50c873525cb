import { readFileSync } from 'node:fs'
import { describe, expect, test } from 'vitest'
import { schemaOf } from '../schemas/catalogue.ts'
import { type Fields, fixtureFields, type KindFields, wrongField } from './fixture-fields.ts'
import { fixtureKinds } from './fixture-kinds.ts'

const page = readFileSync(new URL('../docs/fixtures.md', import.meta.url), 'utf8')

/** The table of the page, as the code has it. */
function table(): string {
  const listed = (fields: Fields) =>
    Object.entries(fields)
      .map(([name, { optional, meaning }]) => `\`${name}\`${optional ? ' (optional)' : ''}: ${meaning}`)
      .join('<br>') || 'none'
  const rows = fixtureKinds.map((kind) => {
    const { what, options, answer }: KindFields = fixtureFields[kind]
    return `| \`${kind}\` | ${what} | ${listed(options)} | ${listed(answer)} |`
  })
  return ['| kind | what it is | options | answer |', '| --- | --- | --- | --- |', ...rows].join('\n')
}

test('the page on fixtures has every kind with its options and answers', () => {
  expect(page).toContain(`\n${table()}\n`)
})

test('the schema of static lists has every kind, with the fields of its answer', () => {
  const lists = schemaOf('configuration').properties?.fixtures?.properties?.static?.properties ?? {}
  expect(Object.keys(lists)).toEqual([...fixtureKinds])
  for (const kind of fixtureKinds) {
    const { description, examples: [pool] = [] } = lists[kind] ?? {}
    for (const name of Object.keys(fixtureFields[kind].answer)) expect(description).toContain(name)
    expect(pool).toHaveLength(1)
    for (const entry of pool as object[]) {
      expect(wrongField(fixtureFields[kind].answer, entry)).toBeUndefined()
    }
  }
})

describe('what is wrong with a field', () => {
  test.each<[keyof typeof fixtureFields, 'options' | 'answer', unknown, string | undefined]>([
    ['items', 'options', { owner: 'itemOwner', count: 1, later: true }, undefined],
    ['items', 'options', { owner: 'itemOwner', count: 1.5 }, 'count: a whole number, 1 or more expected'],
    [
      'items',
      'options',
      { count: 1 },
      'owner is missing: the name of an actor of the configuration expected',
    ],
    ['workspace', 'options', {}, undefined],
    [
      'workspace',
      'options',
      { minimumSyncMs: -1 },
      'minimumSyncMs: a number of milliseconds, 0 or more expected',
    ],
    ['collaboration', 'options', { with: 'group' }, 'with: participant or workspace expected'],
    ['collaboration', 'options', null, 'a JSON object expected'],
    ['group', 'answer', { groupId: 'g', reusable: 'no' }, 'reusable: true or false expected'],
    ['group', 'answer', { groupId: 'g' }, undefined],
    ['group', 'answer', [], 'a JSON object expected'],
  ])('%s, %s: %j', (kind, side, value, wrong) => {
    expect(wrongField(fixtureFields[kind][side], value)).toBe(wrong)
  })
})
