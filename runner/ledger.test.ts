import { expect, it } from 'vitest'
import type { FixtureAnswers } from '../deployment/fixtures/fixture-kinds.ts'
import type { EffectWriter } from '../deployment/journal/journal-file.ts'
import { answerOf } from './answers.fixture.ts'
import { NotTested } from './findings.ts'
import { Ledger } from './ledger.ts'
import { exchangeOf } from './log/exchange.fixture.ts'
import type { Effect } from './log/exchange.ts'
import { accepted, checkOf, refused, sessionWith } from './run-check.fixture.ts'
import { runCheck } from './run-check.ts'
import { sweep } from './sweep.ts'

const handedOut: { readonly [Kind in 'workspace' | 'scheduledSync' | 'participant']: FixtureAnswers[Kind] } =
  {
    workspace: { collaborationId: 'theirs', workspaceId: 'w', minimumSyncMs: 0 },
    scheduledSync: { collaborationId: 'theirs', workspaceId: 'w', remainingMs: 0 },
    participant: { collaborationId: 'theirs', participantPortalId: 'p' },
  }

/** Why that may not be performed on that collaboration; undefined where it may. */
async function refusal(
  ledger: Ledger,
  operation: 'add-workspace' | 'delete-collaboration',
  collaborationId: string,
): Promise<string | undefined> {
  const entered = ledger.enter({ operation, actor: 'hostMember', at: { collaborationId }, request: {} })
  return entered.then(
    () => undefined,
    (thrown: Error) => thrown.message,
  )
}

/** Enters it, and what came of it. */
async function performed(ledger: Ledger, effect: Effect, body: object): Promise<void> {
  const number = await ledger.enter(effect)
  ledger.answered(number, exchangeOf(effect, answerOf(body)))
}

it.each(['add-workspace', 'delete-collaboration'] as const)(
  '%s is sent only where the collaboration was handed out for that, or is nobody’s',
  async (operation) => {
    const ledger = new Ledger()
    for (const kind of ['workspace', 'scheduledSync', 'participant'] as const)
      ledger.handedOut(kind, handedOut[kind])
    expect(await refusal(ledger, operation, 'theirs')).toBe(
      `${operation} on collaboration theirs, which no fixture "collaboration" handed out: not sent`,
    )
    ledger.handedOut('collaboration', { collaborationId: 'ours' })
    const twice = [await refusal(ledger, operation, 'ours'), await refusal(ledger, operation, 'ours')]
    expect(twice).toEqual([undefined, undefined])
    expect(await refusal(ledger, operation, ledger.madeUp('nobodys'))).toBeUndefined()
    expect(await refusal(ledger, operation, 'somebodys')).toContain('not sent')
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
  const adding = { operation: 'add-workspace', actor: 'hostAdministrator', at, request } as const
  await performed(ledger, adding, { ...accepted, workspace: { id: 'w1' } })
  const on = { collaborationId: 'c1', portalGroupId: 'g1' }
  expect(lines).toEqual([
    ['fixture', 'collaboration', { collaborationId: 'c1' }],
    ['effect', 'add-workspace', 'hostAdministrator', on],
    ['answer', 7, true, { workspaceId: 'w1' }],
  ])
  lines.length = 0
  const removal = {
    operation: 'delete-collaboration',
    actor: 'hostMember' as const,
    at,
    request: {},
  } as const
  await performed(ledger, removal, refused)
  expect([lines.at(-1), [...ledger.left]]).toEqual([['answer', 7, false, undefined], ['c1']])
  await ledger.enter(removal)
  expect(lines.at(-1)).toEqual(['effect', 'delete-collaboration', 'hostMember', { collaborationId: 'c1' }])
})

it('takes a large answer for what it says', async () => {
  const ledger = new Ledger()
  ledger.handedOut('collaboration', { collaborationId: 'c1' })
  const at = { collaborationId: 'c1' }
  const removal = { operation: 'delete-collaboration', actor: 'hostAdministrator', at, request: {} } as const
  await performed(ledger, removal, { ...accepted, padding: 'y'.repeat(300_000) })
  expect([...ledger.left]).toEqual([])
})

it('sweeps what was handed out to be deleted, and nothing else', async () => {
  const session = await sessionWith([accepted])
  for (const kind of ['workspace', 'scheduledSync', 'participant'] as const)
    session.ledger.handedOut(kind, handedOut[kind])
  expect([...session.ledger.left]).toEqual(['c1'])
  await sweep(session)
  expect([session.channel.client.requests, session.ledger.left.size]).toEqual([1, 0])
  await sweep(session)
  expect(session.channel.client.requests).toBe(1)
})

it('adds as many workspaces as the run announced, not counting those that were refused', async () => {
  const ledger = new Ledger(undefined, 2)
  ledger.handedOut('collaboration', { collaborationId: 'ours' })
  const effect = {
    operation: 'add-workspace',
    actor: 'hostAdministrator',
    at: { collaborationId: 'ours' },
  } as const
  const add = (answer: object) => performed(ledger, { ...effect, request: {} }, answer)
  for (const answer of [refused, accepted, refused, accepted]) await add(answer)
  await expect(add(accepted)).rejects.toThrow('the run announced that it adds at most 2 workspaces')
  await expect(add(accepted)).rejects.toBeInstanceOf(NotTested)
})
