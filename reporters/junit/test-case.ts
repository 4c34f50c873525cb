/** One check as a test case. */
import { findingText, waiverSentence } from '../finding-text.ts'
import type { ReportedCheck, RequirementResult } from '../results.ts'
import { type Element, xmlLine, xmlText } from './xml.ts'

/** How a consumer counts a test case. */
export type Kind = 'failure' | 'error' | 'skipped' | 'passed'

/**
 * A check that could not be told is an error: "passed" and "skipped" both look green, and a failure would say that the
 * target broke the contract. CI servers keep the two apart: an error is a test that did not come to its assertion.
 */
export function kindOf({ outcome }: Pick<ReportedCheck, 'outcome'>): Kind {
  switch (outcome) {
    case 'failed':
      return 'failure'
    case 'inconclusive':
      return 'error'
    case 'not-tested':
    case 'not-applicable':
    case 'waived':
      return 'skipped'
    case 'warned':
    case 'passed':
      return 'passed'
  }
}

/** The element of a check, whose time counts for that share: together the times are that of the run. */
export function testCase(requirement: RequirementResult, check: ReportedCheck, share: number): Element {
  return {
    '@classname': xmlLine(requirement.operation),
    '@name': xmlLine(check.id),
    '@time': ((check.durationMs * share) / 1000).toFixed(3),
    ...ending(requirement, check),
    'system-out': output(requirement, check),
  }
}

function ending(requirement: RequirementResult, check: ReportedCheck): Element {
  const kind = kindOf(check)
  if (kind === 'passed') return {}
  const why = waiverSentence(check) ?? check.failure?.message ?? check.reason ?? 'no reason given'
  const described = { '@type': check.outcome, '@message': xmlLine(why) }
  if (kind === 'skipped') return { skipped: described }
  return { [kind]: { ...described, '#text': xmlText(findingText(requirement, check)) } }
}

/**
 * Properties stand in the output, in the notation that consumers read there: the schema of Jenkins' xunit plugin
 * allows an element of properties in a suite, but refuses a file that has one in a test case.
 */
function output(requirement: RequirementResult, check: ReportedCheck): string {
  const { id, level, section, kind } = requirement
  const properties = {
    requirement: id,
    level,
    section,
    kind,
    outcome: check.outcome,
    durationMs: String(Math.round(check.durationMs)),
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
