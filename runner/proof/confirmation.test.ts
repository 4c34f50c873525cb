import { describe, expect, it } from 'vitest'
import { define } from '../check.ts'
import { type CheckResult, withoutDuplicates } from '../check-result.ts'
import type { CheckContext } from '../context/context.ts'
import { accepted, participants, refused, sessionOn } from '../run-check.fixture.ts'
import { runCheck } from '../run-check.ts'
import type { Session } from '../session.ts'

interface Sent {
  readonly body: string
  /** The body of the last accepted request. */
  readonly before: string
  readonly count: number
}

/** A target that answers updates of participants with `answer`. */
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

/** A check with two controls before its probe: a plain one, and one with this first name. */
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

/** Whether this is the second control. */
const isOdd = ({ body, before }: Sent): boolean => body.includes('Oddo') && before.includes('Eva')

async function sightingsOf(session: Session): Promise<{ check: CheckResult; seen: readonly CheckResult[] }> {
  const check = await runCheck(needing('Oddo'), session)
  const reported = session.watch.results()
  return { check, seen: reported.filter(({ id }) => id.endsWith(':every-control')) }
}

describe('a refused control', () => {
  it('is a finding if it is refused again, and accepted on a thing of its own', async () => {
    const { check, seen } = await sightingsOf(await updatedBy((sent) => (isOdd(sent) ? refused : accepted)))
    expect(check.outcome).toBe('inconclusive')
    expect(seen).toMatchObject([
      {
        id: 'update-participant/updates:every-control',
        requirement: 'update-participant/updates',
        outcome: 'failed',
        failure: {
          message: 'a valid request was not accepted after others on the same thing',
          counterexample: expect.stringMatching(/bad-email, seen twice/),
        },
      },
    ])
    expect(seen[0]?.evidence).toHaveLength(1)
  })

  it.each<[string, () => (sent: Sent) => object]>([
    [
      'is refused for its values, whatever request came before',
      () => (sent) => (sent.body.includes('Oddo') ? refused : accepted),
    ],
    [
      'is refused once',
      () => {
        let odd = 0
        return (sent) => (isOdd(sent) && ++odd === 1 ? refused : accepted)
      },
    ],
    [
      'is refused now and then, as plain requests are',
      () => (sent) => (isOdd(sent) || sent.count % 3 === 0 ? refused : accepted),
    ],
    ['gets the answer of a gateway', () => (sent) => (isOdd(sent) ? [] : accepted)],
  ])('is no finding if it %s', async (_, answer) => {
    expect((await sightingsOf(await updatedBy(answer()))).seen).toEqual([])
  })

  it('is not reported if a check of the same operation fails', async () => {
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
