import { describe, expect, it } from 'vitest'
import { define } from '../check.ts'
import type { CheckResult } from '../check-result.ts'
import type { CheckContext } from '../context/context.ts'
import { accepted, participants, refused, sessionOn } from '../run-check.fixture.ts'
import { runCheck } from '../run-check.ts'
import { withoutDuplicates } from '../run-watch.ts'
import type { Session } from '../session.ts'

interface Sent {
  readonly body: string
  /** Of what was accepted last. */
  readonly before: string
  readonly count: number
}

/** A target that answers updates of participants in that way. */
function updatedBy(answer: (sent: Sent) => object): Promise<Session> {
  let before = ''
  return sessionOn({
    answers: {
      updateInfo: (count, { body }) => {
        const answered = body.includes('secret-of-the-host') ? answer({ body, before, count }) : refused
        if (answered === accepted) before = body
        return answered
      },
    },
    makes: { participant: participants },
  })
}

/** Needs a contact person of that name to be accepted before its probe, after one that is plain. */
const needing = (firstName: string) =>
  define(
    'update-participant/bad-email',
    {},
    { actors: ['hostAdministrator'], fixtures: ['participant'] },
    async (declaring) => {
      const { as, given, control, expect } = declaring as CheckContext
      const at = await given.participant()
      const plain = await given.request('update-participant')
      const send = (contactPersonFirstName: string) =>
        as.hostAdministrator('update-participant', at, { ...plain, contactPersonFirstName })
      control(await send('Eva'))
      control(await send(firstName), 'the control, a contact person with that name,')
      expect(await send('')).toBeRefused()
    },
  )

/** The second of the two. */
const isOdd = ({ body, before }: Sent): boolean => body.includes('Oddo') && before.includes('Eva')

async function sightingsOf(session: Session): Promise<{ check: CheckResult; seen: readonly CheckResult[] }> {
  const check = await runCheck(needing('Oddo'), session)
  const reported = session.watch.results()
  return { check, seen: reported.filter(({ id }) => id.endsWith(':every-control')) }
}

describe('a control that is refused', () => {
  it('again and again, while plain requests are accepted, breaks a clause of its own', async () => {
    const { check, seen } = await sightingsOf(await updatedBy((sent) => (isOdd(sent) ? refused : accepted)))
    expect(check.outcome).toBe('inconclusive')
    expect(seen).toMatchObject([
      {
        id: 'update-participant/updates:every-control',
        requirement: 'update-participant/updates',
        outcome: 'failed',
        failure: {
          message: 'a valid request was not accepted: the control, a contact person with that name',
          counterexample: expect.stringMatching(/bad-email.*3 of 3 tries/),
        },
      },
    ])
    expect(seen[0]?.evidence).toHaveLength(1)
  })

  it.each<[string, () => (sent: Sent) => object]>([
    [
      'for what it holds, whatever went before',
      () => (sent) => (sent.body.includes('Oddo') ? refused : accepted),
    ],
    [
      'once',
      () => {
        let odd = 0
        return (sent) => (isOdd(sent) && ++odd === 1 ? refused : accepted)
      },
    ],
    [
      'as plain requests are now and then',
      () => (sent) => (isOdd(sent) || sent.count % 3 === 0 ? refused : accepted),
    ],
    ['in the way of a gateway', () => (sent) => (isOdd(sent) ? [] : accepted)],
  ])('%s is nothing', async (_, answer) => {
    expect((await sightingsOf(await updatedBy(answer()))).seen).toEqual([])
  })

  it('is not reported where a check of the operation says what is wrong', async () => {
    const { seen } = await sightingsOf(await updatedBy((sent) => (isOdd(sent) ? refused : accepted)))
    const other = { id: 'update-participant/contact-text', requirement: 'update-participant/contact-text' }
    const failed = { ...seen[0], ...other, seenOn: undefined } as unknown as CheckResult
    const elsewhere = {
      ...failed,
      id: 'delete-collaboration/deletes',
      requirement: 'delete-collaboration/deletes',
      operation: 'delete-collaboration',
    } as CheckResult
    expect(withoutDuplicates([failed, ...seen])).toEqual([failed])
    expect(withoutDuplicates([elsewhere, ...seen])).toEqual([elsewhere, ...seen])
  })
})
