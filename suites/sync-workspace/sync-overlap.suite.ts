/** §4.4 and §3: what happens when a sync is requested while another one runs. */
import { acceptance, describe, isAccepted } from '../../clauses/acceptance.ts'
import { ms, overlapOf, took, tooSoon, waitedFor } from '../../clauses/syncs.ts'
import type { PortalName } from '../../deployment/configuration/actors.ts'
import { type Answer, errorCodeOf, TransportError } from '../../deployment/http/exchange.ts'
import { type CheckDefinition, suite } from '../../runner/check.ts'
import type { CheckContext } from '../../runner/context/context.ts'
import { isQuick, isThorough } from '../../runner/effort.ts'
import { NotTested, repeatedAmong, Unproven } from '../../runner/findings.ts'
import type { Mode } from '../../runner/patience/sync-times.ts'
import {
  areRecorded,
  durations,
  latencyOf,
  lengths,
  loneSync,
  longOf,
  onTimedWorkspace,
  RecordedSyncs,
  requestOf,
  type SyncContext,
  type SyncPlace,
  sync,
  syncOnce,
  type Timed,
} from './timed-syncs.ts'

/** The checks of this file. */
export const checks: CheckDefinition[] = []

const initiator = { operation: 'sync-workspace', actors: ['syncInitiator'], traits: ['overlapping'] } as const
const scheduled = suite(checks, { ...initiator, fixtures: ['scheduledSync'] })

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
    // A refused stranger must not let the next request through.
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

/**
 * Tries scheduled syncs of each length until a request meets one. Returns whether that is certain. Rejects as
 * inconclusive if no request can have met one.
 */
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

/** A request sent after this part of a scheduled sync may arrive after its end. */
const latestPart = 0.65

/** A sync that took less than this many lone syncs of its workspace may have waited for nothing. */
const hardlyLonger = 1.25

/** Another request to send once the scheduled sync runs. */
type Meanwhile = (at: SyncPlace) => Promise<unknown>
const nothing: Meanwhile = () => Promise.resolve()

/**
 * Requests syncs in those modes while a scheduled sync runs. Returns whether a request met it; perhaps: the request
 * took no longer than a lone sync. `prepare` runs before each try.
 */
