/** Pages that a profile names, as checks read them: again where they may be had a moment later. */
import { setTimeout as sleep } from 'node:timers/promises'
import type { ActorName } from '../../deployment/configuration/actors.ts'
import { type Answer, errorCodeOf } from '../../deployment/http/exchange.ts'
import { outOfStep } from '../../deployment/http/pace.ts'
import type { ReadName } from '../../specs/profile.ts'
import type { CheckDefinition } from '../check.ts'
import { saysBusy } from '../patience/busy.ts'
import type { Session } from '../session.ts'
import { reading } from './calls.ts'
import { type AttemptRecord, keepAnswer } from './record.ts'

const failedTries = 3
const failedMs = 50
/** A page that is kept back since it was asked for too fast is asked for so often again, after so long at most. */
const busyTries = 10
const busyMs = 800

interface Page {
  readonly page: ReadName
  /** What fills in its path. */
  readonly at: Readonly<Record<string, string>>
  readonly by: ActorName
}

export async function readPage(
  { id }: CheckDefinition,
  session: Session,
  record: AttemptRecord,
  { page, at, by }: Page,
): Promise<Answer> {
  const { configuration } = session
  const path = configuration.profile?.reads?.[page]
  if (path === undefined) throw new Error(`${id} reads ${page} undeclared`)
  for (let [failed, busy] = [0, 0]; ; ) {
    const identity = await session.identityOf(by)
    record.requests += 1
    const answer = await session.send(() =>
      // What happened may be undone by others while a look at it waits.
      session.client.read({ ...reading(configuration, identity, path, at), urgent: true }),
    )
    if (saysBusy(answer) && busy < busyTries) {
      busy += 1
      await sleep(busyMs * outOfStep())
    } else if (mayPass(answer) && failed < failedTries - 1) {
      failed += 1
      await sleep(failedMs)
    } else return keepAnswer(record, answer)
  }
}

/** Whether a page may be had a moment later: the deployment failed, or a token ended on the way. */
function mayPass(answer: Answer): boolean {
  const code = errorCodeOf(answer)
  return code >= 500 || code === 498
}
