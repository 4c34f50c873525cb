import { setTimeout as sleep } from 'node:timers/promises'
import { describe, expect, it } from 'vitest'
import { type Answer, TransportError, type TransportFault } from '../../deployment/http/exchange.ts'
import { answerOf } from '../answers.fixture.ts'
import { Finding, NothingSent, Unproven } from '../findings.ts'
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

/** Whether a target refuses a sync of the workspace while these run. */
type Refuses = (workspaceId: string, running: readonly string[]) => boolean

/** Turns on a small target whose syncs all take `lengthMs`. `sync` asks for an asynchronous sync. */
function setting(refuses: Refuses = () => false) {
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
    const asked = { workspaceId, patient: true, ...how } as const
    return wasStarted(await turns.of(asked, send(workspaceId)))
  }
  return { turns, times, sync, send, running, requests: () => requests }
}

it('waits no more for syncs once nothing is sent any more', async () => {
  const { turns, sync } = setting()
  await sync('w')
  let scenarios = 0
  const ended = turns.alone(async () => {
    scenarios += 1
    throw new NothingSent('the credential ended')
  })
  await expect(ended).rejects.toThrow('the credential ended')
  expect(scenarios).toBe(1)
  await expect(turns.inQuiet(async () => undefined)).rejects.toThrow('the credential ended')
})

const many = (count: number) => Array.from({ length: count }, (_, at) => `w${at}`)

