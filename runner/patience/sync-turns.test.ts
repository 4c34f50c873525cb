import { setTimeout as sleep } from 'node:timers/promises'
import { describe, expect, it } from 'vitest'
import { type Answer, TransportError } from '../../deployment/http/exchange.ts'
import { answerOf } from '../answers.fixture.ts'
import { Finding, Unproven } from '../findings.ts'
import { logOf } from '../log/exchange.fixture.ts'
import type { Effect } from '../log/run-log.ts'
import { type Mode, SyncTimes, wasStarted } from './sync-times.ts'
import { type SyncAsked, SyncTurns } from './sync-turns.ts'

const lengthMs = 60

const settled = { sync: { parameter: 'mode', synchronous: 'waits', asynchronous: 'goes on' } }
const from = { sent: { portal: 'guest', path: '', fields: [] }, by: 'a check' } as const

const syncOf = (workspaceId: string, mode: Mode): Effect => ({
  operation: 'sync-workspace',
  actor: 'syncInitiator',
  at: { collaborationId: 'c', workspaceId },
  request: { mode: settled.sync[mode] },
})

interface Target {
  /** Whether it refuses a sync now: of a workspace, while these run. */
  readonly refuses?: (workspaceId: string, running: readonly string[]) => boolean
  /** How long a sync waits until it starts, while these run. */
  readonly holds?: (running: readonly string[]) => Promise<void> | undefined
}

/** Turns on a target of a few lines, all of whose syncs take as long, and what asks it for asynchronous ones. */
function setting({ refuses = () => false, holds = () => undefined }: Target) {
  const times = new SyncTimes(50, settled)
  const turns = new SyncTurns(times)
  const log = logOf(times)
  const running: string[] = []
  let requests = 0
  const answer = async (workspaceId: string): Promise<Answer> => {
    const sentAt = performance.now()
    requests += 1
    await sleep(1)
    if (refuses(workspaceId, running))
      return answerOf({ error: {} }).with({ sentAt, answeredAt: performance.now() })
    await holds(running)
    running.push(workspaceId)
    void sleep(lengthMs).then(() => running.splice(running.indexOf(workspaceId), 1))
    return answerOf({ success: true }).with({ sentAt, answeredAt: performance.now() })
  }
  const send = (workspaceId: string) => () =>
    log.exchange(syncOf(workspaceId, 'asynchronous'), from, () => answer(workspaceId))
  const sync = async (workspaceId: string, how: Partial<SyncAsked> = {}) => {
    const workspace = {
      collaborationId: 'c',
      workspaceId,
      minimumSyncMs: lengthMs,
      maximumSyncMs: 2 * lengthMs,
    }
    if (times.leastOf(workspaceId) === 0) times.handedOut('workspace', workspace)
    const asked = { workspaceId, permitted: true, patient: true, ...how } as const
    return wasStarted(await turns.of(asked, send(workspaceId)))
  }
  return { turns, times, sync, send, running, requests: () => requests }
}

const many = (count: number) => Array.from({ length: count }, (_, at) => `w${at}`)

describe('how long syncs were waited for', () => {
  it('grows while one is not answered, and is remembered', async () => {
    const times = new SyncTimes(50, settled)
    const log = logOf(times)
    let reply: (answer: Answer) => void = () => undefined
    const waiting = new Promise<Answer>((resolve) => {
      reply = resolve
    })
    const asked = log.exchange(syncOf('w', 'synchronous'), from, () => waiting)
    void log.exchange(syncOf('v', 'asynchronous'), from, () => new Promise<Answer>(() => {}))
    await sleep(60)
    expect(times.longestWait).toBeGreaterThan(50)
    reply(answerOf({ success: true }, { answeredAt: 12_000 }))
    await asked
    expect(times.longestWait).toBe(12_000)
  })
})

describe('a sync whose answer was lost', () => {
  const underWayAfter = async (answer: () => Promise<Answer>) => {
    const times = new SyncTimes(60_000, settled)
    await logOf(times)
      .exchange(syncOf('w', 'asynchronous'), from, answer)
      .catch(() => undefined)
    return times.underWay('w').length
  }
  const sent = answerOf({}).request

  it.each([
    ['HTTP 504', async () => answerOf('<html>', { status: 504 })],
    ['error code 502 under HTTP 200', async () => answerOf({ error: { code: 502 } })],
    [
      'a refusal after a retry',
      async () => answerOf({ error: { code: 400 } }).with({ repeatedAfter: ['HTTP 504'] }),
    ],
    ['a time-out', () => Promise.reject(new TransportError('timeout', 'no answer', sent, { sentAt: 1 }))],
  ])('may run: %s', async (_, answer) => {
    expect(await underWayAfter(answer)).toBe(1)
  })

  it.each([
    ['HTTP 503', async () => answerOf('<html>', { status: 503 })],
    ['a refusal', async () => answerOf({ error: { code: 400 } })],
    [
      'a refused connection',
      () => Promise.reject(new TransportError('unreachable', 'refused', sent, { sentAt: 1 })),
    ],
    ['a request that was not sent', () => Promise.reject(new TransportError('timeout', 'not sent', sent))],
  ])('does not run: %s', async (_, answer) => {
    expect(await underWayAfter(answer)).toBe(0)
  })
})

