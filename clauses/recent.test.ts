import { expect, test } from 'vitest'
import { answerOf } from '../runner/answers.fixture.ts'
import { judges } from './catalogue.ts'
import { addingWith } from './exchange.fixture.ts'
import { Knowledge } from './facts.ts'
import { mostExchanges, Recent } from './recent.ts'

test('what was set longest ago is forgotten first, and what is set again is new', () => {
  const recent = new Recent<number>(2)
  recent.set('a', 1).set('b', 2).set('a', 3).set('c', 4)
  expect([...recent]).toEqual([
    ['a', 3],
    ['c', 4],
  ])
})

test('an id that is given again is seen long after the answer that gave it first is kept', () => {
  const look = judges['add-workspace/id-is-new']?.begin()
  const facts = new Knowledge({ run: { clockToleranceMs: 0, settleMs: 0 } })
  const add = (name: string, id: string) =>
    look?.(
      addingWith(answerOf({ success: true, workspace: { id, name } }), [
        ['collaborationWorkspaceName', name],
      ]),
      facts,
    )
  for (let at = 0; at <= mostExchanges; at += 1) add(`name ${at}`, `w${at}`)
  expect(add('name 0', 'w0')).toBeUndefined()
  const found = add('another', 'w0')
  expect(found).toMatchObject({ message: 'a new workspace has the id of an earlier one' })
  expect(found).not.toHaveProperty('before')
  expect(add('another', `w${mostExchanges}`)).toHaveProperty('before')
})
