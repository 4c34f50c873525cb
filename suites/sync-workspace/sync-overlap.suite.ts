/** §4.4 and §3, what becomes of a sync that is asked for while another one runs. */
import { setTimeout as sleep } from 'node:timers/promises'
import { acceptance, describe, isAccepted } from '../../clauses/acceptance.ts'
import { ms, overlapOf, took, tooSoon, waitedFor } from '../../clauses/timing.ts'
import type { PortalName } from '../../deployment/configuration/actors.ts'
import { type Answer, TransportError } from '../../deployment/http/exchange.ts'
import { suite } from '../../runner/check.ts'
import type { CheckContext } from '../../runner/context/context.ts'
import { tries } from '../../runner/effort.ts'
import { NotTested, Unproven } from '../../runner/findings.ts'
import { inMode, type Mode } from '../../runner/patience/sync-modes.ts'
import { together } from '../common/races.ts'
import {
  allOver,
  areRecorded,
  durations,
  lanes,
  latencyOf,
  lengths,
  loneSync,
  onTimedWorkspace,
  requestOf,
  type SyncContext,
  type SyncPlace,
  scheduledRuns,
  sync,
  syncOnce,
  type Timed,
} from './timed-syncs.ts'

const initiator = { operation: 'sync-workspace', actors: ['syncInitiator'], traits: ['overlapping'] } as const
const scheduled = suite({ ...initiator, fixtures: ['scheduledSync'] })

type ScheduledContext = CheckContext<'syncInitiator', 'scheduledSync'>

for (const [id, title, modes] of [
  [
    'sync-workspace/one-at-a-time',
    'While a scheduled sync is in progress an asynchronous request starts nothing, and makes way for nothing.',
    ['asynchronous', 'synchronous'],
  ],
  [
    'sync-workspace/one-at-a-time:scheduled',
    'While a scheduled sync is in progress a new one is not started until it has finished, however often it is asked for, and by whomever.',
    ['synchronous', 'synchronous'],
  ],
] as const) {
  scheduled(id, { title }, async (context) => {
    // A stranger who is refused makes way for nobody.
    const stranger = (at: SyncPlace) => context.as.anonymous('sync-workspace', at, {}, { urgent: true })
    const meanwhile = modes[0] === 'synchronous' ? stranger : undefined
    const met = await untilOneMeets(
      context,
      (asked) => meetsScheduled(context, asked, modes, meanwhile),
      'timing could not tell: no request met a scheduled sync, or the target is as slow in any answer',
    )
    if (met && modes[0] === 'asynchronous') await looksLate(context)
  })
}

/** Looks at scheduled syncs of each length until one is met; whether that is sure. Inconclusive where none may have been. */
async function untilOneMeets(
  context: ScheduledContext,
  look: (asked: number) => Promise<boolean | 'perhaps'>,
  otherwise: string,
): Promise<boolean> {
  let perhaps = false
  for (const asked of lengths(context)) {
    const met = await look(asked)
    if (met === true) return true
    perhaps ||= met === 'perhaps'
  }
  if (!perhaps) throw new Unproven(otherwise)
  return false
}

/** What took no longer than so many syncs of that workspace alone may have been one that waited for nothing. */
const hardlyLonger = 1.25

/** Asks in those modes while a scheduled sync runs; whether a request met it. Perhaps: it took no longer than a lone sync. */
async function meetsScheduled(
  context: ScheduledContext,
  asked: number,
  modes: readonly Mode[],
  meanwhile: (at: SyncPlace) => Promise<unknown> = () => Promise.resolve(),
): Promise<boolean | 'perhaps'> {
  const { given, expect, openPoints, control } = context
  const { at, met, refused, after } = await context.syncs.alone(async (): Promise<Met> => {
    const began = performance.now()
    const { remainingMs, ...at } = await given.scheduledSync({ remainingMs: asked })
    const before: Answer[] = []
    let met = false
    await meanwhile(at)
    if (remainingMs === 0) return meetsRecorded(context, at, modes)
    for (const mode of modes) {
      const answer = await syncOnce(context, at, mode)
      if (answer.sentAt > began + remainingMs / 2) break
      const { accepted } = acceptance(answer)
      // It began its rest between question and answer of the fixture: the earlier end is the safe one.
      const waited = answer.answeredAt - began
      const kept = expect(answer, ...before).keeps('sync-workspace/one-at-a-time')
      const late = accepted && !tooSoon(waited, remainingMs)
      const held = late && waitedFor(waited, remainingMs, await latencyOf(context, at))
      met = kept && (held || !accepted)
      const how = accepted ? (held ? 'held' : 'accepted at once') : 'refused'
      if (!late || held) openPoints.observe('second-sync', `${how} while a scheduled sync runs`)
      if (late) return { at, met, refused: false, after: answer }
      before.push(answer)
    }
    return { at, met, refused: before.some((answer) => !isAccepted(answer)) }
  })
  // Refused for the running sync, or for anything else? Once it is over the same request must be accepted.
  if (refused) control(await sync(context, at, 'asynchronous'), 'the same request after the scheduled sync')
  if (!met || after === undefined) return met
  const lone = await loneSync(context, at, 0)
  return lone !== undefined && took(after) < lone.tookMs * hardlyLonger ? 'perhaps' : true
}

