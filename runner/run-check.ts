/** Runs one check and makes its result. */
import { type inKnownWords, reasonInKnownWords } from '../clauses/reported-answers.ts'
import type { Configuration } from '../deployment/configuration/configuration.ts'
import { FixtureNotOffered } from '../deployment/fixtures/fixture-kinds.ts'
import type { Answer } from '../deployment/http/exchange.ts'
import { withoutUndefined } from '../schemas/values.ts'
import { isGating, type Outcome } from '../specs/outcomes.ts'
import { requirementOf } from '../specs/requirements.ts'
import { type CheckDefinition, restsOnTime, usesUp } from './check.ts'
import { type CheckResult, type Failure, failureOf } from './check-result.ts'
import type { AttemptRecord } from './context/record.ts'
import type { Situation } from './context/situations.ts'
import { isQuick, isThorough } from './effort.ts'
import { ControlRefused, Finding, NotApplicable, NotTested, Unproven } from './findings.ts'
import { named, withoutJudging } from './plan.ts'
import { type Attempt, attempt, type Tried } from './proof/attempt.ts'
import { type Confirmed, confirmed, retryRefusedControl } from './proof/confirmation.ts'
import { whyForeign } from './refusals/alive.ts'
import { explained, explanationOf } from './refusals/explanations.ts'
import { isMainCheck, noteDoubt } from './refusals/refusal.ts'
import { mergedRoles, unproved } from './role-observations.ts'
import type { Session } from './session.ts'

/**
 * Runs the check. If it holds and is suitable, it runs again in other situations. Throws only errors of the suite: a
 * check that is declared wrongly, or that judges nothing.
 */
export async function runCheck(definition: CheckDefinition, session: Session): Promise<CheckResult> {
  const began = performance.now()
  const { configuration, input, channel } = session
  const without =
    withoutJudging(definition, configuration, input.selection) ??
    (channel.exhausted ? ({ outcome: 'not-tested', reason: channel.whyExhausted } as const) : undefined)
  if (without !== undefined) return { ...named(definition), ...without, durationMs: 0, requests: 0 }
  const plainly: Tried = { definition, session, situation: 'plain' }
  const first = await attempt(plainly)
  const held: AttemptRecord[] = []
  let found = first
  let situation: Situation = 'plain'
  for (const next of furtherSituations(definition, first, session)) {
    const again = await attempt({ ...plainly, situation: next })
    if (again.end instanceof Finding) {
      held.push(first.record)
      found = again
      situation = next
      break
    }
    held.unshift(again.record)
  }
  const { end, records, evidence } = await confirmed(found, { ...plainly, situation })
  const again = end instanceof ControlRefused ? await retryRefusedControl(end, plainly) : []
  return resultOf(plainly, { end, evidence, records: [...again, ...held, ...records] }, began)
}

/** The result of a check from all its attempts. */
async function resultOf(
  { definition, session }: Tried,
  { end: found, records, evidence }: Confirmed,
  began: number,
): Promise<CheckResult> {
  const last = records.at(-1) as AttemptRecord
  const end =
    found === undefined
      ? await whyUnproved(records, session)
      : await withExplanation(found, last, { definition, session })
  const { text } = session.identities.redactor
  const outcome = outcomeOf(definition, end)
  if (outcome === 'inconclusive' || outcome === 'not-tested')
    noteDoubt(session, end instanceof Unproven && end.answers.length > 0 ? end.answers : last.answers)
  const reason = reasonOf(end, outcome, last)
  const observations = records
    .flatMap((record) => record.observations)
    .map((observation) => ({ ...observation, observed: text(observation.observed) }))
  const noted = mergedRoles(records.flatMap(({ roles }) => roles.all()))
  const roles = end === undefined || end instanceof Finding ? noted : unproved(noted)
  return withoutUndefined({
    ...named(definition),
    outcome,
    reason: reason === undefined ? undefined : text(knownReason(definition, reason, end, session)),
    add: outcome === 'not-tested' ? addFor(end, session.configuration) : undefined,
    durationMs: Math.round(performance.now() - began),
    requests: records.reduce((sum, { requests }) => sum + requests, 0),
    failure: end instanceof Finding ? failureOfFinding(definition, end, session) : undefined,
    evidence: unlessEmpty(evidence),
    observations: unlessEmpty(observations),
    roles: unlessEmpty(roles),
  })
}

const unlessEmpty = <Item>(list: readonly Item[]): readonly Item[] | undefined =>
  list.length === 0 ? undefined : list

/** A check with more requests meets refusals of its own by chance. */
const manyRequests = 100
/** A check that uses up fixtures is repeated only if it took few requests, since longer checks repeat themselves. */
const [veryFewRequests, fewRequests] = [2, 4] as const

