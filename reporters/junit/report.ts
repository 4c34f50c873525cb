/** The results as JUnit XML: a suite for each operation, a test case for each check. */

import { byKey } from '../alike.ts'
import { uncheckedTls } from '../outline.ts'
import type { RequirementResult, Results } from '../results.ts'
import { checksOf, clientCases, clientTitle, shareOfRun, troublesOf } from '../test-cases.ts'
import { titleOf } from '../wording.ts'
import { type Kind, kindOf, testCase } from './test-case.ts'
import { declaration, type Element, element, endTag, startTag, xmlLine, xmlText } from './xml.ts'

type Tally = Record<Kind, number> & { tests: number; ms: number }

/** Pieces of the document. Valid by junit-10.xsd of Jenkins' xunit plugin. */
export function* junitReport(results: Results): Generator<string> {
  const suites = byKey(results.requirements, ({ operation }) => operation)
  const share = shareOfRun(results)
  const troubles = troublesOf(results)
  yield declaration
  // No counts here: the schema knows none of skipped tests in this place, and readers would take those for passed.
  yield startTag('testsuites', {
    '@name': 'portal-conformance',
    '@time': seconds(results.run.durationMs),
  })
  for (const [operation, requirements] of suites) {
    yield suiteStart(results, operation, titleOf(operation), tallyOf(requirements, share))
    for (const requirement of requirements) {
      for (const check of checksOf(requirement))
        yield element('testcase', testCase(requirement, check, share))
    }
    yield endTag('testsuite')
  }
  yield* clientSuite(results)
  if (troubles.length > 0) {
    const { length } = troubles
    yield suiteStart(results, 'run', 'The run itself', { ...empty(), tests: length, error: length })
    for (const { id, message } of troubles) {
      const error = { '@type': 'run', '@message': xmlLine(message) }
      yield element('testcase', { '@classname': 'run', '@name': id, '@time': '0.000', error })
    }
    yield endTag('testsuite')
  }
  yield endTag('testsuites')
}

function* clientSuite(results: Results): Generator<string> {
  const cases = clientCases(results)
  if (cases.length === 0) return
  const failures = cases.filter(({ failed }) => failed).length
  const passed = cases.length - failures
  const tally = { ...empty(), tests: cases.length, failure: failures, passed }
  yield suiteStart(results, 'client', clientTitle, tally)
  for (const { id, failed, message, text } of cases) {
    const head = { '@classname': 'client', '@name': xmlLine(id), '@time': '0.000' }
    const failure = { '@type': 'client', '@message': xmlLine(message), '#text': xmlText(text) }
    yield element('testcase', { ...head, ...(failed ? { failure } : { 'system-out': xmlText(text) }) })
  }
  yield endTag('testsuite')
}

function suiteStart(results: Results, id: string, name: string, tally: Tally): string {
  const attributes: Element = {
    '@name': xmlLine(name),
    '@id': xmlLine(id),
    '@tests': String(tally.tests),
    '@failures': String(tally.failure),
    '@errors': String(tally.error),
    '@skipped': String(tally.skipped),
    '@time': seconds(tally.ms),
    '@timestamp': xmlLine(results.run.startedAt),
  }
  return startTag('testsuite', attributes) + element('properties', { property: suiteProperties(results) })
}

function suiteProperties({ suite, run, target, verdict, complete }: Results): Element[] {
  const properties = {
    target: target.baseUrl,
    release: target.version,
    edition: target.edition,
    profile: target.profile,
    insecure: uncheckedTls({ target }),
    seed: String(run.seed),
    runs: String(run.runs),
    run: run.id,
    verdict,
    complete: String(complete === true),
    'portal-conformance': suite.version,
  }
  return Object.entries(properties).flatMap(([name, value]) =>
    value === undefined ? [] : [{ '@name': name, '@value': xmlLine(value) }],
  )
}

const empty = (): Tally => ({ tests: 0, ms: 0, failure: 0, error: 0, skipped: 0, passed: 0 })

function tallyOf(requirements: readonly RequirementResult[], share: number): Tally {
  const tally = empty()
  for (const requirement of requirements) {
    for (const check of checksOf(requirement)) {
      tally.tests += 1
      tally.ms += check.durationMs * share
      tally[kindOf(check)] += 1
    }
  }
  return tally
}

const seconds = (ms: number): string => (ms / 1000).toFixed(3)
