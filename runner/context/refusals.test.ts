import { afterEach, describe, expect, it } from 'vitest'
import type { Answer } from '../../deployment/http/exchange.ts'
import { answerOf } from '../answers.fixture.ts'
import { sessionOn } from '../run-check.fixture.ts'
import type { Session } from '../session.ts'
import type { Call, Identity } from './calls.ts'
import { sendCompany } from './situations.ts'

const makes = {
  workspace: () => ({ collaborationId: 'c2', workspaceId: 'w1', minimumSyncMs: 0 }),
  federation: () => ({ federationId: 'f1' }),
  taskRun: () => ({ userName: 'mia', taskId: 't1', runId: 'r1' }),
  participant: () => ({ collaborationId: 'c3', participantPortalId: 'p1' }),
  collaboration: (count: number) => ({ collaborationId: `c${count + 3}` }),
  items: () => ({ owner: 'mia', itemIds: ['i1'] }),
  ineligibleUser: () => ({ username: 'nora' }),
}
const actors = Object.fromEntries(
  [
    'contentAdministrator',
    'guestAdministrator',
    'syncInitiator',
    'organizationAdministrator',
    'taskOwner',
  ].map((name) => [name, { credential: `secret-of-${name}`, portal: 'host' }]),
)
const give = {
  operation: 'reassign-items',
  at: { userName: 'mia', portal: 'host' },
  request: { items: ['i7'], targetUsername: 'otto' },
} as unknown as Call

const sessions: Session[] = []
afterEach(() => Promise.all(sessions.splice(0).map((session) => session.close())))

async function session(lists?: 'lists'): Promise<Session> {
  const kinds = Object.keys(makes) as (keyof typeof makes)[]
  const made = await sessionOn({ answers: {}, makes, actors, ...(lists && { lists: kinds }) })
  sessions.push(made)
  return made
}

const refused = answerOf({ error: { code: 403 } })
const accepted = answerOf({ success: true })

/** Who asked for what, in the requests of seven times. */
async function sent(
  what: 'before' | 'beside',
  on: Session,
  answers: (call: Call) => Answer = () => refused,
): Promise<{ asked: string[]; calls: Call[]; ends: Answer[] }> {
  const asked: string[] = []
  const calls: Call[] = []
  const ends: Answer[] = []
  const performed = async (identity: Identity, call: unknown): Promise<Answer> => {
    asked.push(`${identity.actor} ${(call as Call).operation}`)
    calls.push(call as Call)
    return answers(call as Call)
  }
  for (let time = 0; time < 7; time += 1)
    ends.push(await sendCompany(what, time, { session: on, call: give, performed }))
  return { asked, calls, ends }
}

describe('what is refused beside reassignments', () => {
  it('is of each operation in turn, two at once, on things that are for nothing else', async () => {
    const { asked, calls } = await sent('beside', await session())
    expect(asked).toHaveLength(14)
    expect(
      Object.fromEntries(asked.map((each) => [each, asked.filter((other) => other === each).length])),
    ).toEqual({
      'anonymous reassign-items': 2,
      'anonymous sync-workspace': 2,
      'anonymous update-federation': 2,
      'anonymous update-task-run': 2,
      'anonymous update-participant': 2,
      'anonymous delete-collaboration': 2,
      'guestAdministrator add-workspace': 2,
    })
    const places = calls
      .filter(({ operation }) => operation === 'update-federation')
      .map(({ at }) => at.federationId)
    expect(places).toEqual(['f1', 'f1'])
  })

  it('is on the same path alone where fixtures are a list, which is for the checks', async () => {
    const { asked } = await sent('beside', await session('lists'))
    expect(new Set(asked)).toEqual(new Set(['anonymous reassign-items']))
    expect(asked).toHaveLength(7)
  })

  it('is left out where the caller or the operation is not configured', async () => {
    const on = await session()
    const { guestAdministrator: _, taskOwner: __, ...others } = on.configuration.actors
    Object.assign(on.configuration, { actors: others })
    const { asked } = await sent('beside', on)
    expect(asked.filter((each) => /add-workspace|update-task-run/.test(each))).toEqual([])
    expect(asked.length).toBeGreaterThan(9)
  })

  it('ends with the answer of who was accepted', async () => {
    const { ends } = await sent('beside', await session(), ({ operation }) =>
      operation === 'delete-collaboration' ? accepted : refused,
    )
    expect(ends.map((end) => end === accepted)).toEqual([true, false, false, false, true, false, false])
  })
})

describe('what is refused before reassignments', () => {
  it('is on their path, for the target or for who asks', async () => {
    const { asked, calls } = await sent('before', await session())
    expect(new Set(asked)).toEqual(
      new Set(['contentAdministrator reassign-items', 'anonymous reassign-items']),
    )
    expect(new Set(calls.map(({ at }) => at.userName))).toEqual(new Set(['mia']))
    expect(calls.find(({ request }) => request?.items)?.request).toEqual({
      items: ['i1'],
      targetUsername: 'nora',
    })
  })
})
