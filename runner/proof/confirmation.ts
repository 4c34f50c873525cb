/** Looks again for what an attempt found: to tell how often it shows, and since one sighting may prove nothing. */
import { classified } from '../../clauses/answer-class.ts'
import { looksFailed } from '../../clauses/portal-like.ts'
import { type Answer, type Evidence, TransportError } from '../../deployment/http/exchange.ts'
import { evidenceOf } from '../../deployment/redaction/evidence.ts'
import type { CheckDefinition } from '../check.ts'
import type { Sightings } from '../check-result.ts'
import type { AttemptRecord } from '../context/record.ts'
import { Finding, Unproven } from '../findings.ts'
import { whyUnproved } from '../refusals/explanations.ts'
import { amongOthers } from '../refusals/plain-requests.ts'
import { described, isMain, isRefused, lastOf } from '../refusals/refusal.ts'
import { policies, seen } from '../seen.ts'
import type { Session } from '../session.ts'
import { type Attempt, attempt, type Tried } from './attempt.ts'
import { seenOnce, standsAlone } from './standing.ts'

/** How many exchanges a finding shows at most. */
const evidenceOfFinding = 20

/** What became of an attempt, and of those that were made after it. */
export interface Confirmed {
  readonly end: Error | undefined
  readonly records: readonly AttemptRecord[]
  readonly evidence: readonly Evidence[]
}

/** An attempt that found nothing stays as it is. */
export async function confirmed(first: Attempt, tried: Tried): Promise<Confirmed> {
  return seenEachTime(await lookedForAgain(first, tried), tried)
}

async function lookedForAgain(first: Attempt, tried: Tried): Promise<Confirmed> {
  const { definition, session } = tried
  const { end: found, record } = first
  const once = (end: Error | undefined): Confirmed => ({
    end,
    records: [record],
    evidence: evidenceOfAttempt(first, session),
  })
  if (!(found instanceof Finding)) return once(found)
  const { seen } = found.grounds
  if (standsAlone(definition, found)) {
    if (seen !== undefined) return once(found)
    const second = await attempt(tried)
    const end = found.with({ seen: together(found, second.end) })
    return { ...once(end), records: [record, second.record] }
  }
  const settled = await settledAtOnce(found, tried)
  if (settled !== undefined) return once(settled)
  // Among so many cases another one is refused by chance: the very same one was, or it says nothing.
  if (seen !== undefined && seen.tries > 1 && isRefused(found) && !isMain(definition)) {
    const end = seenOnce(found, 'then not any more')
    return { end, records: [record], evidence: evidenceOfAll([first, { record }], session) }
  }
  return seenTwice(first, found, tried)
}

/** How a finding that must be seen twice ends without another try: it was seen so already, or trying would show nothing. */
export async function settledAtOnce(
  found: Finding,
  { definition, session }: Tried,
): Promise<Finding | Unproven | undefined> {
  const seenTwice = (found.grounds.seen?.times ?? 1) > 1
  const why = await whyUnproved({ definition, session }, found, seenTwice ? 'second' : 'first')
  return why ?? (seenTwice ? found : undefined)
}

/** What must show in a second attempt, or in some of several where it may show now and then. */
async function seenTwice(first: Attempt, found: Finding, tried: Tried): Promise<Confirmed> {
  const { definition, session } = tried
  const second = await attempt(tried)
  const records = [first.record, second.record]
  const both = together(found, second.end)
  if (second.end instanceof Finding) {
    const why = standsAlone(definition, second.end)
      ? undefined
      : await whyUnproved(tried, second.end, 'second')
    const end = why ?? second.end.with({ seen: both })
    return { end, records, evidence: evidenceOfAttempt(second, session) }
  }
  const mayShow = second.end === undefined && showsNowAndThen(definition, found)
  const rare = mayShow ? await nowAndThen(tried, records) : { tries: 0, times: 0 }
  const tries = both.tries + rare.tries
  if (rare.last?.end instanceof Finding) {
    const sightings = { times: both.times + rare.times, tries }
    const end = (await whyUnproved(tried, rare.last.end, 'second')) ?? rare.last.end.with({ seen: sightings })
    return { end, records, evidence: evidenceOfAttempt(rare.last, session) }
  }
  const after =
    second.end?.message ?? `then ${described(second.record.answers.at(-1))}, in ${tries} tries in all`
  return { end: seenOnce(found, after), records, evidence: evidenceOfAll([first, second], session) }
}

/** A refusal that no length of a sync may be the reason of, and no race; generated cases were tried more than once already. */
function showsNowAndThen(definition: CheckDefinition, found: Finding): boolean {
  const { traits, operation } = definition
  const bySyncs = traits.includes('timed') && operation === 'sync-workspace'
  const overlaps = traits.includes('overlapping')
  return found.grounds.seen === undefined && !overlaps && !bySyncs && isRefused(found)
}

/** Tries the check again in one situation after the other. `last`: the last attempt that found it, where it showed often enough. */
async function nowAndThen(
  tried: Tried,
  records: AttemptRecord[],
): Promise<Sightings & { readonly last?: Attempt | undefined }> {
  let last: Attempt | undefined
  const { tries, times } = await seen(
    policies.nowAndThen,
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

/** What rests on the failure of another operation must show each time: that one may fail now and then, which is its own affair. */
async function seenEachTime(found: Confirmed, tried: Tried): Promise<Confirmed> {
  const { end } = found
  const other = end instanceof Finding ? anotherThatFailed(tried.definition, end) : undefined
  if (other === undefined) return found
  const records = [...found.records]
  const tries = policies.eachTime.tries - records.length
  const { missed } = await seen({ ...policies.eachTime, tries, times: tries }, async () => {
    const next = await attempt(tried)
    records.push(next.record)
    if (next.end !== undefined) throw next.end
  })
  if (missed === undefined) return { ...found, records }
  const then = missed.end?.message ?? 'it held'
  const why = `${end?.message}, but not each time (${then}): ${other} fails now and then`
  return { ...found, records, end: new Unproven(why) }
}

/** The operation whose failure a finding rests on, where the check is about another one. */
function anotherThatFailed({ operation }: CheckDefinition, finding: Finding): string | undefined {
  const last = lastOf(finding)
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

/** The sightings of two attempts. An attempt that came to no judgement is none. */
function together(first: Finding, second: Error | undefined): Sightings {
  const once = { times: 1, tries: 1 }
  const one = first.grounds.seen ?? once
  if (second instanceof Finding) {
    const other = second.grounds.seen ?? once
    return { times: one.times + other.times, tries: one.tries + other.tries }
  }
  return second === undefined ? { times: one.times, tries: one.tries + 1 } : one
}