describe('syncs of different workspaces', () => {
  it('go on beside each other where nothing is wrong, and are asked for once', async () => {
    const { turns, sync, requests } = setting({})
    expect(await Promise.all(many(8).map((id) => sync(id)))).not.toContain(false)
    expect([turns.taken, requests()]).toEqual([false, 8])
  })

  it('take turns where one that runs keeps all others away, and all are accepted', async () => {
    const { turns, sync } = setting({ refuses: (_, running) => running.length > 0 })
    expect(await Promise.all(many(5).map((id) => sync(id)))).not.toContain(false)
    expect(turns.taken).toBe(true)
  })

  it('take turns where only this many run at a time', async () => {
    const { sync } = setting({ refuses: (_, running) => running.length > 2 })
    expect(await Promise.all(many(8).map((id) => sync(id)))).not.toContain(false)
  })

  it('are refused where nothing in the way explains it, and soon that is believed', async () => {
    const { turns, sync, requests } = setting({ refuses: (id) => id.startsWith('bad') })
    expect(await sync('bad')).toBe(false)
    expect(requests()).toBe(1)
    for (const id of ['bad1', 'bad2', 'bad3']) {
      await sync(`good beside ${id}`)
      expect(await sync(id)).toBe(false)
    }
    expect(turns.taken).toBe(false)
    const before = requests()
    await sync('good at last')
    expect(await sync('bad4')).toBe(false)
    expect(requests()).toBe(before + 2)
  })

  it('go freely again once they went on beside each other often enough', async () => {
    let refused = 0
    const { turns, sync } = setting({ refuses: (_, { length }) => length > 0 && refused++ < 2 })
    await Promise.all(many(30).map((id) => sync(id)))
    expect(turns.taken).toBe(false)
  })
})

describe('a second sync of a workspace', () => {
  it('is asked for until the first is over, and keeps no other one waiting', async () => {
    const { turns, sync } = setting({ refuses: (id, running) => running.includes(id) })
    expect([await sync('a'), ...(await Promise.all([sync('a'), sync('b')]))]).toEqual([true, true, true])
    expect(turns.taken).toBe(false)
  })

  it('is asked for through a cool-down', async () => {
    let over = Number.POSITIVE_INFINITY
    const { sync } = setting({
      refuses: () => performance.now() < over + 400 && over !== Number.POSITIVE_INFINITY,
    })
    await sync('a')
    over = performance.now() + lengthMs
    expect(await sync('a')).toBe(true)
  })

  it('is asked for once where the first answer counts', async () => {
    const { sync, requests } = setting({ refuses: (id, running) => running.includes(id) })
    await sync('a')
    expect(await sync('a', { patient: false })).toBe(false)
    expect(requests()).toBe(2)
  })
})

describe('what has it all to itself', () => {
  it('goes at once where syncs do not take turns', async () => {
    const { turns, sync, running } = setting({})
    await sync('a')
    expect(await turns.alone(async () => [...running])).toEqual(['a'])
  })

  it('is tried again in quiet where only now it shows that they hold each other up', async () => {
    const { turns, sync, running } = setting({ refuses: (_, { length }) => length > 0 })
    await sync('a')
    const seen: number[] = []
    const scenario = async () => {
      seen.push(running.length)
      if (!(await sync('b', { patient: false }))) throw new Unproven('refused')
      return 'done'
    }
    expect(await turns.alone(scenario)).toBe('done')
    expect(seen).toEqual([1, 0])
  })

  describe('and blames a sync that was refused', () => {
    const blamed = (answer: Answer) =>
      new Finding('a sync was refused', { expected: [], actual: '', answers: [answer] })

    it('is tried again in quiet where other syncs ran, at the beginning or only then', async () => {
      for (const when of ['before', 'beside'] as const) {
        const { turns, sync, send, running } = setting({ refuses: (_, { length }) => length > 0 })
        if (when === 'before') await sync('a')
        let tries = 0
        const scenario = async () => {
          tries += 1
          if (when === 'beside' && tries === 1) await sync('a')
          const answer = await send('b')()
          if (!wasStarted(answer)) throw blamed(answer)
          return [...running]
        }
        expect(await turns.alone(scenario)).toEqual(['b'])
        expect(tries).toBe(2)
      }
    })

    it('stands where none ran, and where it is refused in quiet as well', async () => {
      for (const beside of [false, true]) {
        const { turns, sync, send } = setting({ refuses: (id) => id === 'b' })
        if (beside) await sync('a')
        let tries = 0
        const scenario = async () => {
          tries += 1
          throw blamed(await send('b')())
        }
        await expect(turns.alone(scenario)).rejects.toThrow('a sync was refused')
        expect(tries).toBe(beside ? 2 : 1)
      }
    })
  })

  it('passes on what is wrong with the target itself', async () => {
    const { turns } = setting({})
    await expect(turns.alone(() => Promise.reject(new Unproven('refused')))).rejects.toThrow('refused')
  })
})

describe('the longest that a sync takes', () => {
  const handedOut = (workspace: { minimumSyncMs: number; maximumSyncMs?: number }) => {
    const times = new SyncTimes(100, settled)
    times.handedOut('workspace', { collaborationId: 'c', workspaceId: 'w', ...workspace })
    return times
  }
  const synced = (times: SyncTimes, tookMs: number) =>
    logOf(times).exchange(syncOf('w', 'synchronous'), from, async () =>
      answerOf({ success: true }, { answeredAt: tookMs }),
    )

  it('is what the fixture says', async () => {
    const times = handedOut({ minimumSyncMs: 300, maximumSyncMs: 500 })
    expect([times.longestOf('w'), times.knowsLongestOf('w')]).toEqual([500, true])
  })

  it('is the settle time beyond what was measured, and before that a guess', async () => {
    const times = handedOut({ minimumSyncMs: 300 })
    expect([times.longestOf('w'), times.knowsLongestOf('w')]).toEqual([400, false])
    await synced(times, 2600)
    expect([times.longestOf('w'), times.knowsLongestOf('w')]).toEqual([2700, true])
  })

  it('is not measured by an answer that did not wait', async () => {
    const times = handedOut({ minimumSyncMs: 300 })
    await synced(times, 5)
    expect(times.knowsLongestOf('w')).toBe(false)
  })
})