/** The situations in which a check that holds runs again. None if it depends on time. */
function furtherSituations(
  definition: CheckDefinition,
  { end, record: { requests } }: Attempt,
  { configuration: { run }, input, channel }: Session,
): readonly Situation[] {
  const { requirement, operations, whereThere } = definition
  const fits = !restsOnTime(definition) && whereThere.reads.length === 0 && input.onlyCase === undefined
  if (!fits || end !== undefined || requests === 0 || channel.exhausted) return []
  if (!operations.some(usesUp)) return requests <= manyRequests && !isQuick(run) ? ['after-the-same'] : []
  if (!isGating(requirementOf(requirement).level) || !isThorough(run)) return []
  // If any refusal counts, an accepted "refused" request might be the reason, which is another requirement.
  if (isMainCheck({ ...definition, id: requirement }) || requests > fewRequests) return []
  return requests > veryFewRequests ? ['in-company'] : ['in-company', 'after-refusal']
}

/** The reason of a result. */
function reasonOf(
  end: Error | undefined,
  outcome: Outcome,
  { cutShort, without }: AttemptRecord,
): string | undefined {
  if (end === undefined) return [without, cutShort && cuts[cutShort]].filter(Boolean).join('; ') || undefined
  if (end instanceof Finding) return outcome === 'warned' ? end.message : undefined
  return end.message
}

/** Why a check that holds proves nothing. Undefined: it passes. */
async function whyUnproved(
  records: readonly AttemptRecord[],
  session: Session,
): Promise<Unproven | undefined> {
  const refusals = records.flatMap(({ outOfForm }) => outOfForm ?? [])
  const last = refusals.toSorted((one, other) => one.answeredAt - other.answeredAt).at(-1)
  const why = last && (await whyForeign(session, last))
  return why === undefined ? undefined : new Unproven(why, [last as Answer])
}

/** Replaces an inconclusive end by the explanation of its last refusal, if there is one. */
async function withExplanation(
  end: Error | undefined,
  { answers }: AttemptRecord,
  { definition, session }: Pick<Tried, 'definition' | 'session'>,
): Promise<Error | undefined> {
  if (!(end instanceof Unproven)) return end
  const answer = end.answers.at(-1) ?? answers.at(-1)
  if (answer === undefined) return end
  const words = await explanationOf({ definition, session, answer }, 'end')
  return words === undefined ? end : new Unproven(explained(words, end.message, answer), end.answers)
}

const cuts = {
  requests: 'the budget of requests (run.maxRequests) ended its generated cases early',
  syncs:
    'syncs were refused while syncs of other workspaces were running, so the check ended its generated cases early',
}

function outcomeOf(definition: CheckDefinition, end: Error | undefined): Outcome {
  if (end === undefined) return 'passed'
  if (end instanceof Finding)
    return requirementOf(definition.requirement).level === 'advice' ? 'warned' : 'failed'
  if (end instanceof NotApplicable) return 'not-applicable'
  if (!(end instanceof FixtureNotOffered)) return end instanceof NotTested ? 'not-tested' : 'inconclusive'
  // Reading back is an extra, so the requirement is judged without it.
  const { fixtures, reads } = definition.whereThere
  const besides = fixtures.length + reads.length > 0
  return besides ? 'not-applicable' : 'not-tested'
}

/** What to add to the configuration for a check that could not run. */
function addFor(end: Error | undefined, { administration }: Configuration): readonly string[] | undefined {
  const add = end instanceof FixtureNotOffered ? [`fixtures.${end.kind}`] : (end as NotTested).add
  // A run that makes its fixtures itself takes none from the configuration.
  return unlessEmpty(administration === undefined ? add : add.filter((key) => !key.startsWith('fixtures.')))
}

/** The last answer of an operation, and the profile's known shapes. */
const lastAnswerAndShapes = (
  { requirement }: CheckDefinition,
  { configuration }: Session,
  answers: readonly Answer[],
): Parameters<typeof inKnownWords>[1] => {
  // Pages that were read afterwards do not count.
  const answer = answers.findLast(({ request }) => request.about !== undefined)
  return { requirement, answer, operation: answer?.request.about, shapes: configuration.profile?.shapes }
}

function knownReason(definition: CheckDefinition, reason: string, end: Error | undefined, session: Session) {
  const answers = end instanceof Unproven ? end.answers : end instanceof Finding ? end.grounds.answers : []
  return reasonInKnownWords(reason, lastAnswerAndShapes(definition, session, answers))
}

function failureOfFinding(
  definition: CheckDefinition,
  { message, grounds }: Finding,
  session: Session,
): Failure {
  return failureOf({ message, ...grounds }, lastAnswerAndShapes(definition, session, grounds.answers), {
    redactor: session.identities.redactor,
    seed: session.configuration.run.seed,
    repeat: `${session.input.repeatCommand} --requirement ${definition.id}`,
  })
}
