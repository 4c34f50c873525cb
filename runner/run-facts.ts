/** What a run is seen to need while it is under way. */
import type { RunFacts } from './run-time.ts'
import type { Session } from './session.ts'

/** What the run is seen to need, for its limits of time. */
export const factsOf = ({ input, channel, pool, patience }: Session): RunFacts => ({
  requests: input.requests ?? 0,
  latencyMs: channel.latencyMs,
  perSecond: channel.client.putOff.perSecond,
  longestMs: Math.max(pool.longestMs, patience.syncTimes.longestWait),
  providerMs: pool.waitedMs,
})
