/** The results as JUnit XML: a suite for each operation, a test case for each check. */
import XMLBuilder from 'fast-xml-builder'
import type { Outcome } from '../../specs/outcomes.ts'
import { findingsByCause } from '../cards.ts'
import {
  checksOf,
  clientCases,
  clientTitle,
  findingText,
  shareOfRun,
  troublesOf,
  waiverSentence,
} from '../finding-text.ts'
import { byKey } from '../grouping.ts'
import type { ReportedCheck, RequirementResult, Results } from '../results.ts'
import { safeLines, safeText } from '../safe-text.ts'
import { uncheckedTls, verdictSentence } from '../verdict.ts'
import { titleOf } from '../wording.ts'

type Tally = Record<Kind, number> & { tests: number; ms: number }

/** The document in pieces, valid by junit-10.xsd of Jenkins' xunit plugin. */
export function* junitReport(results: Results): Generator<string> {
  const suites = byKey(results.requirements, ({ operation }) => operation)
  const causes = causesOf(results)
  const share = shareOfRun(results)
  const troubles = troublesOf(results)
  yield '<?xml version="1.0" encoding="UTF-8"?>\n'
  // No counts here: the schema allows no count of skipped tests in this place, and readers would take them for passed.
  yield startTag('testsuites', {
    '@name': 'portal-conformance',
    '@time': seconds(results.run.durationMs),
  })
  for (const [operation, requirements] of suites) {
    yield suiteStart(results, operation, titleOf(operation), tallyOf(requirements, share))
    for (const requirement of requirements) {
      for (const check of checksOf(requirement))
        yield element('testcase', testCase(requirement, check, { share, cause: causes.get(check.id) }))
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

function suiteProperties(results: Results): Element[] {
  const { suite, run, target, verdict, complete } = results
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
    'verdict-sentence': verdictSentence(results),
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
      tally[kindByOutcome[check.outcome]] += 1
    }
  }
  return tally
}

const seconds = (ms: number): string => (ms / 1000).toFixed(3)

/** How a consumer counts a test case. */
type Kind = 'failure' | 'error' | 'skipped' | 'passed'

/**
 * A check that could not be decided is an error: "passed" and "skipped" both look green, and a failure would say that the
 * target broke the contract. CI servers distinguish the two: an error is a test that did not reach its assertion.
 */
const kindByOutcome: Readonly<Record<Outcome, Kind>> = {
  passed: 'passed',
  warned: 'passed',
  failed: 'failure',
  inconclusive: 'error',
  'not-tested': 'skipped',
  'not-applicable': 'skipped',
  waived: 'skipped',
}

/** What a test case needs from the other checks. */
interface Among {
  /** The share of its time that counts, so that all shares add up to the time of the run. */
  readonly share: number
  /** The check that shows the cause best. Absent if it is this one. */
  readonly cause: string | undefined
}

/** For each check, the one that shows the same cause best. No entry for that one itself. */
function causesOf(results: Results): Map<string, string> {
  return new Map(
    findingsByCause(results).flatMap(({ findings: [first, ...others] }) =>
      others.map(({ check }): [string, string] => [check.id, first.check.id]),
    ),
  )
}

function testCase(requirement: RequirementResult, check: ReportedCheck, { share, cause }: Among): Element {
  return {
    '@classname': xmlLine(requirement.operation),
    '@name': xmlLine(check.id),
    '@time': seconds(check.durationMs * share),
    ...ending(requirement, check, cause),
    'system-out': output(requirement, check, cause),
  }
}

function ending(requirement: RequirementResult, check: ReportedCheck, cause: string | undefined): Element {
  const kind = kindByOutcome[check.outcome]
  if (kind === 'passed') return {}
  const { failure } = check
  const found = failure === undefined ? undefined : `${failure.message} (came: ${failure.actual})`
  const why = waiverSentence(check) ?? found ?? check.reason ?? 'no reason given'
  const described = { '@type': check.outcome, '@message': xmlLine(why) }
  if (kind === 'skipped') return { skipped: described }
  const same = cause === undefined ? '' : `The same cause as ${cause}\n`
  return { [kind]: { ...described, '#text': xmlText(same + findingText(requirement, check)) } }
}

/**
 * Properties are written into the output, in the notation that consumers read there: the schema of Jenkins' xunit plugin
 * allows properties in a suite, but not in a test case.
 */
function output(requirement: RequirementResult, check: ReportedCheck, cause: string | undefined): string {
  const { id, level, section, kind } = requirement
  const properties = {
    requirement: id,
    level,
    section,
    kind,
    outcome: check.outcome,
    durationMs: String(Math.round(check.durationMs)),
    ...(cause === undefined ? {} : { cause }),
  }
  const lines = Object.entries(properties).map(
    ([name, value]) => `[[PROPERTY|${name}=${xmlLine(value).replaceAll(']', ')')}]]`,
  )
  if (check.outcome === 'warned' || check.outcome === 'waived') {
    lines.push(xmlText(findingText(requirement, check)))
  } else if (check.outcome === 'passed' && check.reason !== undefined) {
    lines.push(xmlText(`Note: ${check.reason}`))
  }
  return lines.join('\n')
}

/** Attributes begin with `@`; `#text` is the text. */
type Element = { readonly [name: string]: string | Element | readonly Element[] }

const builder = new XMLBuilder({
  ignoreAttributes: false,
  attributeNamePrefix: '@',
  suppressBooleanAttributes: false,
  format: true,
})

/** The element as text. Its texts must come from `xmlText` or `xmlLine`. */
function element(name: string, content: Element): string {
  return builder.build({ [name]: content })
}

/** The start tag alone, for an element whose content is written later. */
function startTag(name: string, attributes: Element): string {
  return element(name, attributes).replace(new RegExp(`</${name}>\\n$`), '\n')
}

const endTag = (name: string): string => `</${name}>\n`

function xmlText(text: string): string {
  return withoutMarkers(escaped(safeLines(text).join('\n')))
}

/** A text on one line, as attributes need it. */
function xmlLine(text: string): string {
  return withoutMarkers(escaped(safeText(text)))
}

// Control characters and lone surrogates are removed already.
const escaped = (text: string): string =>
  text.replace(/[\ufffe\uffff]/g, (character) => `\\u{${character.charCodeAt(0).toString(16)}}`)

// CI servers read files that such a marker names, and take properties from it.
const withoutMarkers = (text: string): string =>
  text.replace(/\[(?=\[\s*\/?\s*(?:attachment|property)\b)/gi, '[ ')
