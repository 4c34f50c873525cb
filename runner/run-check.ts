/** Runs one check on the target of a session: attempt, second attempt on a finding, outcome. */
import { setTimeout as sleep } from 'node:timers/promises'
import { acceptance } from '../clauses/acceptance.ts'
import { FixtureNotOffered } from '../deployment/fixtures/fixture-kinds.ts'
import { type Answer, type Evidence, TransportError } from '../deployment/http/exchange.ts'
import { evidenceOf } from '../deployment/redaction/evidence.ts'
import type { Outcome } from '../specs/outcomes.ts'
import { requirementOf } from '../specs/requirements.ts'
import { withoutJudging } from './applicability.ts'
import { aliveAfter } from './baseline.ts'
import type { CheckDefinition } from './check.ts'
import type { CheckResult, Failure, Sightings } from './check-result.ts'
import { buildContext } from './context/build-context.ts'
import { seenNowAndThen } from './context/for-all.ts'
import { type AttemptRecord, observation } from './context/record.ts'
import { inSituation, leastRuns, type Situation } from './context/situations.ts'
import { Finding, isOfTheTarget, NotApplicable, NotTested, Unproven } from './findings.ts'
import { usesUp } from './operation-targets.ts'
import { anotherThatFailed, sightingsOfAnother, triesAgain, withinItsTime } from './patience-with-checks.ts'
import { mergedRoles, unproved } from './role-observations.ts'
import type { Session } from './session.ts'
import { Shares } from './sharing.ts'
import {
  againFor,
  butOnce,
  described,
  doubtOf,
  isMain,
  isRefused,
  lastOf,
  proved,
  seenOnce,
  standsAlone,
  unlessGone,
  wantsRoom,
  whyNot,
  whyUnproved,
  withTrueReason,
} from './standing.ts'

/** How many exchanges a finding shows at most. */
const evidenceOfFinding = 20

/** How often a check is tried again at most, since others find out beside it how many workspaces there is room for. */
const mostForRoom = 3

/** How long after a connection broke its check is tried again, in milliseconds. */
const pauseMs = 500

interface Attempt {
  readonly record: AttemptRecord
  /** Absent: the check holds. */
  readonly end?: Error
}

/** What is tried, and when. */
interface Tried {
  readonly definition: CheckDefinition
  readonly session: Session
  /** What each of its requests comes in. */
  readonly situation: Situation
}

/** Among so many of its own each meets another refusal by chance. */
const manyRequests = 100

/** Whether what held is looked at again with a refused request before each of its own: nothing is used up, and time plays no part. */
function lendsItselfToRefusals(
  { timed, overlapping, operations, reads }: CheckDefinition,
  { end, record: { requests } }: Attempt,
  { configuration: { run }, input }: Session,
): boolean {
  const lasts = !operations.some(usesUp)
  const fits = lasts && !timed && !overlapping && reads.length === 0 && input.onlyCase === undefined
  return fits && end === undefined && requests > 0 && requests <= manyRequests && run.runs >= leastRuns
}

/** Never throws but for errors of the suite itself: a check that is declared wrongly, or that looks at nothing. */
export async function runCheck(definition: CheckDefinition, session: Session): Promise<CheckResult> {
  const began = performance.now()
  const without = withoutJudging(definition, session.configuration, session.input.selection)
  if (without !== undefined) return { ...identityOf(definition), ...without, durationMs: 0, requests: 0 }
  const tried: Tried = { definition, session, situation: 'plain' }
  const alone = await attempt(tried)
  const situated: Tried = { ...tried, situation: 'after-the-same' }
  const after = lendsItselfToRefusals(definition, alone, session) ? await attempt(situated) : undefined
  const found =
    after?.end instanceof Finding
      ? await seenEnough(await confirmed(after, situated), situated)
      : await seenEnough(await confirmed(alone, tried), tried)
  const { evidence } = found
  const records =
    after === undefined || after.end instanceof Finding ? found.records : [after.record, ...found.records]
  const there = await unlessGone(definition, session, found.end)
  const end = await withTrueReason(session, there, found.records.at(-1)?.answers.at(-1))
  const text = (value: string): string => session.redactor.text(value)
  const outcome = outcomeOf(definition, end)
  const last = records.at(-1) as AttemptRecord
  const reason = end === undefined ? notes(last) : end instanceof Finding ? undefined : reasonOf(end, session)
  const observations = records.flatMap(({ observations }) => observations)
  const noted = mergedRoles(records.flatMap(({ roles }) => roles.all()))
  const roles = end === undefined || end instanceof Finding ? noted : unproved(noted)
  return {
    ...identityOf(definition),
    outcome,
    ...(outcome === 'warned' ? { reason: text((end as Finding).message) } : {}),
    ...(reason === undefined ? {} : { reason: text(reason) }),
    ...(outcome === 'not-tested' ? { add: addFor(end) } : {}),
    durationMs: Math.round(performance.now() - began),
    requests: records.reduce((sum, { requests }) => sum + requests, 0),
    ...(end instanceof Finding ? { failure: failureOf(definition, end, session) } : {}),
    ...(evidence.length === 0 ? {} : { evidence }),
    ...(observations.length === 0
      ? {}
      : {
          observations: observations.map((observation) => ({
            ...observation,
            observed: text(observation.observed),
          })),
        }),
    ...(roles.length === 0 ? {} : { roles }),
  }
}

