/** Whether an operation is flaky, stopped working, or answers in no form of the contract. Then a refusal proves nothing. */
import { setTimeout as sleep } from 'node:timers/promises'
import { isMalformed } from '../../clauses/acceptance.ts'
import { answerInWords, type Breach } from '../../clauses/clause.ts'
import { listedFixtures } from '../../deployment/configuration/configuration.ts'
import { type Answer, errorCodeOf } from '../../deployment/http/exchange.ts'
import type { Operation } from '../../specs/operation.ts'
import { type OperationId, operationOf } from '../../specs/operations.ts'
import type { RequirementId } from '../../specs/requirements.ts'
import { usesUp } from '../check.ts'
import { type Effect, type RunExchange, succeeded } from '../log/run-log.ts'
import { remembered } from '../remembered.ts'
import { retryPolicies } from '../retry-finding.ts'
import type { Session } from '../session.ts'
import { leastInFullPortal } from './fixtures.ts'
import { isAcceptedAlone, sendPlainRequest, sendPlainRequestOnce } from './plain-requests.ts'
import { type Refusal, refusedEffect } from './refusal.ts'
import { isUnexplained } from './unexplained.ts'

/** How often an equal request is sent, and how often if fixtures are few. */
const sameRequests = { made: 16, listed: 4 }

/**
 * A target may accept a value once, such as an address of a contact, and refuse it afterwards. Accepting only the first
 * few is therefore not flaky.
 */
const firstUses = 4

/** Operations that may be repeated on one fixture. Runs, syncs and limits on workspaces make that open for others. */
const updatesSettings: readonly OperationId[] = ['update-participant', 'update-federation']

/** How equal requests are sent: without these parameters. `thoroughly`: in part right after refusals or on used fixtures. */
interface Manner {
  readonly without: readonly string[]
  readonly thoroughly: boolean
}

/**
 * Why the operation is flaky. Undefined if it answers equal requests equally. `bare`: without the optional parameters
 * that the refused request lacked. `thoroughly`: without them, and also right after refusals.
 */
export function whyFlaky(
  session: Session,
  { operation, request }: Pick<Effect, 'operation' | 'request'>,
  { bare = false, thoroughly }: { readonly bare?: boolean; readonly thoroughly: boolean },
): Promise<string | undefined> {
  const { flakyByRequest } = session.sideQuestions
  const { parameters }: Operation = operationOf(operation)
  const optional = parameters.filter(({ presence }) => presence === 'optional').map(({ name }) => name)
  const without = thoroughly || bare ? optional.filter((name) => request[name] === undefined) : []
  const key = [operation, thoroughly, ...without].join()
  const known = session.sideQuestions.flaky.get(operation)
  if (known !== undefined) return Promise.resolve(known)
  return remembered(flakyByRequest, key, () => whyUnequal(session, operation, { without, thoroughly }))
}

/** The answers to equal valid requests, in order. */
async function sendEqualRequests(
  session: Session,
  operation: OperationId,
  { without, thoroughly }: Manner,
): Promise<Answer[]> {
  const answers: Answer[] = []
  const most = listedFixtures(session.configuration) !== undefined ? sameRequests.listed : sameRequests.made
  for (let time = 0; time < most; time += 1) {
    const situation = thoroughly && isAfterRefusal(time) ? 'after-refusal' : 'plain'
    const twice = thoroughly && situation === 'plain' && updatesSettings.includes(operation)
    const answer = await sendPlainRequest(session, operation, { without, situation, twice })
    if (answer === undefined) break
    answers.push(answer)
  }
  return answers
}

/** What the answers to equal valid requests say about refusals. Undefined: nothing. */
async function whyUnequal(
  session: Session,
  operation: OperationId,
  manner: Manner,
): Promise<string | undefined> {
  const began = performance.now()
  const answers = await sendEqualRequests(session, operation, manner)
  const refused = answers.filter((answer) => !succeeded(answer))
  const isNone = refused.length === answers.length
  const stopped = isNone && (await hasStoppedWorking(session, operation, began))
  const refusedSince = answers.length > firstUses && answers.findLastIndex(succeeded) < firstUses
  if (!stopped && (refused.length === 0 || isNone || refusedSince)) return undefined
  const { doubts, flaky } = session.sideQuestions
  doubts.add(operation)
  const often = `${refused.length} of ${answers.length}`
  // This says nothing about requests in other situations.
  if (manner.thoroughly && answers.every((answer, time) => succeeded(answer) || isAfterRefusal(time))) {
    noteRefusedAfterRefusals(session, refused, answers.length)
    return `${operation} refused ${often} valid requests, each right after a refused one, so a refusal proves nothing`
  }
  const why = stopped
    ? `${operation} accepts nothing any more (${often} plain requests were refused), so that no more follows from a refusal`
    : `${operation} is flaky: it refused ${often} equal valid requests, so a refusal proves nothing`
  flaky.set(operation, why)
  return why
}

