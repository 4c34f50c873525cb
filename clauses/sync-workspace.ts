/** §4.4, as far as exchanges show it. */
import { all, belongsThere, inItsCollaboration, inRuns, mayCall, refuses, unknownInPath } from './callers.ts'
import { acceptedOverTime, came, type Judgement, type JudgesOf, type Look } from './clause.ts'
import { type Exchange, isRefused } from './exchange.ts'
import type { Facts } from './facts.ts'
import { Recent } from './recent.ts'
import { shaped } from './shapes.ts'
import { ms, took, tooSoon } from './timing.ts'

export const syncWorkspaceJudges: JudgesOf<'sync-workspace'> = {
  'sync-workspace/starts': shaped('sync-workspace', (path) => path !== 'success'),
  'sync-workspace/synchronous-blocks': inRuns(blocks),
  'sync-workspace/asynchronous-returns': inRuns(returns),
  'sync-workspace/one-at-a-time': inRuns(oneAtATime),
  'sync-workspace/after-finish': { ...acceptedOverTime(nextAfterOthers), runsOnly: true },
  'sync-workspace/refuses-non-designated': refuses('syncNonInitiator'),
  'sync-workspace/refuses-anonymous': refuses('anonymous'),
  'sync-workspace/refuses-invalid-credential': refuses('impostor'),
  'sync-workspace/unknown-workspace': all(unknownInPath('workspaceID'), inItsCollaboration),
  'sync-workspace/unknown-collaboration': unknownInPath('collaborationID'),
}

/** In synchronous mode a client waits at least as long as its sync takes, unless it may have joined another sync. */
function blocks(exchange: Exchange, facts: Facts): Judgement {
  const { accepted, answer, path } = exchange
  const leastMs = facts.leastSyncMs(path.workspaceID as string)
  if (accepted === undefined || answer === undefined || leastMs === undefined) return undefined
  if (facts.syncMode(exchange) !== 'synchronous' || !facts.isAlone(exchange)) return undefined
  // What should not have been accepted may have started nothing.
  if (!belongsThere(exchange, facts)) return undefined
  if (!tooSoon(took(answer), leastMs)) return 'kept'
  // It may have been started by the request that had to be sent again.
  if (answer.repeatedAfter !== undefined) return undefined
  return {
    message: 'the answer came before the sync can have been complete',
    expected: `an answer no sooner than ${ms(leastMs)} after the request`,
    actual: `the answer came after ${ms(took(answer))}`,
    indirect: true,
  }
}

/** In asynchronous mode the answer comes before its sync can be complete. That it comes later has many reasons. */
function returns(exchange: Exchange, facts: Facts): Judgement {
  const { accepted, answer, path } = exchange
  const leastMs = facts.leastSyncMs(path.workspaceID as string)
  if (accepted === undefined || answer === undefined || leastMs === undefined) return undefined
  if (facts.syncMode(exchange) !== 'asynchronous' || !belongsThere(exchange, facts)) return undefined
  return took(answer) < leastMs ? 'kept' : undefined
}

/** A sync is accepted once the one before it has finished. That one is refused has many reasons. */
function nextAfterOthers(): Look {
  const synced = new Recent<true>()
  return (exchange, facts) => {
    const workspace = exchange.path.workspaceID as string
    const isNext = synced.has(workspace) && facts.isAlone(exchange)
    synced.set(workspace, true)
    return isNext ? 'kept' : undefined
  }
}

/** No other sync is complete while a scheduled one runs: it is refused, held, or answered afterwards. */
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
  // When a sync starts that was asked for in asynchronous mode does not show in its answer.
  if (!waits || answer?.repeatedAfter !== undefined) return undefined
  return {
    message: 'a sync was complete while the scheduled one still ran',
    expected: `refused, or no success before the scheduled sync ends, ${ms(until - from)} after it was handed out`,
    actual: `${came(exchange)}, ${ms(answeredAt - from)} after it was handed out`,
    indirect: true,
  }
}
