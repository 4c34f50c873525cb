/** The results in the Common Test Report Format (ctrf.io): a test for each check. */
import { withoutUndefined } from '../../schemas/without-undefined.ts'
import { type Outcome, outcomes } from '../../specs/outcomes.ts'
import { jsonList } from '../document.ts'
import {
  checksOf,
  clientCases,
  clientTitle,
  findingText,
  troublesOf,
  waiverSentence,
} from '../finding-text.ts'
import { type ReportedCheck, type RequirementResult, type Results, startOf } from '../results.ts'
import { safeText } from '../safe-text.ts'
import { verdictSentence } from '../verdict.ts'
import { titleOf } from '../wording.ts'

const specVersion = '0.0.0'

/** Pieces of the document. Valid by the published schema. */
export function* ctrfReport(results: Results): Generator<string> {
  const { suite, run } = results
  const head = {
    reportFormat: 'CTRF',
    specVersion,
    runId: safeText(run.id) || 'run',
    timestamp: new Date(startOf(run) + run.durationMs).toISOString(),
    generatedBy: safeText(`portal-conformance ${suite.version}`),
  }
  const tool = { name: 'portal-conformance', version: safeText(suite.version) }
  yield `${JSON.stringify(head).slice(0, -1)},\n"results":{"tool":${JSON.stringify(tool)},\n`
  yield `"summary":${JSON.stringify(summaryOf(results))},\n"tests":[`
  yield* jsonList(testsOf(results))
  yield `\n],\n"environment":${JSON.stringify(environmentOf(results))}}}\n`
}

function* testsOf(results: Results): Generator<object> {
  for (const requirement of results.requirements) {
    for (const check of checksOf(requirement)) yield ctrfTest(requirement, check)
  }
  for (const { id, failed, message, text } of clientCases(results)) {
    yield {
      testId: safeText(id),
      name: safeText(id),
      status: failed ? 'failed' : 'passed',
      duration: 0,
      suite: [clientTitle],
      rawStatus: failed ? 'finding' : 'note',
      message: safeText(message),
      trace: text,
    }
  }
  for (const { id, message } of troublesOf(results)) {
    yield {
      testId: id,
      name: id,
      status: 'other',
      duration: 0,
      suite: ['The run itself'],
      rawStatus: 'error',
      message: safeText(message),
    }
  }
}

function summaryOf(results: Results): object {
  const { run, requirements, totals, verdict } = results
  const counts = Object.fromEntries(statuses.map((status) => [status, 0])) as Record<Status, number>
  let tests = 0
  for (const requirement of requirements) {
    for (const { outcome } of checksOf(requirement)) {
      counts[statusByOutcome[outcome]] += 1
      tests += 1
    }
  }
  const clients = clientCases(results)
  for (const { failed } of clients) counts[failed ? 'failed' : 'passed'] += 1
  const troubles = troublesOf(results).length
  const others = [clients.length, troubles].filter((count) => count > 0).length
  const start = startOf(run)
  const duration = Math.round(run.durationMs)
  return {
    tests: tests + clients.length + troubles,
    ...counts,
    other: counts.other + troubles,
    start,
    stop: start + duration,
    duration,
    suites: new Set(requirements.map(({ operation }) => operation)).size + others,
    extra: {
      verdict,
      sentence: verdictSentence(results),
      requirements: Object.fromEntries(outcomes.map((outcome) => [outcome, totals[outcome]])),
    },
  }
}

function environmentOf(results: Results): object {
  const { run, target, verdict } = results
  return withoutUndefined({
    appName: safeText(target.baseUrl),
    appVersion: target.version && safeText(target.version),
    testEnvironment: target.edition && safeText(target.edition),
    shardId: run.shard && `${run.shard.index}/${run.shard.count}`,
    healthy: verdict === 'conformant' && troublesOf(results).length === 0,
    extra: { profile: safeText(target.profile), seed: run.seed, runs: run.runs },
  })
}

const statuses = ['passed', 'failed', 'skipped', 'pending', 'other'] as const

type Status = (typeof statuses)[number]

/** How the format calls an outcome; `rawStatus` keeps ours. */
const statusByOutcome: Readonly<Record<Outcome, Status>> = {
  passed: 'passed',
  warned: 'passed',
  failed: 'failed',
  'not-tested': 'skipped',
  'not-applicable': 'skipped',
  waived: 'skipped',
  inconclusive: 'other',
}

function ctrfTest(requirement: RequirementResult, check: ReportedCheck): object {
  const { id, title, outcome, durationMs, failure, reason } = check
  const message = waiverSentence(check) ?? failure?.message ?? reason
  const told = outcome !== 'passed' && (failure !== undefined || (check.evidence ?? []).length > 0)
  return {
    testId: safeText(id),
    name: safeText(`${id}: ${title}`),
    status: statusByOutcome[outcome],
    duration: Math.round(durationMs),
    suite: [safeText(titleOf(requirement.operation)), safeText(requirement.id)],
    ...(message === undefined ? {} : { message: safeText(message) }),
    ...(told ? { trace: findingText(requirement, check) } : {}),
    rawStatus: outcome,
    tags: [requirement.level, requirement.kind],
    extra: extraOf(requirement, check),
  }
}

function extraOf(
  { id, level, section, kind, text }: RequirementResult,
  { requests, failure, waiver }: ReportedCheck,
): object {
  const texts = (record: object): object =>
    Object.fromEntries(
      Object.entries(record).map(([name, value]) => [
        name,
        typeof value === 'string' ? safeText(value) : value,
      ]),
    )
  return {
    ...texts({ requirement: id, level, section, kind, text }),
    requests,
    ...(failure === undefined ? {} : texts({ replay: failure.replay })),
    ...(failure?.seed === undefined ? {} : { seed: failure.seed }),
    ...(waiver === undefined ? {} : { waiver: texts(waiver) }),
  }
}
