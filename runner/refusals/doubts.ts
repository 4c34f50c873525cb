/**
 * Operations that refused valid requests for no known reason. At the end of the run, when nothing else is sent, plain
 * requests show whether such an operation is flaky, stopped working, or answers in no form of the contract.
 */
import { setTimeout as sleep } from 'node:timers/promises'
import { isMalformed } from '../../clauses/acceptance.ts'
import { listedFixtures } from '../../deployment/configuration/configuration.ts'
import { errorCodeOf } from '../../deployment/http/exchange.ts'
import { type OperationId, operationOf } from '../../specs/operations.ts'
import type { RequirementId } from '../../specs/requirements.ts'
import { type RunExchange, succeeded } from '../log/exchange.ts'
import { retryPolicies } from '../retry-finding.ts'
import type { Session } from '../session.ts'
import { leastInFullPortal } from './full-collaborations.ts'
import { sendPlainRequest, sendPlainRequestOnce } from './plain-requests.ts'
import { isUnexplained } from './unexplained.ts'

/** After this many refused plain requests in a row, the operation no longer works. */
const refusedInARow = 6

/** Statuses and error codes that refuse the caller, perhaps because its credential ended. */
const callerCodes: readonly number[] = [401, 403, 498, 499]

/** Examines each doubtful operation whose first requirement did not fail already. */
export async function examineDoubts(session: Session, broken: ReadonlySet<RequirementId>): Promise<void> {
  // A list may be used up, and what the run makes itself is slow.
  const { configuration } = session
  if (configuration.fixtures === undefined || listedFixtures(configuration) !== undefined) return
  const { doubts, malformed } = session.sideQuestions
  for (const operation of new Set([...malformed, ...doubts])) {
    if (session.channel.gone || session.channel.exhausted) return
    const isBroken = broken.has(operationOf(operation).requirements[0].id as RequirementId)
    if (!isBroken || malformed.has(operation)) await examine(session, operation)
  }
}

/** How the target answered plain requests of an operation. */
interface PlainAnswers {
  readonly refused: readonly RunExchange[]
  readonly tries: number
  /** Whether anything was accepted after the first refusal. */
  readonly acceptedAfter: boolean
}

async function examine(session: Session, operation: OperationId): Promise<void> {
  const began = performance.now()
  const { refused, tries, acceptedAfter } = await sendPlainRequests(session, operation)
  const last = refused.at(-1)
  if (last === undefined || refused.length < retryPolicies.nowAndThen.times) return
  const seen = { times: refused.length, tries }
  const malformed = refused.findLast((answer) => isMalformed(answer))
  if (malformed !== undefined && session.ledger.acceptances.onOperation(operation) > 0) {
    session.watch.malformed(malformed)
    return
  }
  if (acceptedAfter) session.watch.plainRefused(last, seen, 'now and then')
  else if (await hasStopped(session, last, { began, refused: refused.length, tries }))
    session.watch.plainRefused(refused[0] as RunExchange, seen, {
      last: session.ledger.acceptances.lastOn(operation),
    })
}

async function sendPlainRequests(session: Session, operation: OperationId): Promise<PlainAnswers> {
  const { tries: most, triesOnceSeen, times } = retryPolicies.nowAndThen
  const refused: RunExchange[] = []
  let [tries, acceptedAfter] = [0, false]
  for (let time = 0; time < (refused.length > 0 ? triesOnceSeen : most); time += 1) {
    const answer = await sendPlainRequestOnce(session, operation)
    if (answer === undefined) break
    if (succeeded(answer) && !isMalformed(answer)) acceptedAfter ||= refused.length > 0
    else if (isMalformed(answer)) refused.push(answer as RunExchange)
    else if (isUnexplained(session, answer)) refused.push(answer)
    else continue
    tries += 1
    if (refused.length >= times && acceptedAfter) break
    if (refused.length === tries && tries >= refusedInARow) break
  }
  return { refused, tries, acceptedAfter }
}

/** Whether an operation that worked before accepts nothing in any form, while others are accepted. */
async function hasStopped(
  session: Session,
  last: RunExchange,
  { began, refused, tries }: { readonly began: number; readonly refused: number; readonly tries: number },
): Promise<boolean> {
  const { operation, actor } = last.asked
  const { acceptances, lackOfRights } = session.ledger
  if (acceptances.onOperation(operation) === 0 || refused < refusedInARow || refused < tries) return false
  const isAboutRight = lackOfRights.isSaidIn(last)
  // A limit on workspaces is an open point. Only its error distinguishes it from an operation that stopped working.
  const isError = errorCodeOf(last) < 500 && last.status < 300 && !isAboutRight
  if (operation === 'add-workspace' && isError && acceptances.added >= leastInFullPortal) return false
  await sleep(session.configuration.run.settleMs)
  const answer = await sendPlainRequest(session, operation)
  if (answer === undefined || succeeded(answer)) return false
  const others = acceptances.of(String(actor)).filter((id) => id !== operation)
  const of = callerCodes.includes(errorCodeOf(last)) && !isAboutRight ? String(actor) : undefined
  if (of !== undefined && others.length === 0) return false
  const asks = of === undefined ? otherOperations(session, operation) : others
  const from = performance.now()
  for (const other of asks) {
    await sendPlainRequest(session, other, of === undefined ? {} : { by: last.asked.actor })
    if (acceptances.since(from, of)) break
  }
  return acceptances.since(from, of) && (acceptances.lastOn(operation)?.sentAt ?? 0) < began
}

/** Other operations that were accepted before. Those that use nothing up come first. */
function otherOperations({ ledger: { acceptances } }: Session, not: OperationId): OperationId[] {
  const inOrder: readonly OperationId[] = [
    'update-participant',
    'update-federation',
    'update-task-run',
    'reassign-items',
    'add-workspace',
    'sync-workspace',
    'delete-collaboration',
  ]
  return inOrder.filter((operation) => operation !== not && acceptances.onOperation(operation) > 0)
}
