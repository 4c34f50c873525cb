/** Whether an operation is flaky, stopped working, or answers in no form of the contract. Then a refusal proves nothing. */
import { isMalformed } from '../../clauses/acceptance.ts'
import { answerInWords, type Breach } from '../../clauses/clause.ts'
import { listedFixtures } from '../../deployment/configuration/configuration.ts'
import { errorCodeOf } from '../../deployment/http/exchange.ts'
import { type OperationId, operationOf } from '../../specs/operations.ts'
import type { RequirementId } from '../../specs/requirements.ts'
import { type RunExchange, succeeded } from '../log/run-log.ts'
import { remembered } from '../remembered.ts'
import type { Session } from '../session.ts'
import { acceptedForAccountOf, whyNothingIsAccepted } from './alive.ts'
import { leastInFullPortal } from './fixtures.ts'
import { isAcceptedLater, plainAnswers } from './plain-requests.ts'
import { isUnexplained } from './refusal.ts'

/** How many plain requests are sent: once one was refused, otherwise, and if fixtures are few. */
const mostTries = { onceRefused: 32, made: 16, listed: 4 }

/** Two refusals are no accident. */
const leastRefused = 2

/** After this many refused plain requests in a row, the operation no longer works. */
const refusedInARow = 6

/** Statuses and error codes that refuse the caller, perhaps because its credential ended. */
const callerCodes: readonly number[] = [401, 403, 498, 499]

/** How the target answered plain requests of one operation. */
interface PlainAnswers {
  /** Refused for no known reason, or malformed. */
  readonly refused: readonly RunExchange[]
  readonly tries: number
  /** Whether anything was accepted after the first refusal. */
  readonly acceptedAfter: boolean
  /** When they began, in ms of `performance.now()`. */
  readonly began: number
}

/** Sends plain requests until they show whether the operation accepts all, some or none. */
async function plainAnswersOf(session: Session, operation: OperationId): Promise<PlainAnswers> {
  const isListed = listedFixtures(session.configuration) !== undefined
  const began = performance.now()
  const refused: RunExchange[] = []
  const most = () => mostTries[isListed ? 'listed' : refused.length > 0 ? 'onceRefused' : 'made']
  let [tries, acceptedAfter] = [0, false]
  for (let time = 0; time < most(); time += 1) {
    const answers = await plainAnswers(session, operation)
    if (answers.length === 0) break
    for (const answer of answers) {
      if (succeeded(answer) && !isMalformed(answer)) acceptedAfter ||= refused.length > 0
      else if (isMalformed(answer)) refused.push(answer as RunExchange)
      else if (isUnexplained(session, answer)) refused.push(answer)
      else continue
      tries += 1
    }
    if (refused.length >= leastRefused && acceptedAfter) break
    if (refused.length === tries && tries >= refusedInARow) break
  }
  return { refused, tries, acceptedAfter, began }
}

/** Whether an operation that was accepted before accepts nothing any more, in any form. */
function isDead(
  { ledger: { acceptances } }: Session,
  operation: OperationId,
  { refused, tries, began }: PlainAnswers,
): boolean {
  const last = acceptances.lastOn(operation)
  return refused.length === tries && last !== undefined && last.sentAt < began
}

/** Why refusals of the operation prove nothing. Undefined if plain requests are answered alike. */
export const whyFlaky = (session: Session, operation: OperationId): Promise<string | undefined> =>
  remembered(session.sideQuestions.flaky, operation, async () => {
    const answers = await plainAnswersOf(session, operation)
    const { refused, tries } = answers
    if (refused.length === 0) return undefined
    const dead = isDead(session, operation, answers)
    if (refused.length === tries && !dead) return undefined
    session.sideQuestions.doubts.add(operation)
    const often = `${refused.length} of ${tries}`
    return dead
      ? `${operation} accepts nothing any more (${often} plain requests were refused), so that no more follows from a refusal`
      : `${operation} is flaky: it refused ${often} plain valid requests, so a refusal proves nothing`
  })

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

async function examine(session: Session, operation: OperationId): Promise<void> {
  // New requests, even if `whyFlaky` sent some: trouble that is over by now is no finding.
  const answers = await plainAnswersOf(session, operation)
  const { refused, tries, acceptedAfter } = answers
  const last = refused.at(-1)
  if (last === undefined || refused.length < leastRefused) return
  const { acceptances } = session.ledger
  const malformed = refused.findLast((answer) => isMalformed(answer))
  const worked = acceptances.onOperation(operation) > 0
  if (malformed !== undefined && worked && reportMalformed(session, malformed)) return
  const often = `${refused.length} of ${tries}`
  if (acceptedAfter)
    reportRefused(session, 'plain', last, {
      message: `the target is flaky: it sometimes refuses plain valid requests, seen ${often}`,
      counterexample: `plain requests at the end of the run, ${often} refused`,
    })
  else if (await hasStopped(session, operation, answers)) {
    const before = acceptances.lastOn(operation)?.judged
    reportRefused(session, 'plain', refused[0] as RunExchange, {
      message: `${operation} stopped working during the run: plain valid requests are refused, seen ${often}`,
      counterexample: `the last that was accepted is one of ${before?.recorded.place}`,
      ...(before && { before: [before] }),
    })
  }
}

/** Whether an operation that worked before accepts nothing in any form, while others are accepted. */
async function hasStopped(session: Session, operation: OperationId, answers: PlainAnswers): Promise<boolean> {
  const { acceptances } = session.ledger
  const last = answers.refused.at(-1) as RunExchange
  const code = errorCodeOf(last)
  // A limit on workspaces is an open point. Only its error distinguishes it from an operation that stopped working.
  const isError = code < 500 && last.status < 300
  if (operation === 'add-workspace' && isError && acceptances.added >= leastInFullPortal) return false
  if (answers.tries < refusedInARow || !isDead(session, operation, answers)) return false
  // A new fixture may show late, and each plain request has a new one.
  if (await isAcceptedLater(session, last.asked)) return false
  // Who lost its rights meanwhile is refused everywhere. Of one who calls only this operation nothing else can show it.
  const callsOthers = acceptedForAccountOf(session, last.asked.actor).length > 1
  const ofAnyone = !callsOthers && !callerCodes.includes(code)
  return (await whyNothingIsAccepted(session, last, { ofAnyone })) === undefined
}

/** Reports that valid requests of an operation were refused. The exchange is one of them. */
export function reportRefused(
  { watch }: Session,
  kind: 'plain' | 'control',
  { judged: exchange }: RunExchange,
  {
    counterexample,
    requirement = operationOf(exchange.operation).requirements[0].id,
    ...found
  }: Pick<Breach, 'message' | 'before'> & {
    readonly counterexample: string
    readonly requirement?: RequirementId
  },
): void {
  const { operation } = exchange
  const breach: Breach = {
    ...found,
    expected: 'every valid request of a permitted caller is accepted',
    actual: answerInWords(exchange),
  }
  watch.report(kind, { requirement, breach, exchange, operation, counterexample })
}

/** Reports that the answer to a plain valid request is in no form of the contract. False: no judge says so. */
function reportMalformed({ watch }: Session, answer: RunExchange): boolean {
  const { judged: exchange } = answer
  const { operation } = exchange
  const breaches = (['protocol/json-format', 'protocol/success-boolean'] as const).flatMap((requirement) => {
    const breach = watch.judgementOf(answer, requirement, [], { valid: true })
    return typeof breach === 'object' ? [{ requirement, breach, exchange, operation }] : []
  })
  for (const sighting of breaches) watch.report('answer', sighting)
  return breaches.length > 0
}