const identityOf = ({ id, requirement, title }: CheckDefinition) => ({ id, requirement, title })

/**
 * One attempt; once more with fixtures of its own where a connection broke, which proves nothing, since the target may
 * have been away; and where its collaboration took no more workspaces, now that it is known how many one takes.
 */
async function attempt(tried: Tried): Promise<Attempt> {
  const { definition, session } = tried
  let last = await attemptOnce(tried)
  if (triesAgain(last.end, session)) {
    await sleep(pauseMs)
    return anew(tried, last)
  }
  for (let time = 0; time < mostForRoom; time += 1) {
    const room = await roomFound(session, last)
    if (room === undefined) break
    last = await anew(tried, last)
    const takes = `a collaboration takes ${room} workspaces: more were added to others`
    last.record.observations.push(observation(definition, 'workspace-quota', takes))
  }
  return last
}

/** Another attempt in the place of that one, whose requests count as well. */
async function anew(tried: Tried, { record: { requests } }: Attempt): Promise<Attempt> {
  const next = await attemptOnce(tried)
  next.record.requests += requests
  return next
}

/** How many workspaces a collaboration takes, where the attempt ended for want of that. */
async function roomFound(session: Session, { end, record }: Attempt): Promise<number | undefined> {
  const answers = end instanceof Finding ? end.grounds.answers : end instanceof Unproven ? end.answers : []
  const last = end === undefined ? undefined : (answers.at(-1) ?? record.answers.at(-1))
  return (await wantsRoom(session, last)) ? session.collaborations.room : undefined
}

/**
 * What goes wrong on a fixture that others have used may be their doing: it is tried again on fixtures that nobody has
 * had. A later attempt shares nothing from the start.
 */
async function attemptOnce(tried: Tried): Promise<Attempt> {
  const { sharing } = tried.session
  const attempted = `${tried.definition.id} ${tried.situation}`
  const shares = new Shares(sharing, { alone: sharing.hadAttempt(attempted) })
  const first = await attemptInTime(shares, tried)
  if (!shares.secondHand || !isTheirDoing(first.end)) return first
  const second = await attemptInTime(new Shares(sharing, { alone: true }), tried)
  if (second.end instanceof FixtureNotOffered)
    return first.end instanceof Finding ? { ...first, end: onUsed(first.end) } : first
  second.record.requests += first.record.requests
  return second
}

async function attemptInTime(shares: Shares, { definition, session, situation }: Tried): Promise<Attempt> {
  const { context, record } = buildContext(definition, session, {
    shares,
    again: againFor(definition, session),
  })
  try {
    await withinItsTime(() => inSituation(situation, () => definition.body(context)), {
      session,
      onEnd: () => (record.ended = true),
    })
  } catch (error) {
    if (isOfTheTarget(error)) return { record, end: unlessCredentialEnded(error, session) }
    throw error
  } finally {
    session.workspaces.end(record)
  }
  if (record.unproven !== undefined) return { record, end: record.unproven }
  if (record.requests + record.adopted === 0 || record.judged === 0) {
    throw new Error(
      `${definition.id} looked at nothing: ${record.requests} requests, ${record.judged} expectations`,
    )
  }
  return { record }
}

/** Whether what ended an attempt may be for what others did with its fixtures: not an acceptance that should not have been. */
function isTheirDoing(end: Error | undefined): boolean {
  if (end instanceof Finding) {
    const last = end.grounds.answers.at(-1)
    return last === undefined || !acceptance(last).accepted
  }
  return end instanceof Unproven || end instanceof NotTested
}