it('SyncTimes.longestWait grows while a sync is not answered, and ends at its duration', async () => {
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

const brokenBy = (fault: TransportFault, sentAt?: number) =>
  new TransportError(fault, fault, answerOf({}).request, sentAt === undefined ? {} : { sentAt })
const again = { repeatedAfter: ['HTTP 504'] }

it.each<[string, Answer | TransportError, number]>([
  ['a sync may be running after HTTP 504', answerOf('<html>', { status: 504 }), 1],
  ['a sync may be running after error code 502 under HTTP 200', answerOf({ error: { code: 502 } }), 1],
  ['a sync may be running if a retry was refused', answerOf({ error: { code: 400 } }).with(again), 1],
  ['a sync may be running after a time-out', brokenBy('timeout', 1), 1],
  ['no sync is running after HTTP 503', answerOf('<html>', { status: 503 }), 0],
  ['no sync is running after a refusal', answerOf({ error: { code: 400 } }), 0],
  ['no sync is running after a refused connection', brokenBy('unreachable', 1), 0],
  ['no sync is running if nothing was sent', brokenBy('timeout'), 0],
])('SyncTimes: %s', async (_, end, running) => {
  const times = new SyncTimes(60_000, settled)
  const answer = async () => {
    if (end instanceof TransportError) throw end
    return end
  }
  await logOf(times)
    .exchange(syncOf('w', 'asynchronous'), from, answer)
    .catch(() => undefined)
  expect(times.underWay('w')).toHaveLength(running)
})

describe('syncs of different workspaces', () => {
  it('run side by side, with one request each, if the target accepts them', async () => {
    const { turns, sync, requests } = setting()
    expect(await Promise.all(many(8).map((id) => sync(id)))).not.toContain(false)
    expect([turns.taken, requests()]).toEqual([false, 8])
  })

  it.each([
    ['one sync', 1, 5],
    ['three syncs', 3, 8],
  ])('take turns if the target runs only %s at a time, and all are accepted', async (_, most, count) => {
    const { turns, sync } = setting((_, { length }) => length >= most)
    expect(await Promise.all(many(count).map((id) => sync(id)))).not.toContain(false)
    expect(turns.taken).toBe(true)
  })

  it('stay refused if no other sync explains the refusal, soon without retries', async () => {
    const { turns, sync, requests } = setting((id) => id.startsWith('bad'))
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
})

describe('a second sync of a workspace', () => {
  it('is retried until the first is over, while other workspaces sync', async () => {
    const { turns, sync } = setting((id, running) => running.includes(id))
    expect([await sync('a'), ...(await Promise.all([sync('a'), sync('b')]))]).toEqual([true, true, true])
    expect(turns.taken).toBe(false)
  })

  it('is retried during a cool-down', async () => {
    let over = Number.POSITIVE_INFINITY
    const { sync } = setting(() => performance.now() < over + 400 && over !== Number.POSITIVE_INFINITY)
    await sync('a')
    over = performance.now() + lengthMs
    expect(await sync('a')).toBe(true)
  })

  it('is not retried if the first answer counts', async () => {
    const { sync, requests } = setting((id, running) => running.includes(id))
    await sync('a')
    expect(await sync('a', { patient: false })).toBe(false)
    expect(requests()).toBe(2)
  })
})

describe('SyncTurns.alone', () => {
  const oneAtATime: Refuses = (_, { length }) => length > 0
  const neverB: Refuses = (id) => id === 'b'

  it('retries the scenario without other syncs if one was refused beside another', async () => {
    const { turns, sync, running } = setting(oneAtATime)
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

  it.each([
    ['is retried alone if another sync ran before', oneAtATime, 'before', 2, 'accepted'],
    ['is retried alone if another sync ran beside', oneAtATime, 'beside', 2, 'accepted'],
    ['counts if no other sync ran', neverB, 'never', 1, 'refused'],
    ['counts if two retries alone are refused as well', neverB, 'before', 3, 'refused'],
  ] as const)('a finding about a refused sync %s', async (_, target, other, wanted, end) => {
    const { turns, sync, send, running } = setting(target)
    if (other === 'before') await sync('a')
    let tries = 0
    const scenario = async () => {
      tries += 1
      if (other === 'beside' && tries === 1) await sync('a')
      const answer = await send('b')()
      if (!wasStarted(answer))
        throw new Finding('a sync was refused', { expected: [], actual: '', answers: [answer] })
      return [...running]
    }
    const ended = turns.alone(scenario)
    if (end === 'accepted') expect(await ended).toEqual(['b'])
    else await expect(ended).rejects.toThrow('a sync was refused')
    expect(tries).toBe(wanted)
  })
})

it('SyncTurns.inQuiet runs a scenario alone, and scenarios that wait for it then run beside each other', async () => {
  const { turns, sync, running } = setting()
  await sync('a')
  let atOnce = 0
  let most = 0
  const beside = async () => {
    atOnce += 1
    most = Math.max(most, atOnce)
    await sleep(5)
    atOnce -= 1
  }
  const quiet = turns.inQuiet(async () => {
    const before = [...running]
    await sleep(5)
    return { before, after: [...running], atOnce }
  })
  await Promise.all([quiet, turns.alone(beside), turns.alone(beside), sync('b')])
  expect(await quiet).toEqual({ before: [], after: [], atOnce: 0 })
  expect(most).toBe(2)
})

it('SyncTimes.longestOf grows while the first measured sync keeps its client waiting', async () => {
  const times = new SyncTimes(50, settled)
  void logOf(times).exchange(syncOf('w', 'synchronous'), from, () => new Promise<Answer>(() => {}))
  const before = times.longestOf('v')
  await sleep(30)
  expect(times.longestOf('v')).toBeGreaterThan(before + 25)
  expect(times.knowsLongestOf('v')).toBe(false)
})

it.each([
  ['the maximum of the fixture', 500, undefined, [500, true]],
  ['a guess before the first measurement', undefined, undefined, [400, false]],
  ['the measured time plus the settle time', undefined, 2600, [2700, true]],
  ['still a guess after an answer that did not wait for the sync', undefined, 5, [400, false]],
])('SyncTimes.longestOf is %s', async (_, maximumSyncMs, tookMs, wanted) => {
  const times = new SyncTimes(100, settled)
  const workspace = { collaborationId: 'c', workspaceId: 'w', minimumSyncMs: 300 }
  times.handedOut('workspace', maximumSyncMs === undefined ? workspace : { ...workspace, maximumSyncMs })
  if (tookMs !== undefined)
    await logOf(times).exchange(syncOf('w', 'synchronous'), from, async () =>
      answerOf({ success: true }, { answeredAt: tookMs }),
    )
  expect([times.longestOf('w'), times.knowsLongestOf('w')]).toEqual(wanted)
})
