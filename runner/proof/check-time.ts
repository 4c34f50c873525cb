/** The time limit of one check, which grows with what the target is seen to need. */
import { formatDuration } from '../../deployment/configuration/duration.ts'
import type { AttemptRecord } from '../context/record.ts'
import { Unproven } from '../findings.ts'
import { checkTimeLimit, longestTimerMs } from '../run-time.ts'
import type { Session } from '../session.ts'

/** The time limit of an attempt that begins now. `over` rejects when it is reached, and the record says so. */
export function checkTime(
  session: Pick<Session, 'facts' | 'configuration'>,
  record: Pick<AttemptRecord, 'ended'>,
): { readonly over: Promise<never>; readonly stop: () => void } {
  const began = performance.now()
  let timer: NodeJS.Timeout | undefined
  const over = new Promise<never>((_, reject) => {
    const look = (): void => {
      const limitMs = checkTimeLimit(session.facts, session.configuration)
      const left = began + limitMs - performance.now()
      if (left > 0) {
        timer = setTimeout(look, Math.min(left, longestTimerMs))
        timer.unref()
        return
      }
      // The body may continue, but nothing it does counts.
      record.ended = true
      const allowed = formatDuration(Math.ceil(limitMs / 1000) * 1000)
      reject(
        new Unproven(`the check took longer than ${allowed}, half of the longest expected time of the run`),
      )
    }
    look()
  })
  return { over, stop: () => clearTimeout(timer) }
}
