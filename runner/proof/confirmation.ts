/** Retries what an attempt found: to see how often it shows, and because one sighting may prove nothing. */
import { classified } from '../../clauses/reported-answers.ts'
import { evidenceOf } from '../../deployment/evidence.ts'
import { type Answer, type Evidence, TransportError } from '../../deployment/http/exchange.ts'
import type { Sightings } from '../check-result.ts'
import type { AttemptRecord } from '../context/record.ts'
import { Finding, Unproven } from '../findings.ts'
import { whyRefused } from '../refusals/explanations.ts'
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
