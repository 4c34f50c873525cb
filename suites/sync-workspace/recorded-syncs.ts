/**
 * Syncs as the deployment's own page shows them, where a profile names that page (`reads.syncs`): how long each of them
 * took is known afterwards, where no fixture promises it ahead. Times in ms.
 */
import { setTimeout as sleep } from 'node:timers/promises'
import { isAccepted } from '../../clauses/acceptance.ts'
import type { PortalName } from '../../deployment/configuration/actors.ts'
import type { Answer } from '../../deployment/http/exchange.ts'
import type { CheckContext } from '../../runner/context/context.ts'
import { NotApplicable, NotTested, Unproven } from '../../runner/findings.ts'
import { isRunning, listed, type Page } from '../common/read-back.ts'

type Reader = Pick<CheckContext<never, never>, 'read' | 'settled' | 'configuration' | 'syncTimes'>

/** What a sync is asked for on. */
export interface SyncPlace {
  readonly collaborationId: string
  readonly workspaceId: string
  /** Under whose portal id; default: the caller's own. */
  readonly portal?: PortalName
}

const pollMs = 50
/** So often the page is looked at before it counts as silent. */
const leastLooks = 5
/** A sync that goes on for longer proves nothing in time. */
const longestMs = 60_000

/** Whether the page is there. */
export const areRecorded = ({ configuration }: Reader): boolean =>
  configuration.profile?.reads?.syncs !== undefined

async function recorded(context: Reader, at: SyncPlace): Promise<Page[]> {
  try {
    return (await listed(context, 'syncs', { ...at }, 'status')).entries
  } catch (error) {
    if (error instanceof NotApplicable) throw unknownLength()
    throw error
  }
}

/** How long syncs take is neither promised nor shown. */
export const unknownLength = (): NotTested =>
  new NotTested('the fixture workspace gives no minimumSyncMs, without which timing proves nothing', [
    'fixtures.workspace.minimumSyncMs',
  ])

/** Whether a sync on schedule runs. */
export async function scheduledRuns(context: Reader, at: SyncPlace): Promise<boolean> {
  return (await recorded(context, at)).some((sync) => sync.syncExecType === 'scheduled' && isRunning(sync))
}

/** Waits until no sync runs any more. */
export async function allOver(context: Reader, at: SyncPlace): Promise<void> {
  const end = performance.now() + longestMs
  while ((await recorded(context, at)).some(isRunning)) {
    if (performance.now() >= end) throw new Unproven(`a sync has not ended after ${longestMs / 1000} s`)
    await sleep(pollMs)
  }
  context.syncTimes.over(at.workspaceId)
}

/** The answer to a request for a sync, and how long that sync took, in ms; 0: not known, or nothing was started. */
export interface MeasuredSync {
  readonly answer: Answer
  /** Whoever waits for it waits no less. */
  readonly leastMs: number
  /** As it is recorded, which may be off by the settle time. */
  readonly recordedMs: number
}

/** A sync from its recorded start to its recorded end. It takes at least that less the settle time: a page may be late. */
export async function recordedSync(
  context: Reader,
  at: SyncPlace,
  ask: () => Promise<Answer>,
): Promise<MeasuredSync> {
  const before = new Set((await recorded(context, at)).map(identityOf))
  context.syncTimes.maybeLong(at.workspaceId)
  const answer = await ask()
  if (!isAccepted(answer)) return { answer, leastMs: 0, recordedMs: 0 }
  try {
    const recordedMs = await lengthOf(context, at, before, answer)
    return { answer, leastMs: Math.max(0, recordedMs - context.configuration.run.settleMs), recordedMs }
  } catch (error) {
    // Others wait for its end.
    await allOver(context, at).catch(() => undefined)
    throw error
  }
}

/** Some pages show no ids. */
const identityOf = ({ syncId, startTime }: Page): unknown => syncId ?? startTime

/** In ms since 1970, also of a time that is written out; NaN where none is shown. */
const timeOf = (shown: unknown): number => (typeof shown === 'string' ? Date.parse(shown) : Number(shown))

/** How long the sync took that is recorded and was not there before. Waits for its end. */
async function lengthOf(
  context: Reader,
  at: SyncPlace,
  before: ReadonlySet<unknown>,
  answer: Answer,
): Promise<number> {
  const { settleMs } = context.configuration.run
  const began = performance.now()
  for (let looks = 1; ; looks += 1) {
    const [sync, other] = (await recorded(context, at)).filter((each) => !before.has(identityOf(each)))
    if (other !== undefined)
      throw new Unproven('several syncs were recorded, and one was asked for', [answer])
    if (sync !== undefined && !isRunning(sync)) {
      const tookMs = timeOf(sync.endTime) - timeOf(sync.startTime)
      if (!(tookMs >= 0)) throw unknownLength()
      context.syncTimes.over(at.workspaceId)
      return tookMs
    }
    const waitedMs = performance.now() - began
    if (sync === undefined && waitedMs >= settleMs && looks >= leastLooks)
      throw new Unproven('the sync is not recorded', [answer])
    if (waitedMs >= longestMs)
      throw new Unproven(`the sync has not ended after ${longestMs / 1000} s`, [answer])
    await sleep(pollMs)
  }
}
