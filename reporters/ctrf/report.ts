/** The results in the Common Test Report Format (ctrf.io): a test for each check. */
import { outcomes } from '../../specs/outcomes.ts'
import { jsonList } from '../json-list.ts'
import { verdictSentence } from '../outline.ts'
import type { Results } from '../results.ts'
import { startOf } from '../run-times.ts'
import { safeText } from '../safe-text.ts'
import { checksOf, clientCases, clientTitle, troublesOf } from '../test-cases.ts'
import { ctrfTest, type Status, statuses, statusOf } from './test.ts'

/** The version of the format that is written. */
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
      counts[statusOf(outcome)] += 1
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
  return {
    appName: safeText(target.baseUrl),
    ...(target.version === undefined ? {} : { appVersion: safeText(target.version) }),
    ...(target.edition === undefined ? {} : { testEnvironment: safeText(target.edition) }),
    ...(run.shard === undefined ? {} : { shardId: `${run.shard.index}/${run.shard.count}` }),
    healthy: verdict === 'conformant' && troublesOf(results).length === 0,
    extra: { profile: safeText(target.profile), seed: run.seed, runs: run.runs },
  }
}
