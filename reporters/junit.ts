/** The results as JUnit XML: a suite for each operation, a test case for each check. */
import XMLBuilder from 'fast-xml-builder'
import { byKey } from '../schemas/values.ts'
import { safeText } from '../schemas/wording.ts'
import type { Outcome } from '../specs/outcomes.ts'
import { findingsByCause } from './cards.ts'
import { checksOf, foundAndCame, foundWords, troublesOf, waiverSentence } from './finding-text.ts'
import { findingText } from './report/findings.ts'
import { clientCases, clientTitle } from './report/parts.ts'
import type { ReportedCheck, RequirementResult, Results } from './results.ts'
import { safeLines } from './safe-text.ts'
import { uncheckedTls, verdictSentence } from './verdict.ts'
import { titleOf } from './wording.ts'

/** How a consumer counts a test case. */
type Kind = 'failure' | 'error' | 'skipped' | 'passed'

interface TestCase {
  readonly name: string
  readonly kind: Kind
  readonly ms: number
  readonly content: () => Element
}

interface Suite {
  readonly id: string
  readonly title: string
  readonly cases: readonly TestCase[]
}

/** The document in pieces, valid by junit-10.xsd of Jenkins' xunit plugin. */
export function* junitReport(results: Results): Generator<string> {
  yield '<?xml version="1.0" encoding="UTF-8"?>\n'
  // No counts here: the schema allows no count of skipped tests in this place, and readers would take them for passed.
  yield startTag('testsuites', {
    '@name': 'portal-conformance',
    '@time': seconds(results.run.durationMs),
  })
  const suites = [...suitesOf(results)]
  // Checks run at once. Readers add the times of suites, so each has its share of the run.
  const share = results.run.durationMs / Math.max(1, sumOf(suites.flatMap(({ cases }) => cases)))
  for (const suite of suites) {
    if (suite.cases.length === 0) continue
    yield suiteStart(results, suite, share * sumOf(suite.cases))
    for (const { name, ms, content } of suite.cases) {
      const attributes = { '@classname': xmlLine(suite.id), '@name': xmlLine(name), '@time': seconds(ms) }
      yield element('testcase', { ...attributes, ...content() })
    }
    yield endTag('testsuite')
  }
  yield endTag('testsuites')
}

function* suitesOf(results: Results): Generator<Suite> {
  const causes = causesOf(results)
  for (const [operation, requirements] of byKey(results.requirements, (each) => each.operation)) {
    const cases = requirements.flatMap((requirement) =>
      checksOf(requirement).map((check): TestCase => {
        const among = [requirement, check, causes.get(check.id)] as const
        return {
          name: check.id,
          kind: kindByOutcome[check.outcome],
          ms: check.durationMs,
          content: () => ({ ...ending(...among), 'system-out': output(...among) }),
        }
      }),
    )
    yield { id: operation, title: titleOf(operation), cases }
  }
  const clients = clientCases(results).map(({ id, failed, message, text }): TestCase => {
    const failure = { '@type': 'client', '@message': xmlLine(message), '#text': xmlText(text) }
    const content = failed ? { failure } : { 'system-out': xmlText(text) }
    return { name: id, kind: failed ? 'failure' : 'passed', ms: 0, content: () => content }
  })
  yield { id: 'client', title: clientTitle, cases: clients }
  const troubles = troublesOf(results).map(({ id, message }): TestCase => {
    const error = { '@type': 'run', '@message': xmlLine(message) }
    return { name: id, kind: 'error', ms: 0, content: () => ({ error }) }
  })
  yield { id: 'run', title: 'The run itself', cases: troubles }
}

const sumOf = (cases: readonly TestCase[]): number => cases.reduce((sum, { ms }) => sum + ms, 0)

function suiteStart(results: Results, { id, title, cases }: Suite, durationMs: number): string {
  const having = (kind: Kind): string => String(cases.filter((each) => each.kind === kind).length)
  const attributes: Element = {
    '@name': xmlLine(title),
    '@id': xmlLine(id),
    '@tests': String(cases.length),
    '@failures': having('failure'),
    '@errors': having('error'),
    '@skipped': having('skipped'),
    '@time': seconds(durationMs),
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

const seconds = (ms: number): string => (ms / 1000).toFixed(3)

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

/** For each check, the one that shows the same cause best. No entry for that one itself. */
function causesOf(results: Results): Map<string, string> {
  return new Map(
    findingsByCause(results).flatMap(({ findings: [first, ...others] }) =>
      others.map(({ check }): [string, string] => [check.id, first.check.id]),
    ),
  )
}

/** `cause`: the check that shows the cause best. Absent if it is this one. */
function ending(requirement: RequirementResult, check: ReportedCheck, cause: string | undefined): Element {
  const { outcome, failure } = check
  const kind = kindByOutcome[outcome]
  if (kind === 'passed') return {}
  const found = failure === undefined ? foundWords(check) : foundAndCame(failure)
  const described = { '@type': outcome, '@message': xmlLine(waiverSentence(check) ?? found) }
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
  return withoutMarkers(safeLines(text).join('\n'))
}

/** A text on one line, as attributes need it. */
function xmlLine(text: string): string {
  return withoutMarkers(safeText(text))
}

// CI servers read files that such a marker names, and take properties from it.
const withoutMarkers = (text: string): string =>
  text.replace(/\[(?=\[\s*\/?\s*(?:attachment|property)\b)/gi, '[ ')
