import { expect, it } from 'vitest'
import type { FixtureAnswers } from '../deployment/fixtures/fixture-kinds.ts'
import type { Journal } from '../deployment/journal/journal.ts'
import { answerOf } from './answers.fixture.ts'
import { NotTested } from './findings.ts'
import { Ledger } from './ledger.ts'
import { exchangeOf } from './log/exchange.fixture.ts'
import type { Effect } from './log/run-log.ts'
import { sweep } from './perform.ts'
import { accepted, checkOf, refused, sessionWith } from './run-check.fixture.ts'
import { runCheck } from './run-check.ts'

const handedOut: { readonly [Kind in 'workspace' | 'scheduledSync' | 'participant']: FixtureAnswers[Kind] } =
  {
    workspace: { collaborationId: 'theirs', workspaceId: 'w', minimumSyncMs: 0 },
    scheduledSync: { collaborationId: 'theirs', workspaceId: 'w', remainingMs: 0 },
    participant: { collaborationId: 'theirs', participantPortalId: 'p' },
  }

/** Why the ledger refuses the operation on this collaboration. Undefined if it does not. */
function refusal(
  ledger: Ledger,
  operation: 'add-workspace' | 'delete-collaboration',
  collaborationId: string,
): string | undefined {
  try {
    ledger.record({ operation, actor: 'hostMember', at: { collaborationId }, request: {} })
    return undefined
  } catch (thrown) {
    return (thrown as Error).message
  }
}

const removal = {
  operation: 'delete-collaboration',
  actor: 'hostMember',
  at: { collaborationId: 'c1' },
  request: {},
} as const

/** Records the effect and its answer. */
function performed(ledger: Ledger, effect: Effect, body: object): void {
  ledger.record(effect)
  ledger.answered(exchangeOf(effect, answerOf(body)))
}

it.each(['add-workspace', 'delete-collaboration'] as const)(
  '%s is sent only to a collaboration that is handed out for changes, or does not exist',
  (operation) => {
    const ledger = new Ledger()
    for (const kind of ['workspace', 'scheduledSync', 'participant'] as const)
      ledger.handedOut(kind, handedOut[kind])
    expect(refusal(ledger, operation, 'theirs')).toBe(
      `${operation} on collaboration theirs, which no fixture "collaboration" handed out: not sent`,
    )
    ledger.handedOut('collaboration', { collaborationId: 'ours' })
    const twice = [refusal(ledger, operation, 'ours'), refusal(ledger, operation, 'ours')]
    expect(twice).toEqual([undefined, undefined])
    expect(refusal(ledger, operation, ledger.madeUp('nobodys'))).toBeUndefined()
    expect(refusal(ledger, operation, 'somebodys')).toContain('not sent')
  },
)

it('a check that changes a collaboration of others is an error of the suite', async () => {
  const stray = checkOf(async ({ as }) => {
    await as.hostAdministrator('delete-collaboration', { collaborationId: 'theirs' })
  })
  await expect(runCheck(stray, await sessionWith([accepted]))).rejects.toThrow('handed out: not sent')
})

it('journals fixtures and their use before each request, and takes a use back after a refusal', () => {
  const lines: unknown[] = []
  const note = (what: string) => [what, (...given: unknown[]) => lines.push([what, ...given])]
  const notes = Object.fromEntries(['handedOut', 'deleted', 'use', 'unuse'].map(note))
  const journal = { ...notes, check: () => undefined } as unknown as Journal
  const ledger = new Ledger(journal, undefined, true)
  ledger.handedOut('group', { groupId: 'g', reusable: true })
  ledger.handedOut('collaboration', { collaborationId: 'c1' })
  performed(ledger, removal, refused)
  expect([...ledger.left]).toEqual(['c1'])
  performed(ledger, removal, accepted)
  const gift = {
    operation: 'reassign-items',
    actor: 'itemOwner',
    at: {},
    request: { items: 'i1, i2' },
  } as const
  ledger.record(gift)
  expect(lines).toEqual([
    ['handedOut', 'c1'],
    ['use', 'collaboration', 'c1'],
    ['unuse', 'collaboration', 'c1'],
    ['use', 'collaboration', 'c1'],
    ['deleted', 'c1'],
    ['use', 'item', 'i1'],
    ['use', 'item', 'i2'],
  ])
  // The refusal of one of two equal requests does not give back what the other may have used up.
  performed(ledger, gift, refused)
  expect(lines.at(-1)).toEqual(['use', 'item', 'i2'])
})

it('reads the outcome from a large answer', () => {
  const ledger = new Ledger()
  ledger.handedOut('collaboration', { collaborationId: 'c1' })
  performed(ledger, removal, { ...accepted, padding: 'y'.repeat(300_000) })
  expect([...ledger.left]).toEqual([])
})

it('sweep deletes collaborations that were handed out for deletion, once, and nothing else', async () => {
  const session = await sessionWith([accepted])
  for (const kind of ['workspace', 'scheduledSync', 'participant'] as const)
    session.ledger.handedOut(kind, handedOut[kind])
  expect([...session.ledger.left]).toEqual(['c1'])
  for (let time = 0; time < 2; time += 1) await sweep(session)
  expect([session.channel.client.requests, session.ledger.left.size]).toEqual([1, 0])
})

it('allows as added workspaces only the announced number, not counting refused requests', () => {
  const ledger = new Ledger(undefined, 2)
  ledger.handedOut('collaboration', { collaborationId: 'ours' })
  const effect = {
    operation: 'add-workspace',
    actor: 'hostAdministrator',
    at: { collaborationId: 'ours' },
  } as const
  const add = (answer: object) => performed(ledger, { ...effect, request: {} }, answer)
  for (const answer of [refused, accepted, refused, accepted]) add(answer)
  expect(() => add(accepted)).toThrow('the run has added all 2 workspaces that it announced')
  expect(() => add(accepted)).toThrow(NotTested)
})