async function meetsScheduled(
  context: ScheduledContext,
  asked: number,
  modes: readonly Mode[],
  prepare: () => Promise<Meanwhile>,
): Promise<boolean | 'perhaps'> {
  const { given, expect, openPoints, control } = context
  const { at, met, refused, after } = await context.syncs.alone(async (): Promise<Met> => {
    // Before the scheduled sync starts, because that does not wait.
    const meanwhile = await prepare()
    const began = performance.now()
    const { remainingMs, ...at } = await given.scheduledSync({ remainingMs: asked })
    const before: Answer[] = []
    let met = false
    await meanwhile(at)
    if (remainingMs === 0) return meetsRecorded(context, at, modes)
    for (const mode of modes) {
      // The second synchronous request goes out well before the middle.
      if (before.length > 0 && modes[0] === 'synchronous')
        await context.wait.until(began + remainingMs * early)
      const answer = await syncOnce(context, at, mode)
      if (answer.sentAt > began + remainingMs * latestPart) break
      const { accepted } = acceptance(answer)
      // `remainingMs` counts from some moment while the fixture was obtained; the earliest end is the safe estimate.
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
  // Once the scheduled sync is over, the same request must be accepted, or the refusal had another reason.
  if (refused.length > 0) {
    const again = await sync(context, at, 'asynchronous')
    // A sync that failed, or was retried after a failure, may have started.
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
  /** Requests that were refused. */
  readonly refused: readonly Answer[]
  /** A sync that succeeded after the scheduled one. */
  readonly after?: Answer
}

const refusedAmong = (answers: readonly Answer[]): readonly Answer[] =>
  answers.filter((answer) => !isAccepted(answer))

/** Like `meetsScheduled` for a scheduled sync of unknown length: the deployment's page shows whether it runs. */
async function meetsRecorded(context: ScheduledContext, at: SyncPlace, modes: readonly Mode[]): Promise<Met> {
  if (!areRecorded(context))
    throw new NotTested('the fixture scheduledSync has no remainingMs, so timing proves nothing', [
      'fixtures.scheduledSync.remainingMs',
    ])
  const { expect, openPoints, configuration } = context
  const syncs = new RecordedSyncs(context, at)
  const before: Answer[] = []
  for (const mode of modes) {
    if (!(await syncs.scheduledRuns())) break
    // Counts how often the page, read after the request was sent, showed the sync running.
    let seen = 0
    let answered = false
    const watch = async () => {
      for (; !answered; await context.wait.moment()) if (await syncs.scheduledRuns()) seen += answered ? 0 : 1
    }
    const asked = syncOnce(context, at, mode).finally(() => {
      answered = true
    })
    const [answer] = await Promise.all([asked, watch()])
    if (mode === 'asynchronous') {
      before.push(answer)
      continue
    }
    const { accepted } = acceptance(answer)
    // The page may be late by the settle time.
    if (accepted) await context.wait.settle()
    const stillRuns = await syncs.scheduledRuns()
    expect(answer, ...before).toShow(
      !(accepted && stillRuns),
      'a sync completed while the scheduled one was still running',
      {
        expected: 'refused, or no success before the scheduled sync has ended',
        actual: `${describe(answer)}; ${ms(configuration.run.settleMs)} later the scheduled sync still ran`,
        indirect: true,
      },
    )
    await expectOneAtATime(context, syncs, [answer, ...before])
    const met = accepted ? seen > 1 && syncs.mayHaveWaited : stillRuns
    if (met) openPoints.observe('second-sync', `${accepted ? 'held' : 'refused'} while a scheduled sync runs`)
    return { at, met, refused: refusedAmong([...before, answer]) }
  }
  const last = before.at(-1)
  await (last === undefined ? syncs.allOver() : expectOneAtATime(context, syncs, [last, ...before]))
  return { at, met: false, refused: refusedAmong(before) }
}

/** Expects that the page, once all syncs are over, shows no two that ran at the same time. */
async function expectOneAtATime(
  { expect, wait, configuration: { run } }: ScheduledContext,
  syncs: RecordedSyncs,
  [answer, ...before]: readonly [Answer, ...Answer[]],
  mostTogetherMs = run.settleMs,
): Promise<void> {
  await syncs.allOver()
  if (isAccepted(answer) && !syncs.areCompared) {
    // The page may show a new sync late.
    await wait.settle()
    await syncs.allOver()
  }
  const { togetherMs, outlastedMs } = syncs
  const outlasted = outlastedMs > syncs.clearlyMs
  expect(answer, ...before).toShow(
    // While syncs run, the page may be late by the settle time. The times of syncs that are over have one clock.
    !outlasted && togetherMs <= mostTogetherMs,
    'two syncs of one workspace ran at the same time',
    {
      expected: 'the new sync begins once the scheduled one has ended',
      actual: outlasted
        ? `${describe(answer)}; by the times on the page of syncs, a later sync ended ${ms(outlastedMs)} before the scheduled one`
        : `${describe(answer)}; for ${ms(togetherMs)} the page of syncs showed two that had begun and not ended`,
      indirect: true,
    },
  )
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

/** When requests are repeated: parts of the length of the scheduled sync. */
const early = 0.5
const late = 0.55
const last = 0.82

/**
 * Requests a sync twice at the beginning of a long scheduled sync, syncs another workspace, and tries again in the
 * second half on every path of the caller. Skipped if syncs take turns, because all others would wait.
 */
async function looksLate(context: ScheduledContext): Promise<void> {
  const asked = longOf(durations(context), context)
  if (asked === undefined || context.syncs.taken) return
  let elsewhere: SyncPlace | undefined
  if (isThorough(context.configuration.run))
    await context.openPoints.aside(async () => {
      elsewhere = await context.given.ownWorkspace()
    })
  const began = performance.now()
  const { remainingMs, ...at } = await context.given.scheduledSync({ remainingMs: asked })
  if (remainingMs === 0) return
  const ask = () => syncOnce(context, at, 'asynchronous')
  const before = [await ask(), await ask()] as const
  const recorded = before.some(isAccepted) ? await recordsOf(context, at) : undefined
  // The end of this sync must not count as the end of the scheduled one.
  if (elsewhere !== undefined) await syncOnce(context, elsewhere, 'asynchronous')
  await asksAgainLate(context, at, began, remainingMs, before)
  // The page may show a sync that waits as one that runs.
  if (recorded !== undefined) await expectOneAtATime(context, recorded, before, Number.POSITIVE_INFINITY)
}

/** The syncs of that workspace. Undefined if the target shows no page of them. */
async function recordsOf(context: ScheduledContext, at: SyncPlace): Promise<RecordedSyncs | undefined> {
  if (!areRecorded(context)) return undefined
  const syncs = new RecordedSyncs(context, at)
  try {
    await syncs.scheduledRuns()
    return syncs
  } catch (error) {
    if (error instanceof NotTested) return undefined
    throw error
  }
}

/** Requests syncs in the second half of the scheduled sync that began then. */
async function asksAgainLate(
  context: ScheduledContext,
  at: SyncPlace,
  began: number,
  remainingMs: number,
  before: readonly Answer[],
): Promise<void> {
  await context.wait.until(began + remainingMs * late)
  const ask = (portal: PortalName) =>
    syncOnce(context, { ...at, portal }, 'synchronous').catch((error: unknown) => {
      // The request was held until it timed out, so it did not succeed too soon.
      if (error instanceof TransportError && error.fault === 'timeout') return undefined
      throw error
    })
  const portals = context.callers.portalsTriedBy('syncInitiator')
  for (const portal of isQuick(context.configuration.run) ? portals.slice(0, 1) : portals) {
    // While the first request is held, the second must not overtake it.
    const answers = await Promise.all([ask(portal), context.wait.moment().then(() => ask(portal))])
    const came = answers.filter((answer) => answer !== undefined)
    for (const answer of came) context.expect(answer, ...before).keeps('sync-workspace/one-at-a-time')
    if (came.length < answers.length || came.some(isAccepted)) return
  }
  if (isQuick(context.configuration.run)) return
  await context.wait.until(began + remainingMs * last)
  const answer = await ask(portals[0] as PortalName)
  if (answer !== undefined) context.expect(answer, ...before).keeps('sync-workspace/one-at-a-time')
}

const own = suite(checks, { ...initiator, fixtures: ['workspace'], settled: ['sync-mode'] })

for (const [id, needs] of [
  ['sync-workspace/own-syncs-one-at-a-time', {}],
  ['profile/own-syncs-one-at-a-time', { profile: { closed: 'own-syncs' } }],
] as const) {
  own(id, needs, async (context) => {
    // Only a duration that is known beforehand shows whether two syncs overlapped.
    for (const asked of durations(context))
      if (await onTimedWorkspace(context, asked, (timed) => meetsOwn(context, timed), { promised: true }))
        return
    throw new Unproven('timing proves nothing: no second request was seen to meet a running sync')
  })
}

/** Requests syncs in both modes while another sync runs, until one is accepted. Returns whether one met it. */
async function meetsOwn(context: SyncContext, timed: Timed): Promise<boolean> {
  const { first, further } = await context.syncs.alone(async () => {
    const first = await syncOnce(context, timed.at, 'asynchronous')
    context.control(first)
    const further: Answer[] = []
    // A refused request must not let the next one through, because the first sync still runs.
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

/** Whether timing could tell the two syncs apart. Throws a finding if they overlapped. */
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