/** Reports plain requests that are refused only after other refusals, if that is no accident and has no known reason. */
function noteRefusedAfterRefusals(session: Session, refused: readonly Answer[], tries: number): void {
  const last = refused.at(-1)
  if (last === undefined || refused.length < retryPolicies.nowAndThen.times) return
  if (!isUnexplained(session, last)) return
  const often = `${refused.length} of ${tries}`
  reportPlainRefused(session, last, {
    message: `plain valid requests are refused right after a refused request, and no others: seen ${often}`,
    counterexample: `plain requests, ${often} refused, each right after a refused request`,
  })
}

/** Reports that plain requests of an operation were refused. The exchange is one of them. */
function reportPlainRefused(
  { watch }: Session,
  { judged: exchange }: RunExchange,
  { counterexample, ...found }: Pick<Breach, 'message' | 'before'> & { readonly counterexample: string },
): void {
  const { operation } = exchange
  const breach: Breach = {
    ...found,
    expected: 'every plain valid request of a permitted caller is accepted',
    actual: answerInWords(exchange),
  }
  const requirement = operationOf(operation).requirements[0].id
  watch.report('plain', { requirement, breach, exchange, operation, counterexample })
}

/** Reports that the answer to a plain valid request is in no form of the contract. */
function reportMalformed({ watch }: Session, answer: RunExchange): void {
  const { judged: exchange } = answer
  const { operation } = exchange
  for (const requirement of ['protocol/json-format', 'protocol/success-boolean'] as const) {
    const breach = watch.judgementOf(answer, requirement, [], { valid: true })
    if (typeof breach === 'object') watch.report('answer', { requirement, breach, exchange, operation })
  }
}

/** Which of the equal requests follow a refusal: at irregular places, so that a fault in every n-th request meets some. */
const isAfterRefusal = (time: number): boolean => (time * time) % 5 === 1

/** Whether an operation that was accepted before accepts nothing any more, from any caller in any form. */
async function hasStoppedWorking(session: Session, operation: OperationId, since: number): Promise<boolean> {
  const { acceptances } = session.ledger
  const isAlive = () => (acceptances.lastOn(operation)?.sentAt ?? 0) > since
  if (acceptances.onOperation(operation) === 0 || isAlive()) return false
  await sendPlainRequest(session, operation)
  return !isAlive()
}

/**
 * Whether exactly this request is also refused elsewhere, with nothing before it. Then another operation is flaky,
 * which says nothing about the judged one. Syncs are too slow to repeat.
 */
export async function refusedElsewhere(refusal: Refusal): Promise<string | undefined> {
  const { session } = refusal
  const effect = refusedEffect(refusal)
  if (effect === undefined || effect.operation === 'sync-workspace') return undefined
  const most =
    listedFixtures(session.configuration) !== undefined || usesUp(effect.operation)
      ? sameRequests.listed
      : sameRequests.made
  for (let time = 0; time < most; time += 1)
    if (!(await isAcceptedAlone(session, effect)))
      return 'the same request is refused elsewhere as well, with nothing before it'
  return undefined
}

/** After this many refused plain requests in a row, the operation no longer works. */
const refusedInARow = 6

/** Statuses and error codes that refuse the caller, perhaps because its credential ended. */
const callerCodes: readonly number[] = [401, 403, 498, 499]

/** Examines each doubtful operation whose first requirement did not fail already. */
export async function examineDoubts(session: Session, broken: ReadonlySet<RequirementId>): Promise<void> {
  // A list may be used up.
  if (listedFixtures(session.configuration) !== undefined) return
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
  const { acceptances } = session.ledger
  const malformed = refused.findLast((answer) => isMalformed(answer))
  if (malformed !== undefined && acceptances.onOperation(operation) > 0) {
    reportMalformed(session, malformed)
    return
  }
  const often = `${refused.length} of ${tries}`
  if (acceptedAfter)
    reportPlainRefused(session, last, {
      message: `plain valid requests are refused now and then: seen ${often}`,
      counterexample: `plain requests at the end of the run, ${often} refused`,
    })
  else if (await hasStopped(session, last, { began, refused: refused.length, tries })) {
    const before = acceptances.lastOn(operation)?.judged
    reportPlainRefused(session, refused[0] as RunExchange, {
      message: `${operation} stopped working during the run: plain valid requests are refused, seen ${often}`,
      counterexample: `the last that was accepted is one of ${before?.recorded.place}`,
      ...(before && { before: [before] }),
    })
  }
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
