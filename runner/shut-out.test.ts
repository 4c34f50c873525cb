import { expect, it } from 'vitest'
import type { Answer } from '../deployment/http/exchange.ts'
import type { OperationId } from '../specs/operations.ts'
import { answerOf } from './answers.fixture.ts'
import { askedFor, exchangeOf } from './log/exchange.fixture.ts'
import { accepted, sessionWith } from './run-check.fixture.ts'
import type { Session } from './session.ts'

const page = answerOf('<!doctype html><title>Blocked</title>', { status: 403 })
const granted = answerOf({ success: true })
const operations: readonly OperationId[] = ['add-workspace', 'update-participant', 'delete-collaboration']

/** An answer to the host administrator. */
const came = (session: Session, answer: Answer, operation: OperationId): void => {
  const asked = askedFor({ operation, actor: 'hostAdministrator', at: {}, request: {} })
  const sent = { ...asked.sent, credential: 'secret' }
  session.channel.came(exchangeOf({ ...asked, sent }, answer))
}

it('a firewall that answers everything with its page ends the sending', async () => {
  const session = await sessionWith([accepted])
  for (const operation of operations) came(session, granted, operation)
  for (let count = 0; count < 29; count += 1) came(session, page, operations[count % 3] as OperationId)
  expect(session.channel.gone).toBe(false)
  came(session, page, 'add-workspace')
  expect(session.channel.gone).toBe(true)
})

it.each<[string, readonly OperationId[]]>([
  ['for what was never accepted', ['update-participant', 'delete-collaboration', 'update-federation']],
  ['for one thing alone', ['add-workspace']],
])('pages are refusals: %s', async (_, asked) => {
  const session = await sessionWith([accepted])
  came(session, granted, 'add-workspace')
  for (let count = 0; count < 100; count += 1) came(session, page, asked[count % asked.length] as OperationId)
  expect(session.channel.gone).toBe(false)
})

it('an acceptance in between shows that no one is shut out', async () => {
  const session = await sessionWith([accepted])
  for (const operation of operations) came(session, granted, operation)
  for (let count = 0; count < 100; count += 1) {
    came(session, count % 20 === 0 ? granted : page, operations[count % 3] as OperationId)
  }
  expect(session.channel.gone).toBe(false)
})
