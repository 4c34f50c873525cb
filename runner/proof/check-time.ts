/** The time limit of one check, which grows with what the target is seen to need. */
import { formatDuration } from '../../deployment/configuration/duration.ts'
import type { AttemptRecord } from '../context/record.ts'
import { Unproven } from '../findings.ts'
import { checkTimeLimit, whenOver } from '../run-time.ts'
import type { Session } from '../session.ts'

/** The time limit of an attempt that begins now. `over` rejects when it is reached, and the record says so. */
export function checkTime(
  session: Pick<Session, 'facts' | 'configuration'>,
  record: Pick<AttemptRecord, 'ended'>,
): { readonly over: Promise<never>; readonly stop: () => void } {
  let stop = (): void => undefined
  const over = new Promise<never>((_, reject) => {
    const onOver = (limitMs: number): void => {
      // The body may continue, but nothing it does counts.
      record.ended = true
      const allowed = formatDuration(Math.ceil(limitMs / 1000) * 1000)
      reject(
        new Unproven(`the check took longer than ${allowed}, half of the longest expected time of the run`),
      )
    }
    stop = whenOver(() => checkTimeLimit(session.facts, session.configuration), onOver)
  })
  return { over, stop }
}
