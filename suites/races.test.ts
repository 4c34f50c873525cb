import { expect, it } from 'vitest'
import { answerOf } from './answers.fixture.ts'
import type { Racer } from './races.ts'
import { together } from './races.ts'

const answer = answerOf({ success: true })

it('holds every request until all have come to the gate', async () => {
  const order: string[] = []
  const racer =
    (name: string): Racer =>
    async ({ opened, reached }) => {
      order.push(`${name} comes`)
      reached()
      await opened
      order.push(`${name} goes`)
      return answer
    }
  await together([racer('a'), racer('b'), racer('c')])
  expect(order.slice(0, 3)).toEqual(['a comes', 'b comes', 'c comes'])
  expect(order).toHaveLength(6)
})

it('ends where one fails before it comes to the gate', async () => {
  const waits: Racer = async ({ opened, reached }) => {
    reached()
    await opened
    return answer
  }
  const fails: Racer = () => Promise.reject(new Error('gone'))
  await expect(together([waits, fails, waits])).rejects.toThrow('gone')
  await expect(together([waits, waits])).resolves.toHaveLength(2)
})