interface Met {
  readonly at: SyncPlace
  /** Whether a request met the scheduled sync, and whether one was refused. */
  readonly met: boolean
  readonly refused: boolean
  /** One that succeeded after the scheduled sync. */
  readonly after?: Answer
}

const pollMs = 50

/** The same where nobody knows how long the scheduled sync goes on: the deployment's page tells whether it runs. */
async function meetsRecorded(context: ScheduledContext, at: SyncPlace, modes: readonly Mode[]): Promise<Met> {
  if (!areRecorded(context))
    throw new NotTested(
      'the fixture scheduledSync gives no remainingMs, without which timing proves nothing',
      ['fixtures.scheduledSync.remainingMs'],
    )
  const { expect, openPoints, configuration } = context
  const before: Answer[] = []
  const refused = () => before.some((answer) => !isAccepted(answer))
  for (const mode of modes) {
    if (!(await scheduledRuns(context, at))) break
    // Seen to run by looks that were sent after the request: the last of them met it there.
    let seen = 0
    let answered = false
    const watched = (async () => {
      for (; !answered; await sleep(pollMs)) if (await scheduledRuns(context, at)) seen += answered ? 0 : 1
    })()
    const answer = await syncOnce(context, at, mode).finally(() => {
      answered = true
    })
    await watched
    if (mode === 'asynchronous') {
      before.push(answer)
      continue
    }
    const { accepted } = acceptance(answer)
    // The page may be late by the settle time.
    if (accepted) await sleep(configuration.run.settleMs)
    const stillRuns = await scheduledRuns(context, at)
    expect(answer, ...before).toShow(
      !(accepted && stillRuns),
      'a sync was complete while the scheduled one still ran',
      {
        expected: 'refused, or no success before the scheduled sync has ended',
        actual: `${describe(answer)}; ${ms(configuration.run.settleMs)} later the scheduled sync still ran`,
        indirect: true,
      },
    )
    const met = accepted ? seen > 1 : stillRuns
    if (met) openPoints.observe('second-sync', `${accepted ? 'held' : 'refused'} while a scheduled sync runs`)
    await allOver(context, at)
    return { at, met, refused: !accepted || refused() }
  }
  await allOver(context, at)
  return { at, met: false, refused: refused() }
}

scheduled(
  'sync-workspace/one-at-a-time:deletion',
  {
    also: ['delete-collaboration'],
    actors: ['hostAdministrator'],
    fixtures: ['collaboration'],
    title:
      'While a scheduled sync is in progress no other is started because another collaboration was deleted.',
  },
  async (context) => {
    const { as, given, control } = context
    const look = async (asked: number) => {
      // Obtained ahead: the scheduled sync waits for nobody.
      const elsewhere = await given.collaboration()
      const remove = async () =>
        control(await as.hostAdministrator('delete-collaboration', elsewhere, {}, { urgent: true }))
      return meetsScheduled(context, asked, ['synchronous'], remove)
    }
    await untilOneMeets(
      context,
      look,
      'timing could not tell: no request met a scheduled sync after a deletion',
    )
  },
)

/** When it is asked for late, as a part of the scheduled sync. */
const late = 0.55

/**
 * Asks twice at the beginning of a long scheduled sync, has another workspace synced, and asks again in its second half,
 * on every path of the caller. Left out where syncs take turns: everything would wait for it.
 */
async function looksLate(context: ScheduledContext): Promise<void> {
  const asked = [...durations(context)][2]
  if (asked === undefined || context.syncs.taken) return
  let elsewhere: SyncPlace | undefined
  if (tries('thorough', context.configuration.run))
    await context.openPoints.aside(async () => {
      elsewhere = await context.given.ownWorkspace()
    })
  const began = performance.now()
  const { remainingMs, ...at } = await context.given.scheduledSync({ remainingMs: asked })
  if (remainingMs === 0) return
  const before = [await syncOnce(context, at, 'asynchronous'), await syncOnce(context, at, 'asynchronous')]
  // The end of that sync is not the end of the scheduled one.
  if (elsewhere !== undefined) await syncOnce(context, elsewhere, 'asynchronous')
  await sleep(Math.max(0, began + remainingMs * late - performance.now()))
  const ask = (portal: PortalName) =>
    syncOnce(context, { ...at, portal }, 'synchronous').catch((error: unknown) => {
      // Held for longer than anybody waits, behind the others that were asked for: that is no success too soon.
      if (error instanceof TransportError && error.fault === 'timeout') return undefined
      throw error
    })
  for (const portal of context.callers.portalsTriedBy('syncInitiator')) {
    // While the first is held, another one must not get past it.
    const answers = await Promise.all([ask(portal), sleep(pollMs).then(() => ask(portal))])
    const came = answers.filter((answer) => answer !== undefined)
    for (const answer of came) context.expect(answer, ...before).keeps('sync-workspace/one-at-a-time')
    if (came.length < answers.length || came.some(isAccepted)) return
  }
}

