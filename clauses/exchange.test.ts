import { expect, test } from 'vitest'
import { answerOf } from '../runner/answers.fixture.ts'
import { addingWith } from './exchange.fixture.ts'
import { shorten, unparsed } from './exchange.ts'

const exchangeWith = (padding: string) =>
  addingWith(answerOf({ success: true, workspace: { id: 'w1' }, padding }))

test('of a large answer little is kept for later, and what rules look back at', () => {
  const exchange = exchangeWith('x'.repeat(300_000))
  expect(exchange.answer?.isLarge).toBe(true)
  shorten(exchange)
  expect(exchange.answer?.isLarge).toBe(false)
  expect(exchange.answer?.body.length).toBeLessThan(70_000)
  expect(exchange.recorded.answer).toBe(exchange.answer)
  expect(exchange.accepted).toMatchObject({ success: true, workspace: { id: 'w1' } })
  expect(JSON.stringify(exchange.accepted).length).toBeLessThan(10_000)
})

test('an ordinary answer stays as it is', () => {
  const exchange = exchangeWith('x')
  const { answer, accepted } = exchange
  shorten(exchange)
  expect([exchange.answer, exchange.accepted]).toEqual([answer, accepted])
})

test('a large answer is read anew by each reader, and not kept', () => {
  const exchange = exchangeWith('x'.repeat(300_000))
  const later = unparsed(exchange)
  shorten(exchange)
  expect(later.accepted).toMatchObject({ workspace: { id: 'w1' }, padding: 'x'.repeat(300_000) })
  expect(Object.values(Object.getOwnPropertyDescriptors(later)).map(({ value }) => value)).not.toContainEqual(
    expect.objectContaining({ padding: expect.anything() }),
  )
  const small = exchangeWith('x')
  expect(unparsed(small)).toBe(small)
})
