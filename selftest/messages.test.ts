/** Checks the rules for messages: on all that clauses and suites can say, and on what the judges of clauses find. */
import { readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { judge, watch } from '../clauses/exchange.fixture.ts'
import { recordedCases } from '../clauses/recorded-cases.fixture.ts'
import { runCases } from '../clauses/run-cases.fixture.ts'
import { expectFinding, expectMessage } from './message-rules.fixture.ts'

/** The messages in the code of checks and clauses, with an ellipsis for each value. */
function messages(): string[] {
  const root = join(import.meta.dirname, '..')
  const place = /(?:\bmessage: |toBeRefused\(\s*|toShow\(\s*[^'`]*?, )(['`])((?:(?!\1).)+)\1/g
  const files = ['clauses', 'suites'].flatMap((folder) =>
    readdirSync(join(root, folder), { recursive: true, encoding: 'utf8' })
      .filter((name) => name.endsWith('.ts') && !/\.(test|fixture)\.ts$/.test(name))
      .map((name) => readFileSync(join(root, folder, name), 'utf8')),
  )
  return files.flatMap((text) =>
    [...text.matchAll(place)].map(([, , message = '']) => message.replace(/\$\{[^}]*\}/g, '…')),
  )
}

test('messages in the code of checks and clauses keep the rules', () => {
  const all = messages()
  expect(all.length).toBeGreaterThan(70)
  for (const message of all) expectMessage(message)
})

test.each(recordedCases.flatMap(({ id, broken }) => (broken === undefined ? [] : [[id, broken] as const])))(
  'the message of a broken case keeps the rules: %s',
  async (_, broken) => {
    const { shown } = await judge(...broken)
    for (const { breach } of shown)
      if (breach !== undefined) {
        const { message, expected, actual } = breach.breach
        expectFinding(message, expected, actual)
      }
  },
)

test.each(runCases.map(({ id, broken = [], known }) => [id, broken, known] as const))(
  'the message about a broken run keeps the rules: %s',
  async (_, broken, known) => {
    for (const { judgement } of (await watch(broken, known)).at(-1) ?? [])
      if (typeof judgement === 'object')
        expectFinding(judgement.message, judgement.expected, judgement.actual)
  },
)
