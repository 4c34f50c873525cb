import { setTimeout as sleep } from 'node:timers/promises'
import { expect, test } from 'vitest'
import { acceptance } from '../../clauses/acceptance.ts'
import { Answer } from '../../deployment/http/exchange.ts'
import { Edits } from './edits.ts'

const answerOf = (body: object): Answer =>
  new Answer({
    request: { method: 'POST', url: 'http://127.0.0.1/x', headers: {}, body: '' },
    status: 200,
    headers: {},
    body: Buffer.from(JSON.stringify(body)),
    sentAt: 0,
    answeredAt: 1,
  })

/** A portal that refuses edits as that says; counts those that are under way. */
function portal(refuses: (underWay: number, count: number) => boolean) {
  let underWay = 0
  let count = 0
  return async (): Promise<Answer> => {
    underWay += 1
    count += 1
    const refused = refuses(underWay, count)
    await sleep(5)
    underWay -= 1
    return answerOf(refused ? { error: { code: 400 } } : { success: true })
  }
}

const acceptedOf = (answers: readonly Answer[]) =>
  answers.filter((answer) => acceptance(answer).accepted).length

test('edits that keep each other off are asked for again, alone, also where nothing can be added any more', async () => {
  const edits = new Edits()
  const ask = portal((underWay) => underWay > 1)
  const nothingCanBeAdded = async () => ({ together: [false, false], alone: false })
  await Promise.all([1, 2].map(() => edits.of('add-workspace', 'c', ask, nothingCanBeAdded)))
  expect(edits.oneByOne).toBe(false)
  const answers = await Promise.all([1, 2, 3, 4].map(() => edits.of('update-federation', 'f', ask)))
  expect(acceptedOf(answers)).toBe(4)
  expect(edits.oneByOne).toBe(true)
})

test('one that is refused now and then, by itself too, stays refused', async () => {
  const edits = new Edits()
  const ask = portal((_, count) => count === 2)
  const answers = await Promise.all([1, 2, 3].map(() => edits.of('update-federation', 'f', ask)))
  expect(acceptedOf(answers)).toBe(2)
  expect(edits.oneByOne).toBe(false)
})
