/** Reads the pages that a profile names, which show what an operation did. */
import { setTimeout as sleep } from 'node:timers/promises'
import type { ActorName } from '../../deployment/configuration/actors.ts'
import { type Answer, errorCodeOf } from '../../deployment/http/exchange.ts'
import { outOfStep } from '../../deployment/http/pace.ts'
import type { ReadName } from '../../specs/profile.ts'
import type { CheckDefinition } from '../check.ts'
import { saysBusy } from '../patience/patience.ts'
import type { Session } from '../session.ts'
import { reading } from './calls.ts'
import { type AttemptRecord, keepAnswer } from './record.ts'

/** How often and after how many ms a page is requested again: after a busy answer, and after a failure. */
const again = { busy: { times: 10, ms: 800 }, failed: { times: 2, ms: 50 } }

export interface Page {
  readonly page: ReadName
  /** The values that fill in its path. */
  readonly at: Readonly<Record<string, string>>
  readonly by: ActorName
}

/** Requests a page until the target shows it or the retries are used up. Counted in the check's record. */
export async function readPage(
  { id }: CheckDefinition,
  session: Session,
  record: AttemptRecord,
  { page, at, by }: Page,
): Promise<Answer> {
  const { configuration } = session
  const path = configuration.profile?.reads?.[page]
  if (path === undefined) throw new Error(`${id} reads ${page} undeclared`)
  for (const left = { busy: again.busy.times, failed: again.failed.times }; ; ) {
    const identity = await session.identities.of(by)
    record.requests += 1
    const answer = await session.channel.send(() =>
      // Urgent, because others may undo the effect while a read waits.
      session.channel.client.read({ ...reading(configuration, identity, path, at), urgent: true }),
    )
    const why = whyNotShown(answer)
    if (why === undefined || left[why] === 0) return keepAnswer(record, answer)
    left[why] -= 1
    await sleep(again[why].ms * outOfStep())
  }
}

/** Why a retry may succeed: the target was busy, it failed, or a token ended on the way. */
function whyNotShown(answer: Answer): keyof typeof again | undefined {
  if (saysBusy(answer)) return 'busy'
  const code = errorCodeOf(answer)
  return code >= 500 || code === 498 ? 'failed' : undefined
}
