/** §4.4 and §3, what depends on time: the two modes, one sync at a time, and the next one. */
import { setTimeout as sleep } from 'node:timers/promises'
import { acceptance, describe } from '../clauses/acceptance.ts'
import { overlapOf, type SyncRequest, tooSoon, wellBefore } from '../clauses/timing.ts'
import type { Answer } from '../target/http/exchange.ts'
import { suite } from './check.ts'
import type { CheckContext } from './context/context.ts'
import { NotTested, Unproven } from './findings.ts'
import { type Lanes, lanesOf } from './lanes.ts'
import { together } from './races.ts'
import { longestSync, took } from './sync-length.ts'
import { inMode } from './sync-modes.ts'

const check = suite({
  operation: 'sync-workspace',
  actors: ['syncInitiator'],
  fixtures: ['workspace'],
  timed: true,
})

/** What measures time does not wait behind other requests. */
const urgent = { urgent: true } as const

type Context = CheckContext<'syncInitiator', 'workspace'>

/** Least durations asked of the fixture, one after the other while timing cannot tell; what it really gives counts. */
const askedMs = [300, 700, 1600, 3500]

/** A sync must be over well before the time-out of a request, or blocking could not be seen. */
const durations = ({ configuration }: Context): number[] =>
  askedMs.filter((asked, at) => at === 0 || asked <= longestWaitMs(configuration) / 3)

const longestWaitMs = ({ http }: Context['configuration']): number => http.headersTimeoutMs ?? http.timeoutMs

/** How many scenarios may hold requests up at once: a blocked client takes a place that other checks wait for. */
const lanes = ({ configuration }: Context): Lanes =>
  lanesOf(configuration, Math.floor(configuration.http.concurrency / 4))

async function timedWorkspace({ given }: Context, minimumSyncMs: number) {
  const workspace = await given.workspace({ minimumSyncMs })
  if (workspace.minimumSyncMs <= 0) {
    throw new NotTested('the fixture workspace gives no minimumSyncMs, without which timing proves nothing', [
      'fixtures.workspace.minimumSyncMs',
    ])
  }
  return workspace
}

const ms = (time: number): string => `${Math.round(time)} ms`

check('sync-workspace/synchronous-blocks', {}, async (context) => {
  const { as, control, expect } = context
  const once = async (): Promise<void> => {
    const { collaborationId, workspaceId, minimumSyncMs } = await timedWorkspace(
      context,
      askedMs[0] as number,
    )
    const at = { collaborationId, workspaceId }
    const answer = await as.syncInitiator('sync-workspace', at, inMode(context, 'synchronous'), urgent)
    control(answer)
    const early = tooSoon(took(answer), minimumSyncMs)
    expect(answer).toShow(!early, 'the answer came before the sync can have been complete', {
      expected: `an answer no sooner than ${ms(minimumSyncMs)} after the request`,
      actual: `the answer came after ${ms(took(answer))}`,
    })
  }
  await Promise.all([lanes(context).run(once), lanes(context).run(once)])
})

check('sync-workspace/asynchronous-returns', {}, async (context) => {
  const { as, control, expect } = context
  const times: number[] = []
  let alwaysBlocked = true
  let last: Answer | undefined
  for (const asked of durations(context)) {
    const { collaborationId, workspaceId, minimumSyncMs } = await timedWorkspace(context, asked)
    const at = { collaborationId, workspaceId }
    last = await as.syncInitiator('sync-workspace', at, inMode(context, 'asynchronous'), urgent)
    control(last)
    const time = took(last)
    if (wellBefore(time, minimumSyncMs))
      return expect(last).toShow(true, 'in time', { expected: '', actual: '' })
    times.push(time)
    alwaysBlocked &&= !tooSoon(time, minimumSyncMs)
  }
  const came = `the answers came after ${times.map(ms).join(', ')}`
  if (!alwaysBlocked || last === undefined) throw new Unproven(`timing could not tell: ${came}`)
  expect(last).toShow(false, 'the client was blocked although it asked for asynchronous mode', {
    expected: 'an answer well before the sync can end',
    actual: `${came}, each only once its sync was over`,
  })
})

/** What timing needs to know of a request for a sync. */
function requestOf(answer: Answer, { expect }: Context): SyncRequest {
  const { accepted } = acceptance(answer)
  const { sentAt, answeredAt } = answer
  return { sentAt, answeredAt, accepted, jobId: accepted ? expect(answer).field('jobId').string : '' }
}

function expectApart(context: Context, first: Answer, second: Answer, minimumSyncMs: number): boolean {
  const overlap = overlapOf(requestOf(first, context), requestOf(second, context), minimumSyncMs)
  if (overlap.verdict === 'unknown') return false
  context
    .expect(second, first)
    .toShow(overlap.verdict === 'apart', 'a second sync was started while the first one ran', {
      expected: `refused, or held until ${ms(2 * minimumSyncMs)} after the first request, or answered with the running job`,
      actual: `${describe(second)} under another job, ${ms(second.answeredAt - first.sentAt)} after the first request`,
    })
  if (overlap.verdict === 'apart') context.observe('second-sync', overlap.how)
  return true
}

