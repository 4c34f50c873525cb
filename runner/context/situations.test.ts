import { afterEach, describe, expect, it } from 'vitest'
import type { Answer } from '../../deployment/http/exchange.ts'
import { answerOf } from '../answers.fixture.ts'
import { Finding, Unproven } from '../findings.ts'
import { sessionOn } from '../run-check.fixture.ts'
import type { Session } from '../session.ts'
import type { Call, Identity } from './calls.ts'
import {
  lookInSituations,
  type Situation,
  SituationOfAttempt,
  sendCompany,
  sentInSituation,
  situationsOf,
} from './situations.ts'

const accepted = answerOf({ success: true })
const refused = answerOf({ error: { code: 403 } })

describe('the situation of a request', () => {
  const orderIn = async (situation: Situation): Promise<string[]> => {
    const order: string[] = []
    const attempt = new SituationOfAttempt()
    await attempt.during(situation, () =>
      sentInSituation(
        attempt.now,
        async () => {
          order.push('request')
          return accepted
        },
        async (what) => {
          order.push(what === 'the same' ? 'refused for the same' : `refused ${what}`)
          return refused
        },
      ),
    )
    return order
  }

  it.each<[Situation, string[]]>([
    ['plain', ['request']],
    ['after-refusal', ['refused before', 'request']],
    ['in-company', ['request', 'refused beside']],
    ['both', ['refused before', 'request', 'refused beside']],
    ['after-the-same', ['refused for the same', 'request']],
  ])('%s: sends its refused requests before and beside the request', async (situation, wanted) => {
    const order = await orderIn(situation)
    // Requests beside each other may come in either order.
    if (wanted.includes('refused beside')) expect(order.slice(0, -2)).toEqual(wanted.slice(0, -2))
    else expect(order).toEqual(wanted)
    expect(order.toSorted()).toEqual(wanted.toSorted())
  })

  it('lasts for its own try, also during a plain try within', async () => {
    const attempt = new SituationOfAttempt()
    expect(await attempt.during('both', () => attempt.during('plain', async () => attempt.now))).toBe('both')
    expect(attempt.now).toBe('plain')
  })

  it('must not overlap another situation of the same attempt', async () => {
    const attempt = new SituationOfAttempt()
    let end = (): void => undefined
    const first = attempt.during('both', () => new Promise<void>((resolve) => (end = resolve)))
    const second = attempt.during('after-refusal', () => new Promise<void>((resolve) => setTimeout(resolve)))
    end()
    await expect(first).rejects.toThrow('a situation (both) met another one of the same attempt')
    await second
  })

  it('proves nothing if the target accepts the request that must be refused', async () => {
    const accepting = async () => accepted
    await expect(sentInSituation('after-refusal', accepting, accepting)).rejects.toBeInstanceOf(Unproven)
  })
})

describe('lookInSituations', () => {
  /** Tries all situations of a long run. Tries with these numbers fail. Returns the number of tries. */
  async function triesFailing(errors: Readonly<Record<number, Error>>, goesOn = () => true): Promise<number> {
    let tries = 0
    const look = async (): Promise<void> => {
      const error = errors[++tries]
      if (error !== undefined) throw error
    }
    await lookInSituations(situationsOf(30, 10), look, { during: new SituationOfAttempt().during, goesOn })
    return tries
  }
  const finding = new Finding('it was accepted', { expected: [], actual: '', answers: [] })
  const unproven = new Unproven('no control')

  it('situationsOf returns fewer in a short run, and one in a very short run', () => {
    expect([1, 8, 30].map((runs) => situationsOf(runs, 10).length)).toEqual([1, 3, 6])
    expect(situationsOf(30, 4)).toHaveLength(4)
  })

  it.each([
    [
      'a finding, with its situation',
      2,
      finding,
      'it was accepted, right after a refused request on the same path',
    ],
    ['a first try that proves nothing', 1, unproven, 'no control'],
    ['an error of the suite', 3, new TypeError('a bug'), 'a bug'],
  ])('rejects with %s', async (_, at, error, message) => {
    await expect(triesFailing({ [at]: error })).rejects.toThrow(message)
  })

  it('ignores a further try that proves nothing', async () => {
    expect(await triesFailing({ 2: unproven })).toBe(6)
  })

  it('ends once the run may send no more', async () => {
    expect(await triesFailing({}, () => false)).toBe(1)
  })
})

const makes = {
  workspace: () => ({ collaborationId: 'c2', workspaceId: 'w1', minimumSyncMs: 0 }),
  federation: () => ({ federationId: 'f1' }),
  taskRun: () => ({ userName: 'mia', taskId: 't1', runId: 'r1' }),
  participant: () => ({ collaborationId: 'c3', participantPortalId: 'p1' }),
  collaboration: (count: number) => ({ collaborationId: `c${count + 3}` }),
  items: () => ({ owner: 'mia', itemIds: ['i1'] }),
  ineligibleUser: () => ({ username: 'nora' }),
}
const callers = ['contentAdministrator', 'guestAdministrator', 'syncInitiator', 'taskOwner']
const actors = Object.fromEntries(
  [...callers, 'organizationAdministrator'].map((name) => [
    name,
    { credential: `secret-of-${name}`, portal: 'host' },
  ]),
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

/** Sends the company of a request seven times: the callers and operations, the calls, and what was returned. */
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

describe('sendCompany beside reassign-items', () => {
  it('sends refused requests for all operations in turn, two at once, on fixtures of its own', async () => {
    const { asked, calls } = await sent('beside', await session())
    const kinds = [
      'anonymous delete-collaboration',
      'anonymous reassign-items',
      'anonymous sync-workspace',
      'anonymous update-federation',
      'anonymous update-participant',
      'anonymous update-task-run',
      'guestAdministrator add-workspace',
    ]
    expect(asked.toSorted()).toEqual(kinds.flatMap((kind) => [kind, kind]))
    const places = calls
      .filter(({ operation }) => operation === 'update-federation')
      .map(({ at }) => at.federationId)
    expect(places).toEqual(['f1', 'f1'])
  })

  it('stays on the same path if fixtures are a list, which is for the checks', async () => {
    const { asked } = await sent('beside', await session('lists'))
    expect(new Set(asked)).toEqual(new Set(['anonymous reassign-items']))
    expect(asked).toHaveLength(7)
  })

  it('omits operations whose callers are not configured', async () => {
    const on = await session()
    const { guestAdministrator: _, taskOwner: __, ...others } = on.configuration.actors
    Object.assign(on.configuration, { actors: others })
    const { asked } = await sent('beside', on)
    expect(asked.filter((each) => /add-workspace|update-task-run/.test(each))).toEqual([])
    expect(asked.length).toBeGreaterThan(9)
  })

  it('returns an answer that was wrongly accepted', async () => {
    const { ends } = await sent('beside', await session(), ({ operation }) =>
      operation === 'delete-collaboration' ? accepted : refused,
    )
    expect(ends.map((end) => end === accepted)).toEqual([true, false, false, false, true, false, false])
  })
})

describe('sendCompany before reassign-items', () => {
  it('sends requests on the same path, for an ineligible target user or without a credential', async () => {
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