/** What is found on a fixture that others have used, where there is no other one to find it on. */
const onUsed = ({ message, grounds }: Finding): Unproven =>
  new Unproven(
    `found on a fixture that other checks had used, and there is no other to try it on: ${message}; offer more fixtures`,
    grounds.answers,
  )

/** An attempt that was made again, if it was, and what became of it. */
interface Confirmed {
  readonly end: Error | undefined
  readonly records: readonly AttemptRecord[]
  readonly evidence: readonly Evidence[]
}

/** What rests on the failure of another operation must show each time: that one may fail now and then, which is its own affair. */
async function seenEnough(found: Confirmed, tried: Tried): Promise<Confirmed> {
  const { end } = found
  const other = end instanceof Finding ? anotherThatFailed(tried.definition, end) : undefined
  if (other === undefined) return found
  const records = [...found.records]
  while (records.length < sightingsOfAnother) {
    const next = await attempt(tried)
    records.push(next.record)
    if (next.end instanceof Finding) continue
    const then = next.end?.message ?? 'it held'
    const why = `${end?.message}, but not each time (${then}): ${other} fails now and then`
    return { ...found, records, end: new Unproven(why) }
  }
  return { ...found, records }
}

/** A refusal by who does not know the caller any more is no finding. */
function unlessCredentialEnded(end: Error, session: Session): Error {
  const last = end instanceof Finding ? end.grounds.answers.at(-1) : undefined
  return (last === undefined ? undefined : session.credentialEnded(last)) ?? end
}

/** What the first attempt found is looked for again: to tell how often it shows, and where one sighting proves nothing. */
async function confirmed(first: Attempt, tried: Tried): Promise<Confirmed> {
  const { definition, session } = tried
  const evidenceFor = evidenceIn(session)
  const once = (end: Error | undefined): Confirmed => ({
    end,
    records: [first.record],
    evidence: evidenceFor(first),
  })
  const { end: found } = first
  if (!(found instanceof Finding)) return once(found)
  const alone = standsAlone(definition, session, found)
  if (alone && found.grounds.seen !== undefined) return once(found)
  if (!alone) {
    const why = await whyUnproved(definition, session, found)
    if (why !== undefined) return once(why)
    if (timesSeen(found) > 1) return once((await whyNot(definition, session, found)) ?? found)
    try {
      await aliveAfter(session, lastOf(found))
    } catch (error) {
      if (error instanceof Unproven) return once(butOnce(found, error))
      throw error
    }
    // Where its fixture is not there, trying again would use up another for nothing.
    const doubt = await proved(session, found)
    if (doubt !== undefined) return once(doubt)
    // Among so many cases another one is refused by chance: the very same one was, or it says nothing.
    const { seen } = found.grounds
    if (seen !== undefined && seen.tries > 1 && isRefused(session, found) && !isMain(definition))
      return {
        ...once(seenOnce(found, 'then not any more')),
        evidence: [...evidenceFor(first), ...evidenceFor({ record: first.record })],
      }
  }
  const second = await attempt(tried)
  const records = [first.record, second.record]
  const seen = together(found, second.end)
  if (alone) return { ...once(withSightings(found, seen)), records }
  if (second.end instanceof Finding) {
    const end = standsAlone(definition, session, second.end)
      ? undefined
      : await whyNot(definition, session, second.end)
    const stands = end ?? withSightings(second.end, seen)
    return { end: stands, records, evidence: evidenceFor(second) }
  }
  const rare =
    second.end === undefined && showsNowAndThen(definition, session, found)
      ? await nowAndThen(tried, records)
      : undefined
  const tries = seen.tries + (rare?.tries ?? 0)
  const last = rare?.finding
  if (last?.end instanceof Finding) {
    const times = seen.times + (rare?.times ?? 0)
    const end = (await whyNot(definition, session, last.end)) ?? withSightings(last.end, { times, tries })
    return { end, records, evidence: evidenceFor(last) }
  }
  const after =
    second.end?.message ?? `then ${described(second.record.answers.at(-1))}, in ${tries} tries in all`
  const end = seenOnce(found, after)
  return { end, records, evidence: [...evidenceFor(first), ...evidenceFor(second)] }
}

