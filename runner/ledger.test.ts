import { expect, it } from 'vitest'
import type { FixtureAnswers } from '../deployment/fixtures/fixture-kinds.ts'
import type { EffectWriter } from '../deployment/journal/journal-file.ts'
import { answerOf } from './answers.fixture.ts'
import { NotTested } from './findings.ts'
import { Ledger } from './ledger.ts'
import { accepted, checkOf, refused, sessionWith } from './run-check.fixture.ts'
import { runCheck } from './run-check.ts'
import { sweep } from './sweep.ts'

const handedOut: { readonly [Kind in 'workspace' | 'scheduledSync' | 'participant']: FixtureAnswers[Kind] } =
  {
    workspace: { collaborationId: 'theirs', workspaceId: 'w', minimumSyncMs: 0 },
    scheduledSync: { collaborationId: 'theirs', workspaceId: 'w', remainingMs: 0 },
    participant: { collaborationId: 'theirs', participantPortalId: 'p' },
  }

/** Performs it on that collaboration; `sent` tells whether the request left. */
async function performed(
  ledger: Ledger,
  operation: 'add-workspace' | 'delete-collaboration',
  collaborationId: string,
) {
  let sent = false
  const effect = { operation, actor: 'hostMember' as const, at: { collaborationId }, request: {} }
  const answer = ledger.perform(effect, async () => {
    sent = true
    return answerOf(accepted)
  })
  const error = await answer.then(
    () => undefined,
    (thrown: Error) => thrown.message,
  )
  return { sent, error }
}

it.each(['add-workspace', 'delete-collaboration'] as const)(
  '%s is sent only where the collaboration was handed out for that, or is nobody’s',
  async (operation) => {
    const ledger = new Ledger()
    for (const kind of ['workspace', 'scheduledSync', 'participant'] as const)
      ledger.handedOut(kind, handedOut[kind])
    expect(await performed(ledger, operation, 'theirs')).toEqual({
      sent: false,
      error: `${operation} on collaboration theirs, which no fixture "collaboration" handed out: not sent`,
    })
    ledger.handedOut('collaboration', { collaborationId: 'ours' })
    const twice = [await performed(ledger, operation, 'ours'), await performed(ledger, operation, 'ours')]
    expect(twice).toEqual([{ sent: true }, { sent: true }])
    expect(await performed(ledger, operation, ledger.madeUp('nobodys'))).toEqual({ sent: true })
    expect(await performed(ledger, operation, 'somebodys')).toMatchObject({ sent: false })
  },
)

it('what a check does to a collaboration that is not its own is an error of the suite', async () => {
  const stray = checkOf(async ({ as }) => {
    await as.hostAdministrator('delete-collaboration', { collaborationId: 'theirs' })
  })
  await expect(runCheck(stray, await sessionWith([accepted]))).rejects.toThrow('handed out: not sent')
})

it('writes what it is about to do before it is done, and what came after', async () => {
  const lines: unknown[] = []
  const journal = {
    fixture: (kind: string, fixture: object) => lines.push(['fixture', kind, fixture]),
    effect: (...effect: unknown[]) => {
      lines.push(['effect', ...effect])
      return 7
    },
    answer: (...answer: unknown[]) => lines.push(['answer', ...answer]),
  }
  const ledger = new Ledger(journal as unknown as EffectWriter)
  ledger.handedOut('collaboration', { collaborationId: 'c1' })
  const request = { collaborationWorkspaceName: 'of Ann', portalGroupId: 'g1' }
  const at = { collaborationId: 'c1', portal: undefined }
  await ledger.perform({ operation: 'add-workspace', actor: 'hostAdministrator', at, request }, async () => {
    lines.push('sent')
    return answerOf({ ...accepted, workspace: { id: 'w1' } })
  })
  const on = { collaborationId: 'c1', portalGroupId: 'g1' }
  expect(lines).toEqual([
    ['fixture', 'collaboration', { collaborationId: 'c1' }],
    ['effect', 'add-workspace', 'hostAdministrator', on],
    'sent',
    ['answer', 7, true, { workspaceId: 'w1' }],
  ])
  lines.length = 0
  const removal = {
    operation: 'delete-collaboration',
    actor: 'hostMember' as const,
    at,
    request: {},
  } as const
  await ledger.perform(removal, async () => answerOf(refused))
  expect([lines.at(-1), [...ledger.left]]).toEqual([['answer', 7, false, undefined], ['c1']])
  const cut = ledger.perform(removal, () => Promise.reject(new Error('the line broke')))
  await expect(cut).rejects.toThrow('the line broke')
  expect(lines.at(-1)).toEqual(['effect', 'delete-collaboration', 'hostMember', { collaborationId: 'c1' }])
})

it('takes a large answer for what it says', async () => {
  const ledger = new Ledger()
  ledger.handedOut('collaboration', { collaborationId: 'c1' })
  const at = { collaborationId: 'c1' }
  const removal = { operation: 'delete-collaboration', actor: 'hostAdministrator', at, request: {} } as const
  await ledger.perform(removal, async () => answerOf({ ...accepted, padding: 'y'.repeat(300_000) }))
  expect([...ledger.left]).toEqual([])
})

it('sweeps what was handed out to be deleted, and nothing else', async () => {
  const session = await sessionWith([accepted])
  for (const kind of ['workspace', 'scheduledSync', 'participant'] as const)
    session.ledger.handedOut(kind, handedOut[kind])
  expect([...session.ledger.left]).toEqual(['c1'])
  await sweep(session)
  expect([session.client.requests, session.ledger.left.size]).toEqual([1, 0])
  await sweep(session)
  expect(session.client.requests).toBe(1)
})

it('adds as many workspaces as the run announced, not counting those that were refused', async () => {
  const ledger = new Ledger(undefined, 2)
  ledger.handedOut('collaboration', { collaborationId: 'ours' })
  const effect = {
    operation: 'add-workspace',
    actor: 'hostAdministrator',
    at: { collaborationId: 'ours' },
  } as const
  const add = (answer: Parameters<typeof answerOf>[0]) =>
    ledger.perform({ ...effect, request: {} }, async () => answerOf(answer))
  for (const answer of [refused, accepted, refused, accepted]) await add(answer)
  await expect(add(accepted)).rejects.toThrow('the run announced that it adds at most 2 workspaces')
  await expect(add(accepted)).rejects.toBeInstanceOf(NotTested)
})
