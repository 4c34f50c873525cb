import { describe, expect, it } from 'vitest'
import { acceptanceIfRead } from '../../clauses/acceptance.ts'
import type { Answer } from '../../deployment/http/exchange.ts'
import { answerOf } from '../answers.fixture.ts'
import { NotTested, Unproven } from '../findings.ts'
import { exchangeOf } from '../log/exchange.fixture.ts'
import { sessionWith } from '../run-check.fixture.ts'
import { type RetriedCall, untilItCounts } from './retries.ts'

const call = { operation: 'add-workspace', at: { collaborationId: 'c1' } } as const
const host = { actor: 'hostAdministrator', portal: 'host', credential: 'secret-of-the-host' } as const

const answered = (body: object) => exchangeOf({ ...call, actor: host.actor, request: {} }, answerOf(body))
const accepted = () => answered({ success: true })
const refused = (code: number) => answered({ error: { code } })

/** Sends a request that gets these answers in turn. Counts how often it is sent. */
async function asking(answers: readonly ReturnType<typeof answered>[], more: Partial<RetriedCall> = {}) {
  const session = await sessionWith([])
  let sent = 0
  const send = async () => answers[sent++] ?? refused(500)
  const asked = {
    session,
    call,
    identity: host,
    identityOf: () => host,
    send,
    observe: () => undefined,
    ...more,
  } as RetriedCall
  const kept: Answer[] = []
  const end = await untilItCounts(asked, await send(), (answer) => kept.push(answer)).catch(
    (error: unknown) => error as Error,
  )
  return { end, sent, kept, session }
}

const codeIn = (end: unknown) => {
  if (end instanceof Error) return end.constructor
  const read = acceptanceIfRead(end as Answer)
  return read?.accepted ? 'accepted' : read?.why
}

describe('untilItCounts', () => {
  it('does not retry an accepted request or a plain refusal', async () => {
    expect(await asking([accepted()])).toMatchObject({ sent: 1 })
    const { end, sent } = await asking([refused(403)])
    expect([codeIn(end), sent]).toEqual([expect.stringContaining('403'), 1])
  })

  it('retries if the target is busy, except in a race', async () => {
    const { end, sent } = await asking([refused(409), accepted()])
    expect([codeIn(end), sent]).toEqual(['accepted', 2])
    const gate = { opened: Promise.resolve(), reached: () => undefined }
    const raced = { ...call, how: { gate } } as never
    expect(await asking([refused(409), accepted()], { call: raced })).toMatchObject({ sent: 1 })
  })

  it('gives up if the credential expires again and again, and keeps the last answer', async () => {
    const ended = { ...host, credential: 'another' }
    const session = await sessionWith([])
    session.identities.outlived = () => true
    const last = refused(498)
    const { end, sent, kept } = await asking([refused(498), refused(498), refused(498), last], {
      session,
      identityOf: () => ended,
    })
    expect([codeIn(end), sent, kept]).toEqual([Unproven, 4, [last]])
  })

  it('throws NotTested if the target refuses only an address in an example domain', async () => {
    const request = { contactEmailAddress: 'anna@example.com', contactFirstname: 'Anna' }
    const update = { operation: 'update-participant', at: { collaborationId: 'c1' }, request } as never
    const answers = [refused(400), accepted(), refused(400)]
    const { end, sent } = await asking(answers, { call: update })
    expect([codeIn(end), sent]).toEqual([NotTested, 3])
  })
})