const own = suite({ ...initiator, fixtures: ['workspace'], settled: ['sync-mode'] })

for (const [id, needs] of [
  ['sync-workspace/own-syncs-one-at-a-time', {}],
  [
    'profile/own-syncs-one-at-a-time',
    {
      profile: { closed: 'own-syncs' },
    },
  ],
] as const) {
  own(id, needs, async (context) => {
    for (const asked of durations(context))
      if (await onTimedWorkspace(context, asked, (timed) => meetsOwn(context, timed))) return
    throw new Unproven('timing could not tell: no second request met a running sync')
  })

  own(
    `${id}:together`,
    {
      ...needs,
      title: 'Of two syncs that are asked for at the same moment the second does not run beside the first.',
    },
    async (context) => {
      const { configuration, syncs } = context
      const wanted = Math.min(10, Math.max(3, Math.ceil(configuration.run.runs / 10)))
      let refused = 0
      for (const asked of durations(context)) {
        const rounds = syncs.taken ? 1 : wanted
        const race = () =>
          lanes(context).run(() => onTimedWorkspace(context, asked, (timed) => syncRace(context, timed)), 2)
        const met = await Promise.all(Array.from({ length: rounds }, race))
        if (met.includes(true)) return
        if (met.includes(false)) continue
        refused += 1
        // More patience is for those whose syncs hold each other up.
        if (refused > 1 && !syncs.taken)
          throw new Unproven('of two syncs that were asked for at once neither was accepted')
      }
      throw new Unproven(
        'timing could not tell: in no round was one of two syncs accepted while the other was asked for',
      )
    },
  )
}

/** Asks while a sync of the run goes on, in either mode, as long as that is refused; whether a request met it. */
async function meetsOwn(context: SyncContext, timed: Timed): Promise<boolean> {
  const { first, further } = await context.syncs.alone(async () => {
    const first = await syncOnce(context, timed.at, 'asynchronous')
    context.control(first)
    const further: Answer[] = []
    // One that was refused must not make way for the next: the first one still runs.
    for (const mode of ['synchronous', 'synchronous', 'asynchronous', 'synchronous'] as const) {
      const answer = await syncOnce(context, timed.at, mode)
      if (mode === 'synchronous') further.push(answer)
      if (mode === 'synchronous' && isAccepted(answer)) break
    }
    return { first, further }
  })
  const met: boolean[] = []
  for (const second of further) met.push(await expectApart(context, first, second, timed))
  return met.includes(true)
}

/** Two synchronous requests at once; whether one of them met the sync of the other. Undefined where neither was accepted. */
async function syncRace(context: SyncContext, timed: Timed): Promise<boolean | undefined> {
  const request = inMode(context, 'synchronous')
  const both = await context.syncs.alone(() =>
    together(
      [0, 1].map(() => (gate) => context.as.syncInitiator('sync-workspace', timed.at, request, { gate })),
    ),
  )
  const [first, second] = both.sort((a, b) => a.answeredAt - b.answeredAt) as [Answer, Answer]
  const [winner, other] = isAccepted(first) ? [first, second] : [second, first]
  return isAccepted(winner) ? expectApart(context, winner, other, timed) : undefined
}

/** Whether the two were told apart; a finding where they ran beside each other. */
async function expectApart(
  context: SyncContext,
  first: Answer,
  second: Answer,
  { at, leastMs }: Timed,
): Promise<boolean> {
  const [one, other] = [requestOf(first), requestOf(second)]
  let overlap = overlapOf(one, other, leastMs)
  if (overlap.verdict === 'unknown' && other.accepted && other.sentAt < one.sentAt + leastMs)
    overlap = overlapOf(one, other, leastMs, await loneSync(context, at, leastMs))
  if (overlap.verdict === 'unknown') return false
  const isApart = overlap.verdict === 'apart'
  context.expect(second, first).toShow(isApart, 'a second sync was started while the first one ran', {
    expected: `refused, or held until ${ms(2 * leastMs)} after the first request, or answered with the running job`,
    actual: `${describe(second)} under another job, ${ms(second.answeredAt - first.sentAt)} after the first request`,
    indirect: true,
  })
  if (overlap.verdict === 'apart') context.openPoints.observe('second-sync', overlap.how)
  return true
}
