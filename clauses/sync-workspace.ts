/** Judges of "sync workspace" (§4.4). */
import { mayCall, onlyInRuns, pathBelongsTogether } from './callers.ts'
import { acceptedAfter, answerInWords, type Judgement, type JudgesOf } from './clause.ts'
import { type Exchange, isRefused } from './exchange.ts'
import type { Facts } from './facts.ts'
import { ms, took, tooSoon } from './syncs.ts'

/** A sync is accepted after the previous one has finished. */
const nextAfterOthers = acceptedAfter({
  happened: ({ accepted, path }) => (accepted === undefined ? [] : [path.workspaceID as string]),
  used: (exchange, facts) => (facts.isAlone(exchange) ? [exchange.path.workspaceID as string] : []),
})

export const syncWorkspaceJudges: JudgesOf<'sync-workspace'> = {
  'sync-workspace/synchronous-blocks': onlyInRuns(blocks),
  'sync-workspace/asynchronous-returns': onlyInRuns(returns),
  'sync-workspace/one-at-a-time': onlyInRuns(oneAtATime),
  'sync-workspace/after-finish': { ...nextAfterOthers, runsOnly: true },
}

/** In synchronous mode the answer takes at least as long as the sync, unless the request joined another sync. */
function blocks(exchange: Exchange, facts: Facts): Judgement {
  const { accepted, answer, path } = exchange
  const leastMs = facts.leastSyncMs(path.workspaceID as string)
  if (accepted === undefined || answer === undefined || leastMs === undefined) return undefined
  if (facts.syncMode(exchange) !== 'synchronous' || !facts.isAlone(exchange)) return undefined
  // A request that should have been refused may have started nothing.
  if (!pathBelongsTogether(exchange, facts)) return undefined
  if (!tooSoon(took(answer), leastMs)) return 'kept'
  // The first try of a retried request may have started the sync.
  if (answer.repeatedAfter !== undefined) return undefined
  return {
    message: 'the answer came before the sync could be complete',
    expected: `an answer no sooner than ${ms(leastMs)} after the request`,
    actual: `the answer came after ${ms(took(answer))}`,
    indirect: true,
  }
}

/** In asynchronous mode the answer comes before the sync can be complete. A late answer may have other reasons. */
function returns(exchange: Exchange, facts: Facts): Judgement {
  const { accepted, answer, path } = exchange
  const leastMs = facts.leastSyncMs(path.workspaceID as string)
  if (accepted === undefined || answer === undefined || leastMs === undefined) return undefined
  if (facts.syncMode(exchange) !== 'asynchronous' || !pathBelongsTogether(exchange, facts)) return undefined
  return took(answer) < leastMs ? 'kept' : undefined
}

/** No other sync completes while a scheduled sync runs: it is refused, held, or answered afterwards. */
function oneAtATime(exchange: Exchange, facts: Facts): Judgement {
  const { accepted, askedAt, answer, answeredAt, path } = exchange
  const running = facts.scheduledSyncOf(path.workspaceID as string)
  if (running === undefined || askedAt === undefined || answeredAt === undefined || !mayCall(exchange))
    return undefined
  const { from, until } = running
  const waits = facts.syncMode(exchange) === 'synchronous'
  if (askedAt >= until) return undefined
  if (isRefused(exchange)) return waits ? 'kept' : undefined
  if (accepted === undefined) return undefined
  if (!tooSoon(answeredAt - from, until - from)) return 'kept'
  // The answer to an asynchronous request does not show when its sync starts.
  if (!waits || answer?.repeatedAfter !== undefined) return undefined
  return {
    message: 'a sync completed while the scheduled one was still running',
    expected: `refused, or no success before the scheduled sync ends, ${ms(until - from)} after it was handed out`,
    actual: `${answerInWords(exchange)}, ${ms(answeredAt - from)} after it was handed out`,
    indirect: true,
  }
}
