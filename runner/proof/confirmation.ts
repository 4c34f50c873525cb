/** Retries what an attempt found: to see how often it shows, and because one sighting may prove nothing. */
import { looksFailed } from '../../clauses/acceptance.ts'
import { classified } from '../../clauses/reported-answers.ts'
import { evidenceOf } from '../../deployment/evidence.ts'
import { type Answer, type Evidence, TransportError } from '../../deployment/http/exchange.ts'
import type { CheckDefinition } from '../check.ts'
import type { Sightings } from '../check-result.ts'
import type { AttemptRecord } from '../context/record.ts'
import { Finding, Unproven } from '../findings.ts'
import { whyUnproved } from '../refusals/explanations.ts'
import { amongOthers } from '../refusals/plain-requests.ts'
import { described, isMainCheck, lastAnswerOf, restsOnRefusal } from '../refusals/refusal.ts'
import { retryFinding, retryPolicies } from '../retry-finding.ts'
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
  return seenEachTime(await retried(first, tried), tried)
}

async function retried(first: Attempt, tried: Tried): Promise<Confirmed> {
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
  const why = await whyUnproved({ definition, session }, found, seenTwice ? 'second' : 'first')
  return why ?? (seenTwice ? found : undefined)
}

/** Retries once, and more often if the finding may be flaky. */
async function seenTwice(first: Attempt, found: Finding, tried: Tried): Promise<Confirmed> {
  const { definition, session } = tried
  const second = await attempt(tried)
  const records = [first.record, second.record]
  const both = sightingsOfBoth(found, second.end)
  if (second.end instanceof Finding) {
    const why = isProvedAtOnce(definition, second.end)
      ? undefined
      : await whyUnproved(tried, second.end, 'second')
    const end = why ?? second.end.with({ seen: both })
    return { end, records, evidence: evidenceOfAttempt(second, session) }
  }
  const mayShow = second.end === undefined && mayBeFlaky(definition, found)
  const rare = mayShow ? await retriedAsFlaky(tried, records) : { tries: 0, times: 0 }
  const tries = both.tries + rare.tries
  if (rare.last?.end instanceof Finding) {
    const sightings = { times: both.times + rare.times, tries }
    const end = (await whyUnproved(tried, rare.last.end, 'second')) ?? rare.last.end.with({ seen: sightings })
    return { end, records, evidence: evidenceOfAttempt(rare.last, session) }
  }
  const after =
    second.end?.message ?? `then ${described(second.record.answers.at(-1))}, in ${tries} tries in all`
  return { end: notSeenAgain(found, after), records, evidence: evidenceOfAll([first, second], session) }
}

/**
 * Whether a refusal may be flaky: neither races nor the length of syncs can be the reason, and generated cases were
 * already retried.
 */
function mayBeFlaky(definition: CheckDefinition, found: Finding): boolean {
  const { traits, operation } = definition
  const bySyncs = traits.includes('timed') && operation === 'sync-workspace'
  const overlaps = traits.includes('overlapping')
  return found.grounds.seen === undefined && !overlaps && !bySyncs && restsOnRefusal(found)
}

/** Retries the check in changing situations. `last`: the last attempt with the finding, if it showed often enough. */
async function retriedAsFlaky(
  tried: Tried,
  records: AttemptRecord[],
): Promise<Sightings & { readonly last?: Attempt | undefined }> {
  let last: Attempt | undefined
  const { tries, times } = await retryFinding(
    retryPolicies.nowAndThen,
    async (situation) => {
      const next = await attempt({ ...tried, situation })
      records.push(next.record)
      if (next.end instanceof Finding) last = next
      if (next.end !== undefined) throw next.end
    },
    (look) => amongOthers(tried.session, look),
  )
  return { tries, times, last: times > 1 ? last : undefined }
}

/** A finding that rests on a failure of another operation must show each time, because that operation may be flaky. */
async function seenEachTime(found: Confirmed, tried: Tried): Promise<Confirmed> {
  const { end } = found
  const other = end instanceof Finding ? otherFailedOperation(tried.definition, end) : undefined
  if (other === undefined) return found
  const records = [...found.records]
  const tries = retryPolicies.eachTime.tries - records.length
  const { missed } = await retryFinding({ ...retryPolicies.eachTime, tries, times: tries }, async () => {
    const next = await attempt(tried)
    records.push(next.record)
    if (next.end !== undefined) throw next.end
  })
  if (missed === undefined) return { ...found, records }
  const then = missed.end?.message ?? 'it held'
  const why = `${end?.message}, but not each time (${then}): ${other} fails now and then`
  return { ...found, records, end: new Unproven(why) }
}

/** The other operation whose failure the finding rests on, if any. */
function otherFailedOperation({ operation }: CheckDefinition, finding: Finding): string | undefined {
  const last = lastAnswerOf(finding)
  const { about } = last.request
  return about !== operation && looksFailed(last) ? about : undefined
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