check('sync-workspace/one-at-a-time', { overlapping: true }, async (context) => {
  const { as, control } = context
  for (const asked of durations(context)) {
    const { collaborationId, workspaceId, minimumSyncMs } = await timedWorkspace(context, asked)
    const at = { collaborationId, workspaceId }
    const first = await as.syncInitiator('sync-workspace', at, inMode(context, 'asynchronous'), urgent)
    control(first)
    const ask = () => as.syncInitiator('sync-workspace', at, inMode(context, 'synchronous'), urgent)
    const second = await ask()
    if (!expectApart(context, first, second, minimumSyncMs)) continue
    // One that was refused must not make way for the next: the first one still runs.
    if (!acceptance(second).accepted) expectApart(context, first, await ask(), minimumSyncMs)
    return
  }
  throw new Unproven('timing could not tell: no second request met a running sync')
})

check(
  'sync-workspace/one-at-a-time:together',
  {
    overlapping: true,
    title: 'Of two syncs that are asked for at the same moment the second does not run beside the first.',
  },
  async (context) => {
    const rounds = Math.min(10, Math.max(3, Math.ceil(context.configuration.run.runs / 10)))
    for (const asked of durations(context)) {
      const met = await Promise.all(
        Array.from({ length: rounds }, () => lanes(context).run(() => syncRace(context, asked))),
      )
      if (met.includes(true)) return
    }
    throw new Unproven(
      'timing could not tell: in no round was one of two syncs accepted while the other was asked for',
    )
  },
)

/** Two synchronous requests at once; whether one of them met the sync of the other. */
async function syncRace(context: Context, asked: number): Promise<boolean> {
  const { collaborationId, workspaceId, minimumSyncMs } = await timedWorkspace(context, asked)
  const at = { collaborationId, workspaceId }
  const request = inMode(context, 'synchronous')
  const both = await together(
    [0, 1].map(() => (gate) => context.as.syncInitiator('sync-workspace', at, request, { gate })),
  )
  const [first, second] = both.sort((a, b) => a.answeredAt - b.answeredAt) as [Answer, Answer]
  const [winner, other] = acceptance(first).accepted ? [first, second] : [second, first]
  return acceptance(winner).accepted && expectApart(context, winner, other, minimumSyncMs)
}

check(
  'sync-workspace/one-at-a-time:scheduled',
  {
    whereOffered: ['scheduledSync'],
    title: 'While a scheduled sync is in progress a new one is not started until it has finished.',
  },
  async (context) => {
    const { as, given, control, expect, observe, settled } = context as unknown as CheckContext<
      'syncInitiator',
      'scheduledSync'
    >
    for (const asked of durations(context)) {
      const began = performance.now()
      const { collaborationId, workspaceId, remainingMs } = await given.scheduledSync({ remainingMs: asked })
      // It began its rest between the two, so each stands on the side on which the check must be careful.
      const latestEnd = performance.now() + remainingMs
      const at = { collaborationId, workspaceId }
      const answer = await as.syncInitiator('sync-workspace', at, inMode(context, 'synchronous'), urgent)
      if (answer.sentAt > began + remainingMs / 2) continue
      const { accepted } = acceptance(answer)
      const waited = answer.answeredAt - began
      const early = accepted && tooSoon(waited, remainingMs)
      expect(answer).toShow(!early, 'a sync was complete while the scheduled one still ran', {
        expected: `refused, or no success before the scheduled sync ends, ${ms(remainingMs)} after it was handed out`,
        actual: `${describe(answer)}, ${ms(waited)} after it was handed out`,
      })
      observe('second-sync', `${accepted ? 'held' : 'refused'} while a scheduled sync runs`)
      if (accepted) return
      // Refused for the running sync, or for anything else? Once it is over the same request must be accepted.
      await sleep(Math.max(0, latestEnd - performance.now()))
      const again = () => as.syncInitiator('sync-workspace', at, inMode(context, 'asynchronous'), urgent)
      const started = (later: Answer): boolean => acceptance(later).accepted
      const after = await settled(again, started)
      // A busy target may be late with its end: once more, before this counts as proving nothing.
      control(
        started(after) ? after : await settled(again, started),
        'the same request after the scheduled sync',
      )
      return
    }
    throw new Unproven('timing could not tell: every scheduled sync was nearly over before the request')
  },
)

check('sync-workspace/after-finish', {}, async (context) => {
  const { as, control, expect, configuration } = context
  const workspace = await context.given.workspace({ minimumSyncMs: askedMs[0] as number })
  const at = { collaborationId: workspace.collaborationId, workspaceId: workspace.workspaceId }
  const first = await as.syncInitiator('sync-workspace', at, inMode(context, 'asynchronous'), urgent)
  control(first)
  const longest = longestSync(workspace, configuration.run.settleMs)
  const until = first.answeredAt + longest
  for (;;) {
    await sleep(Math.min(Math.max(longest / 10, 20), Math.max(0, until - performance.now()) + 1))
    const lastChance = performance.now() >= until
    const next = await as.syncInitiator('sync-workspace', at, inMode(context, 'asynchronous'), urgent)
    const another =
      acceptance(next).accepted && requestOf(next, context).jobId !== requestOf(first, context).jobId
    if (!another && !lastChance) continue
    return expect(next, first).toShow(another, 'after the sync had finished the next one was not accepted', {
      expected: `a new job within ${ms(longest)} after the first one began`,
      actual: describe(next),
    })
  }
})
