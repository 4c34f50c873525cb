import { expect, it } from 'vitest'
import type { OperationId } from '../specs/operations.ts'
import { answerOf } from './answers.fixture.ts'
import { accepted, sessionWith } from './run-check.fixture.ts'

const page = answerOf('<!doctype html><title>Blocked</title>', { status: 403 })
const granted = answerOf({ success: true })
const identity = { actor: 'hostAdministrator', credential: 'secret', portal: 'host' } as const
const operations: readonly OperationId[] = ['add-workspace', 'update-participant', 'delete-collaboration']

it('a firewall that answers everything with its page ends the sending', async () => {
  const session = await sessionWith([accepted])
  for (const operation of operations) session.channel.saw(granted, operation, identity)
  for (let count = 0; count < 29; count += 1)
    session.channel.saw(page, operations[count % 3] as OperationId, identity)
  expect(session.channel.gone).toBe(false)
  session.channel.saw(page, 'add-workspace', identity)
  expect(session.channel.gone).toBe(true)
})

it.each<[string, readonly OperationId[]]>([
  ['for what was never accepted', ['update-participant', 'delete-collaboration', 'update-federation']],
  ['for one thing alone', ['add-workspace']],
])('pages are refusals: %s', async (_, asked) => {
  const session = await sessionWith([accepted])
  session.channel.saw(granted, 'add-workspace', identity)
  for (let count = 0; count < 100; count += 1)
    session.channel.saw(page, asked[count % asked.length] as OperationId, identity)
  expect(session.channel.gone).toBe(false)
})

it('an acceptance in between shows that no one is shut out', async () => {
  const session = await sessionWith([accepted])
  for (const operation of operations) session.channel.saw(granted, operation, identity)
  for (let count = 0; count < 100; count += 1) {
    session.channel.saw(count % 20 === 0 ? granted : page, operations[count % 3] as OperationId, identity)
  }
  expect(session.channel.gone).toBe(false)
})
