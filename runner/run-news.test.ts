import { describe, expect, it } from 'vitest'
import { configurationFor } from '../deployment/http/server.fixture.ts'
import type { CheckId } from './check-result.ts'
import { inputOf } from './run-input.ts'
import { chosen, Pulses } from './run-news.ts'
import { Session } from './session.ts'

const ids: readonly CheckId[] = [
  'add-workspace/creates',
  'sync-workspace/starts',
  'update-task-run/updates',
  'delete-collaboration/deletes',
]
const [one, two, three, four] = ids as [CheckId, CheckId, CheckId, CheckId]

describe('chosen', () => {
  it('takes the busiest, and a few only', () => {
    const answered = new Map([
      [one, 1],
      [two, 9],
      [three, 5],
      [four, 3],
    ])
    expect(chosen(answered, [])).toEqual([two, three, four])
  })

  it('keeps those that were shown before as long as they are busy at all', () => {
    const answered = new Map([
      [one, 1],
      [two, 9],
      [three, 5],
    ])
    expect(chosen(answered, [four, one])).toEqual([one, two, three])
  })
})

it('pulses name who got answers since the last, and go on naming those while no one does', () => {
  const session = new Session(inputOf(configurationFor('http://127.0.0.1:1/rest'), 'test'))
  for (const id of ids) session.tally.answered.set(id, 1)
  const pulses = new Pulses(session)
  const first = { requests: 0, current: [one, two, three], others: 1 }
  expect([pulses.next(), pulses.next()]).toEqual([first, first])
  session.tally.answered.set(four, 1)
  expect(pulses.next()).toEqual({ requests: 0, current: [four], others: 0 })
})
