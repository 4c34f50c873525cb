import { describe, expect, it, onTestFinished } from 'vitest'
import { configurationFor } from '../deployment/http/server.fixture.ts'
import type { CheckId } from './check-result.ts'
import { chosen, hearPulses, type Pulse, sendPulses } from './run-news.ts'
import { Session } from './session.ts'
import { inputOf } from './worker-input.ts'

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

/** The next pulses of a session, in which something happens in between. */
async function pulsesOf(session: Session, count: number, between: (at: number) => void): Promise<Pulse[]> {
  const heard: Pulse[] = []
  const name = `pulses-${Math.random()}`
  await new Promise<void>((resolve) => {
    const hearing = hearPulses(name, (pulse) => {
      heard.push(pulse)
      between(heard.length)
      if (heard.length === count) resolve()
    })
    const sending = sendPulses(session, name)
    onTestFinished(() => {
      hearing.stop()
      sending.stop()
    })
  })
  return heard
}

it('pulses tell who got answers since the last, and go on naming those while nobody does', async () => {
  const session = new Session(inputOf(configurationFor('http://127.0.0.1:1/rest'), 'test'))
  for (const id of ids) session.answered.set(id, 1)
  const pulses = await pulsesOf(session, 3, (at) => {
    if (at === 2) session.answered.set(four, 1)
  })
  expect(pulses).toEqual([
    { requests: 0, current: [one, two, three], others: 1 },
    { requests: 0, current: [one, two, three], others: 1 },
    { requests: 0, current: [four], others: 0 },
  ])
})