/** A refusal that no length of a sync may be the reason of, and no race; generated cases were tried more than once already. */
function showsNowAndThen(definition: CheckDefinition, session: Session, found: Finding): boolean {
  const { timed, overlapping, operation } = definition
  const bySyncs = timed && operation === 'sync-workspace'
  return found.grounds.seen === undefined && !overlapping && !bySyncs && isRefused(session, found)
}

/** Tries the check again in one situation after the other, as a case that shows now and then. */
async function nowAndThen(
  tried: Tried,
  records: AttemptRecord[],
): Promise<{ readonly tries: number; readonly times: number; readonly finding?: Attempt }> {
  let finding: Attempt | undefined
  const { tries, times } = await seenNowAndThen(async (situation) => {
    const next = await attempt({ ...tried, situation })
    records.push(next.record)
    if (next.end instanceof Finding) finding = next
    if (next.end !== undefined) throw next.end
  })
  return { tries, times, ...(times > 1 && finding !== undefined ? { finding } : {}) }
}

/** Gives the exchanges that an attempt ends with. */
function evidenceIn(session: Session): (of: Attempt) => Evidence[] {
  const shown = (exchange: Answer | TransportError): Evidence =>
    evidenceOf(exchange, session.redactor, session.began)
  const kept = (answers: readonly Answer[]): Evidence[] => answers.slice(-evidenceOfFinding).map(shown)
  return ({ end, record }) => {
    if (end instanceof Finding) return kept(end.grounds.answers)
    if (end instanceof TransportError) return [...kept(record.answers), shown(end)]
    if (end instanceof Unproven && end.answers.length > 0) return kept(end.answers)
    return kept(record.answers)
  }
}

const timesSeen = ({ grounds }: Finding): number => grounds.seen?.times ?? 1

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

const withSightings = (finding: Finding, seen: Sightings): Finding =>
  new Finding(finding.message, { ...finding.grounds, seen })

/** Why nothing was proved; where that may be for want of a fixture that is there, with what to do. */
function reasonOf(end: Error, session: Session): string {
  const refused = end instanceof Unproven ? end.answers.at(-1) : undefined
  const doubt = doubtOf(session, refused)
  return doubt === undefined || end.message.includes(doubt) ? end.message : `${end.message}; ${doubt}`
}

function outcomeOf(definition: CheckDefinition, end: Error | undefined): Outcome {
  if (end === undefined) return 'passed'
  if (end instanceof Finding)
    return requirementOf(definition.requirement).level === 'advice' ? 'warned' : 'failed'
  if (end instanceof NotApplicable) return 'not-applicable'
  if (!(end instanceof FixtureNotOffered)) return end instanceof NotTested ? 'not-tested' : 'inconclusive'
  // What is read back besides costs nothing where it cannot be.
  const besides = definition.whereOffered.length + definition.reads.length > 0
  return besides ? 'not-applicable' : 'not-tested'
}

/** What would have to be added for a check that turned out not to be testable. */
function addFor(end: Error | undefined): readonly string[] {
  return end instanceof FixtureNotOffered ? [`fixtures.${end.kind}`] : (end as NotTested).add
}

const cuts = {
  requests: 'the budget of requests (run.maxRequests) ended its generated cases early',
  syncs: 'syncs of different workspaces hold each other up here, which ended its generated cases early',
}

const notes = ({ cutShort }: AttemptRecord): string | undefined =>
  cutShort === undefined ? undefined : cuts[cutShort]

function failureOf(definition: CheckDefinition, finding: Finding, session: Session): Failure {
  const text = (value: string): string => session.redactor.text(value)
  const { expected, actual, counterexample, place, seen, marks } = finding.grounds
  return {
    message: text(finding.message),
    expected: expected.map(text),
    actual: text(actual),
    ...(counterexample === undefined ? {} : { counterexample: text(counterexample) }),
    seed: session.configuration.run.seed,
    ...(place === undefined ? {} : { path: place.path }),
    ...(seen === undefined ? {} : { seen }),
    ...(marks === undefined ? {} : { marks: redactedMarks(marks, text) }),
    replay: text(`${session.input.replayCommand} --requirement ${definition.id}`),
  }
}

function redactedMarks(
  { request, response }: NonNullable<Failure['marks']>,
  text: (value: string) => string,
): NonNullable<Failure['marks']> {
  return {
    ...(request === undefined ? {} : { request: request.map(text) }),
    ...(response === undefined ? {} : { response: response.map(text) }),
  }
}
