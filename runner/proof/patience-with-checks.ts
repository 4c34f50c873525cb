/** How long one check may take, and when it is tried again for a connection that broke on it. */

import { looksFailed } from '../../clauses/portal-like.ts'
import type { Configuration } from '../../deployment/configuration/configuration.ts'
import { formatDuration } from '../../deployment/configuration/duration.ts'
import { TransportError, type TransportFault } from '../../deployment/http/exchange.ts'
import type { CheckDefinition } from '../check.ts'
import { type Finding, Unproven } from '../findings.ts'
import { checkTimeLimit, longestTimerMs, type RunFacts } from '../run-time.ts'
import type { Session } from '../session.ts'

/** What a target that is away for a moment, or a connection that it closed, makes of an exchange. */
const passing: readonly TransportFault[] = ['broken', 'truncated', 'unreachable', 'unavailable']

/** So many checks of a run are tried again for that: a target that is ill is not asked everything twice. */
const mostAgain = 40

/** Whether a check that ended so may be tried again; counts it. */
export function triesAgain(end: Error | undefined, session: Session): boolean {
  if (!(end instanceof TransportError) || !passing.includes(end.fault)) return false
  if (session.channel.gone || session.channel.triedAgain >= mostAgain) return false
  session.channel.triedAgain += 1
  return true
}

/** So often a check shows a finding in all that rests on the failure of another operation: some fail now and then. */
export const sightingsOfAnother = 4

/** The operation whose failure a finding rests on, where the check is about another one. */
export function anotherThatFailed(
  { operation }: Pick<CheckDefinition, 'operation'>,
  finding: Finding,
): string | undefined {
  const last = finding.grounds.answers.at(-1)
  const about = last?.request.about
  return last !== undefined && about !== operation && looksFailed(last) ? about : undefined
}

interface Timed {
  readonly configuration: Pick<Configuration, 'http' | 'run'>
  readonly facts: () => RunFacts
  /** Called where the time is over: the body may go on, but nothing of it counts. */
  readonly onEnd: () => void
}

/** The body of a check, until its time is over: then it ends as unproven. What the target is seen to need, it gets. */
export async function withinItsTime(
  body: () => Promise<void>,
  { configuration, facts, onEnd }: Timed,
): Promise<void> {
  const began = performance.now()
  let timer: NodeJS.Timeout | undefined
  const over = new Promise<never>((_, reject) => {
    const look = (): void => {
      const limitMs = checkTimeLimit(facts(), configuration)
      const left = began + limitMs - performance.now()
      if (left > 0) {
        timer = setTimeout(look, Math.min(left, longestTimerMs))
        timer.unref()
        return
      }
      onEnd()
      const allowed = formatDuration(Math.ceil(limitMs / 1000) * 1000)
      reject(
        new Unproven(
          `the check took longer than ${allowed}, half of what the whole run may be expected to take at most`,
        ),
      )
    }
    look()
  })
  try {
    await Promise.race([body(), over])
  } finally {
    clearTimeout(timer)
  }
}
