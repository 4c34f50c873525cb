/** Retries what an attempt found: to see how often a finding shows, and whether a refused control is refused again. */
import { looksFailed } from '../../clauses/acceptance.ts'
import { classified } from '../../clauses/reported-answers.ts'
import { evidenceOf } from '../../deployment/evidence.ts'
import { type Answer, type Evidence, TransportError } from '../../deployment/http/exchange.ts'
import { type RequirementId, requirementOf } from '../../specs/requirements.ts'
import { restsOnTime } from '../check.ts'
import type { Sightings } from '../check-result.ts'
import type { AttemptRecord } from '../context/record.ts'
import { ControlRefused, Finding, repeatedAmong, Unproven } from '../findings.ts'
import { asExchange, type RunExchange } from '../log/run-log.ts'
import { explanationOf, whyRefused } from '../refusals/explanations.ts'
import { reportRefused } from '../refusals/flakiness.ts'
import { isAcceptedAlone } from '../refusals/plain-requests.ts'
import { described, isMainCheck, restsOnRefusal } from '../refusals/refusal.ts'
import type { Session } from '../session.ts'
import { type Attempt, attempt, isProvedAtOnce, notSeenAgain, type Tried } from './attempt.ts'

/** How many exchanges a finding shows at most. */
const evidenceOfFinding = 20

/** The end of an attempt and of its retries. */
export interface Confirmed {
  readonly end: Error | undefined
  readonly records: readonly AttemptRecord[]
  readonly evidence: readonly Evidence[]
}

/** Confirms the finding of an attempt. Any other end stays as it is. */
export async function confirmed(first: Attempt, tried: Tried): Promise<Confirmed> {
  const { definition, session } = tried
  const { end: found, record } = first
  const once = (end: Error | undefined): Confirmed => ({
    end,
    records: [record],
    evidence: evidenceOfAttempt(first, session),
  })
  if (!(found instanceof Finding)) return once(found)
  const { seen } = found.grounds
  if (isProvedAtOnce(definition, found)) {
    if (seen !== undefined) return once(found)
    const second = await attempt(tried)
    const end = found.with({ seen: sightingsOfBoth(found, second.end) })
    return { ...once(end), records: [record, second.record] }
  }
  const settled = await endWithoutRetry(found, tried)
  if (settled !== undefined) return once(settled)
  // With many cases, another one is refused by chance. Only the same case counts.
  if (seen !== undefined && seen.tries > 1 && restsOnRefusal(found) && !isMainCheck(definition)) {
    const end = notSeenAgain(found, 'then not any more')
    return { end, records: [record], evidence: evidenceOfAll([first, { record }], session) }
  }
  return seenTwice(first, found, tried)
}

/** The end of a finding that needs no retry: it was seen twice already, or a retry would show nothing. */
async function endWithoutRetry(
  found: Finding,
  { definition, session }: Tried,
): Promise<Finding | Unproven | undefined> {
  const seenTwice = (found.grounds.seen?.times ?? 1) > 1
  const why = await whyRefused({ definition, session }, found, seenTwice ? 'second' : 'first')
  return why ?? (seenTwice ? found : undefined)
}

/** Retries once, because one sighting may have another cause than the target. */
async function seenTwice(first: Attempt, found: Finding, tried: Tried): Promise<Confirmed> {
  const { definition, session } = tried
  const second = await attempt(tried)
  const records = [first.record, second.record]
  const { end: again } = second
  if (!(again instanceof Finding)) {
    const after = again?.message ?? `then ${described(second.record.answers.at(-1))}`
    return { end: notSeenAgain(found, after), records, evidence: evidenceOfAll([first, second], session) }
  }
  const why = isProvedAtOnce(definition, again) ? undefined : await whyRefused(tried, again, 'second')
  const end = why ?? again.with({ seen: sightingsOfBoth(found, again) })
  return { end, records, evidence: evidenceOfAttempt(second, session) }
}

/** The exchanges that an attempt ends with. */
function evidenceOfAttempt({ end, record }: Attempt, session: Session): Evidence[] {
  const shown = (exchange: Answer | TransportError): Evidence =>
    evidenceOf(exchange, classified(exchange), session.identities.redactor, session.tally.began)
  const kept = (answers: readonly Answer[]): Evidence[] => answers.slice(-evidenceOfFinding).map(shown)
  if (end instanceof Finding) return kept(end.grounds.answers)
  if (end instanceof TransportError) return [...kept(record.answers), shown(end)]
  if (end instanceof Unproven && end.answers.length > 0) return kept(end.answers)
  return kept(record.answers)
}

const evidenceOfAll = (attempts: readonly Attempt[], session: Session): Evidence[] =>
  attempts.flatMap((each) => evidenceOfAttempt(each, session))

/** The sightings of two attempts. An inconclusive attempt does not count. */
function sightingsOfBoth(first: Finding, second: Error | undefined): Sightings {
  const once = { times: 1, tries: 1 }
  const one = first.grounds.seen ?? once
  if (second instanceof Finding) {
    const other = second.grounds.seen ?? once
    return { times: one.times + other.times, tries: one.tries + other.tries }
  }
  return second === undefined ? { times: one.times, tries: one.tries + 1 } : one
}

/**
 * Retries a refused control. If it is refused again, and the same request is accepted on a thing of its own, the watch
 * reports it. Returns the records of the retries.
 */
export async function retryRefusedControl(
  { message, answer, clause }: ControlRefused,
  tried: Tried,
): Promise<readonly AttemptRecord[]> {
  const { definition, session } = tried
  const first = asExchange(answer)
  if (first === undefined || !isWorthRetrying(first, tried, clause)) return []
  if ((await explanationOf({ definition, session, answer }, 'first')) !== undefined) return []
  const { record, end } = await attempt(tried)
  const again = end instanceof ControlRefused && end.message === message ? asExchange(end.answer) : undefined
  if (again === undefined) return [record]
  const why = await explanationOf({ definition, session, answer: again }, 'second')
  if (why !== undefined) return [record]
  // A limit is part of the request, which a request with another text does not show.
  if (clause !== undefined && requirementOf(clause).kind === 'limits')
    reportRefused(session, 'control', again, {
      requirement: clause,
      message: 'a valid request was not accepted',
      counterexample: `an answer to ${definition.id}, seen twice`,
    })
  else if (await isAcceptedAlone(session, again.asked))
    reportRefused(session, 'control', again, {
      ...(clause && { requirement: clause }),
      message: 'a valid request was not accepted after others on the same thing',
      counterexample: `an answer to ${definition.id}, seen twice; the same request is accepted on another thing`,
    })
  return [record]
}

/**
 * Whether it is a proper refusal of a caller who was accepted before, in a check that does not depend on time. A sync may
 * have met another one, unless its check waited until all others were over and names the clause.
 */
function isWorthRetrying(
  exchange: RunExchange,
  { definition, session }: Tried,
  clause: RequirementId | undefined,
): boolean {
  const { operation, actor } = exchange.asked
  // The failure of another operation is that operation's subject.
  if (actor === undefined || operation !== definition.operation) return false
  if (operation === 'sync-workspace' && clause === undefined) return false
  const isRefusal = !exchange.succeeded && !looksFailed(exchange) && repeatedAmong([exchange]) === undefined
  const isKnown = session.ledger.acceptances.of(actor).includes(operation)
  return isRefusal && isKnown && !restsOnTime(definition) && session.input.onlyCase === undefined
}
