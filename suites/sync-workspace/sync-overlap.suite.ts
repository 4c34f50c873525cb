/** §4.4 and §3, what happens to a sync that is asked for while another one runs. */
import { acceptance, describe, isAccepted } from '../../clauses/acceptance.ts'
import { ms, overlapOf, took, tooSoon, waitedFor } from '../../clauses/timing.ts'
import type { PortalName } from '../../deployment/configuration/actors.ts'
import { type Answer, errorCodeOf, TransportError } from '../../deployment/http/exchange.ts'
import { suite } from '../../runner/check.ts'
import type { CheckContext } from '../../runner/context/context.ts'
import { tries } from '../../runner/effort.ts'
import { NotTested, repeatedAmong, Unproven } from '../../runner/findings.ts'
import { inMode, type Mode } from '../../runner/patience/sync-modes.ts'
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
    'While a scheduled sync runs, an asynchronous request starts no sync.',
    ['asynchronous', 'synchronous'],
  ],
  [
    'sync-workspace/one-at-a-time:scheduled',
    'While a scheduled sync runs, no new sync starts before it ends, for any caller and any number of requests.',
    ['synchronous', 'synchronous'],
  ],
] as const) {
  scheduled(id, { title }, async (context) => {
    // A stranger who is refused makes way for no one.
    const stranger = (at: SyncPlace) => context.as.anonymous('sync-workspace', at, {}, { urgent: true })
    const meanwhile = modes[0] === 'synchronous' ? stranger : nothing
    const met = await untilOneMeets(
      context,
      (asked) => meetsScheduled(context, asked, modes, async () => meanwhile),
      'timing proves nothing: no request met a scheduled sync, or every answer of the target is that slow',
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

/** What is asked for later than that part of a scheduled sync may be sent after its end. */
const latestPart = 0.65

/** What took no longer than this many syncs of that workspace alone may have been one that waited for nothing. */
const hardlyLonger = 1.25

/** What else is asked for once a scheduled sync runs there. */
type Meanwhile = (at: SyncPlace) => Promise<unknown>
const nothing: Meanwhile = () => Promise.resolve()

/**
 * Asks in those modes while a scheduled sync runs; whether a request met it. Perhaps: it took no longer than a lone sync.
 * `prepare` comes first, each time that this is asked.
 */
async function meetsScheduled(
  context: ScheduledContext,
  asked: number,
  modes: readonly Mode[],
  prepare: () => Promise<Meanwhile>,
): Promise<boolean | 'perhaps'> {
  const { given, expect, openPoints, control } = context
  const { at, met, refused, after } = await context.syncs.alone(async (): Promise<Met> => {
    // Ahead: the scheduled sync waits for no one.
    const meanwhile = await prepare()
    const began = performance.now()
    const { remainingMs, ...at } = await given.scheduledSync({ remainingMs: asked })
    const before: Answer[] = []
    let met = false
    await meanwhile(at)
    if (remainingMs === 0) return meetsRecorded(context, at, modes)
    for (const mode of modes) {
      // The second that waits for its answer comes well before the middle.
      if (before.length > 0 && modes[0] === 'synchronous')
        await context.wait.until(began + remainingMs * early)
      const answer = await syncOnce(context, at, mode)
      if (answer.sentAt > began + remainingMs * latestPart) break
      const { accepted } = acceptance(answer)
      // It began its rest between question and answer of the fixture: the earlier end is the safe one.
      const waited = answer.answeredAt - began
      const kept = expect(answer, ...before).keeps('sync-workspace/one-at-a-time')
      const late = accepted && !tooSoon(waited, remainingMs)
      const held = late && waitedFor(waited, remainingMs, await latencyOf(context, at))
      met = kept && (held || !accepted)
      const how = accepted ? (held ? 'held' : 'accepted at once') : 'refused'
      if (!late || held) openPoints.observe('second-sync', `${how} while a scheduled sync runs`)
      if (late) return { at, met, refused: [], after: answer }
      before.push(answer)
    }
    return { at, met, refused: refusedAmong(before) }
  })
  // Refused for the running sync, or for anything else? Once it is over the same request must be accepted.
  if (refused.length > 0) {
    const again = await sync(context, at, 'asynchronous')
    // One that failed, or that was sent again after a failure, may have been started.
    const unsure = refused.find(
      (answer) => errorCodeOf(answer) >= 500 || repeatedAmong([answer]) !== undefined,
    )
    if (!isAccepted(again) && unsure !== undefined)
      throw new Unproven(
        `a sync was ${describe(unsure)} (${repeatedAmong([unsure]) ?? 'sent once'}) and may have been started, so the next one proves nothing`,
        [unsure, again],
      )
    control(again, 'the same request after the scheduled sync')
  }
  if (!met || after === undefined) return met
  const lone = await loneSync(context, at, 0)
  return lone !== undefined && took(after) < lone.tookMs * hardlyLonger ? 'perhaps' : true
}

interface Met {
  readonly at: SyncPlace
  /** Whether a request met the scheduled sync. */
  readonly met: boolean
  /** Those that were refused. */
  readonly refused: readonly Answer[]
  /** One that succeeded after the scheduled sync. */
  readonly after?: Answer
}

const refusedAmong = (answers: readonly Answer[]): readonly Answer[] =>
  answers.filter((answer) => !isAccepted(answer))

/** As above, where no one knows how long the scheduled sync goes on: the deployment's page says whether it runs. */
async function meetsRecorded(context: ScheduledContext, at: SyncPlace, modes: readonly Mode[]): Promise<Met> {
  if (!areRecorded(context))
    throw new NotTested('the fixture scheduledSync has no remainingMs, so timing proves nothing', [
      'fixtures.scheduledSync.remainingMs',
    ])
  const { expect, openPoints, configuration } = context
  const before: Answer[] = []
  for (const mode of modes) {
    if (!(await scheduledRuns(context, at))) break
    // Seen to run by looks that were sent after the request: the last of them met it there.
    let seen = 0
    let answered = false
    const watched = (async () => {
      for (; !answered; await context.wait.moment())
        if (await scheduledRuns(context, at)) seen += answered ? 0 : 1
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
    if (accepted) await context.wait.settle()
    const stillRuns = await scheduledRuns(context, at)
    expect(answer, ...before).toShow(
      !(accepted && stillRuns),
      'a sync completed while the scheduled one was still running',
      {
        expected: 'refused, or no success before the scheduled sync has ended',
        actual: `${describe(answer)}; ${ms(configuration.run.settleMs)} later the scheduled sync still ran`,
        indirect: true,
      },
    )
    const met = accepted ? seen > 1 : stillRuns
    if (met) openPoints.observe('second-sync', `${accepted ? 'held' : 'refused'} while a scheduled sync runs`)
    await allOver(context, at)
    return { at, met, refused: refusedAmong([...before, answer]) }
  }
  await allOver(context, at)
  return { at, met: false, refused: refusedAmong(before) }
}

scheduled(
  'sync-workspace/one-at-a-time:deletion',
  {
    also: ['delete-collaboration'],
    actors: ['hostAdministrator'],
    fixtures: ['collaboration'],
    title: 'While a scheduled sync runs, deleting another collaboration starts no other sync.',
  },
  async (context) => {
    const { as, given, control } = context
    const deletion = async () => {
      const elsewhere = await given.collaboration()
      return async () =>
        control(await as.hostAdministrator('delete-collaboration', elsewhere, {}, { urgent: true }))
    }
    await untilOneMeets(
      context,
      (asked) => meetsScheduled(context, asked, ['synchronous'], deletion),
      'timing proves nothing: no request met a scheduled sync after a deletion',
    )
  },
)

/** When it is asked for again, late, and shortly before its end, as parts of the scheduled sync. */
const early = 0.5
const late = 0.55
const last = 0.82

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
  await context.wait.until(began + remainingMs * late)
  const ask = (portal: PortalName) =>
    syncOnce(context, { ...at, portal }, 'synchronous').catch((error: unknown) => {
      // Held for longer than anybody waits, behind the others that were asked for: that is no success too soon.
      if (error instanceof TransportError && error.fault === 'timeout') return undefined
      throw error
    })
  for (const portal of context.callers.portalsTriedBy('syncInitiator')) {
    // While the first is held, another one must not get past it.
    const answers = await Promise.all([ask(portal), context.wait.moment().then(() => ask(portal))])
    const came = answers.filter((answer) => answer !== undefined)
    for (const answer of came) context.expect(answer, ...before).keeps('sync-workspace/one-at-a-time')
    if (came.length < answers.length || came.some(isAccepted)) return
  }
  if (!tries('short', context.configuration.run)) return
  await context.wait.until(began + remainingMs * last)
  const answer = await ask(context.callers.portalsTriedBy('syncInitiator')[0] as PortalName)
  if (answer !== undefined) context.expect(answer, ...before).keeps('sync-workspace/one-at-a-time')
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
    throw new Unproven('timing proves nothing: no second request was seen to meet a running sync')
  })

  own(
    `${id}:together`,
    {
      ...needs,
      title: 'Two syncs requested at the same moment do not run at the same time.',
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
        if (refused > 1 && !syncs.taken) throw new Unproven('neither of two simultaneous syncs was accepted')
      }
      throw new Unproven(
        'timing proves nothing: in no round was one sync accepted while the other was requested',
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
    context.callers.together(
      [0, 1].map(() => (gate) => context.as.syncInitiator('sync-workspace', timed.at, request, { gate })),
    ),
  )
  const [first, second] = both.sort((a, b) => a.answeredAt - b.answeredAt) as [Answer, Answer]
  const [winner, other] = isAccepted(first) ? [first, second] : [second, first]
  return isAccepted(winner) ? expectApart(context, winner, other, timed) : undefined
}

/** Whether the two were distinguished; a finding where they ran beside each other. */
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
