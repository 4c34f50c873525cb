/** Runs one check on the target of a session: attempt, second attempt on a finding, outcome. */
import type { Outcome } from '../specs/outcomes.ts'
import { requirementOf } from '../specs/requirements.ts'
import { FixtureNotOffered } from '../target/fixtures/fixture-errors.ts'
import { type Answer, type Evidence, TransportError } from '../target/http/exchange.ts'
import { evidenceOf } from '../target/redaction/evidence.ts'
import { withoutJudging } from './applicability.ts'
import { portalSpeaks } from './baseline.ts'
import type { CheckDefinition } from './check.ts'
import type { CheckResult, Failure } from './check-result.ts'
import { buildContext } from './context/build-context.ts'
import { observation, type Record } from './context/record.ts'
import { Finding, isOfTheTarget, NotTested, Unproven } from './findings.ts'
import { describe } from './judging/acceptance.ts'
import { mergedRoles, unproved } from './role-observations.ts'
import type { Session } from './session.ts'

/** How many exchanges a finding shows at most. */
const evidenceOfFinding = 20

const silent =
  'nothing in this run was accepted or answered as by a portal: check the base URL, the portal ids and the credentials'

const full =
  'the collaboration that checks share takes no more workspaces, so a refusal proves nothing: offer more of them'

interface Attempt {
  readonly record: Record
  /** Absent: the check holds. */
  readonly end?: Error
}

/** Never throws but for errors of the suite itself: a check that is declared wrongly, or that looks at nothing. */
export async function runCheck(definition: CheckDefinition, session: Session): Promise<CheckResult> {
  const began = performance.now()
  const without = withoutJudging(definition, session.configuration, session.input.selection)
  if (without !== undefined) return { ...identityOf(definition), ...without, durationMs: 0, requests: 0 }
  const first = await attempt(definition, session)
  const { end, records, evidence } = await confirmed(first, definition, session)
  const text = (value: string): string => session.redactor.text(value)
  const outcome = outcomeOf(definition, end)
  const last = records.at(-1) as Record
  const reason = end === undefined ? notes(last) : end instanceof Finding ? undefined : end.message
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

/** One attempt; where it syncs, and syncs of this target turn out to hold each other up, one more in which they take turns. */
async function attempt(definition: CheckDefinition, session: Session): Promise<Attempt> {
  const { syncTurns } = session
  const inTurns = syncTurns.taken
  const first = await attemptOnce(definition, session)
  if (inTurns || !definition.operations.includes('sync-workspace') || !isTroubled(first)) return first
  if (!(await syncTurns.needed())) return first
  const second = await attemptOnce(definition, session)
  second.record.requests += first.record.requests
  second.record.observations.push(
    observation(definition, 'sync-isolation', 'a running sync holds up other workspaces'),
  )
  return second
}

/** It did not end well, and not for want of something. */
const isTroubled = ({ end }: Attempt): boolean =>
  end !== undefined && !(end instanceof NotTested || end instanceof FixtureNotOffered)

async function attemptOnce(definition: CheckDefinition, session: Session): Promise<Attempt> {
  const { context, record } = buildContext(definition, session)
  try {
    await definition.body(context)
  } catch (error) {
    if (isOfTheTarget(error)) return { record, end: error }
    throw error
  }
  if (record.unproven !== undefined) return { record, end: record.unproven }
  if (record.requests === 0 || record.judged === 0) {
    throw new Error(
      `${definition.id} looked at nothing: ${record.requests} requests, ${record.judged} expectations`,
    )
  }
  return { record }
}

/** A finding that was not yet tried again is: what does not show a second time is not held against the target. */
async function confirmed(first: Attempt, definition: CheckDefinition, session: Session) {
  const shown = (exchange: Answer | TransportError): Evidence =>
    evidenceOf(exchange, session.redactor, session.began)
  const kept = (answers: readonly Answer[]): Evidence[] => answers.slice(-evidenceOfFinding).map(shown)
  const evidenceFor = ({ end, record }: Attempt): Evidence[] => {
    if (end instanceof Finding) return kept(end.grounds.answers)
    if (end instanceof TransportError) return [...kept(record.answers), shown(end)]
    if (end instanceof Unproven && end.answers.length > 0) return kept(end.answers)
    return kept(record.answers)
  }
  if (first.end instanceof Finding && !(await portalSpeaks(session))) {
    const end = new Unproven(`${silent} (${describe(first.end.grounds.answers.at(-1) as Answer)})`)
    return { end, records: [first.record], evidence: evidenceFor(first) }
  }
  const adds = definition.operations.includes('add-workspace')
  if (first.end instanceof Finding && adds && !(await session.collaborations.stillTaking())) {
    const last = describe(first.end.grounds.answers.at(-1) as Answer)
    const end = new Unproven(`${full} (${last})`)
    return { end, records: [first.record], evidence: evidenceFor(first) }
  }
  if (!(first.end instanceof Finding) || first.end.grounds.shown !== undefined) {
    return { end: first.end, records: [first.record], evidence: evidenceFor(first) }
  }
  const second = await attempt(definition, session)
  const records = [first.record, second.record]
  if (second.end instanceof Finding) return { end: second.end, records, evidence: evidenceFor(second) }
  if (second.end !== undefined) return { end: first.end, records, evidence: evidenceFor(first) }
  const before = first.end.grounds.answers.at(-1)
  const after = second.record.answers.at(-1)
  const came = [before, after].map((answer) => (answer === undefined ? 'nothing' : describe(answer)))
  const end = new Unproven(
    `found once, but not when tried again: ${first.end.message} (first ${came[0]}; then ${came[1]})`,
  )
  return { end, records, evidence: [...evidenceFor(first), ...evidenceFor(second)] }
}

function outcomeOf(definition: CheckDefinition, end: Error | undefined): Outcome {
  if (end === undefined) return 'passed'
  if (end instanceof Finding)
    return requirementOf(definition.requirement).level === 'advice' ? 'warned' : 'failed'
  if (!(end instanceof FixtureNotOffered)) return end instanceof NotTested ? 'not-tested' : 'inconclusive'
  // What is read back besides costs nothing where it cannot be.
  const besides = definition.whereOffered.length + definition.reads.length > 0
  return besides ? 'not-applicable' : 'not-tested'
}

/** What would have to be added for a check that turned out not to be testable. */
function addFor(end: Error | undefined): readonly string[] {
  return end instanceof FixtureNotOffered ? [`fixtures.${end.kind}`] : (end as NotTested).add
}

function notes({ cutShort }: Record): string | undefined {
  return cutShort ? 'the budget of requests (run.maxRequests) ended its generated cases early' : undefined
}

function failureOf(definition: CheckDefinition, finding: Finding, session: Session): Failure {
  const text = (value: string): string => session.redactor.text(value)
  const { expected, actual, counterexample, shown, marks } = finding.grounds
  return {
    message: text(finding.message),
    expected: expected.map(text),
    actual: text(actual),
    ...(counterexample === undefined ? {} : { counterexample: text(counterexample) }),
    seed: session.configuration.run.seed,
    ...(shown === undefined ? {} : { path: shown.path }),
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
