/** One class in the statement: what was tested, what failed, and what was not judged and why. */
import { type Outcome, outcomes } from '../../specs/outcomes.ts'
import { byKey } from '../alike.ts'
import { waiverSentence } from '../finding-text.ts'
import { code, prose } from '../markdown/escaping.ts'
import type { ReportedCheck, RequirementResult } from '../results.ts'
import { outcomeWords } from '../wording.ts'
import type { ClassConformance } from './class-conformance.ts'

/** More findings of one requirement are told by their number. */
const mostFindings = 3

const unjudged: readonly Outcome[] = ['inconclusive', 'not-tested', 'not-applicable']

/** The section, ending in an empty line. */
export function* classSection({
  class: { title, text },
  status,
  reasons,
  requirements,
}: ClassConformance): Generator<string> {
  yield `## ${title}: ${status}\n\n${prose(text)}\n\n`
  if (reasons.length > 0) {
    yield `Why it is ${status === 'not shown' ? 'not called conformant' : status}:\n\n`
    for (const reason of reasons) yield `- ${prose(reason)}\n`
    yield '\n'
  }
  yield* requirementTable(requirements)
  yield* findings('Failed', requirements, 'failed')
  yield* findings('Failed, and waived', requirements, 'waived')
  yield* findings('Advice not kept', requirements, 'warned')
  for (const outcome of unjudged) {
    const { word } = outcomeWords[outcome]
    const such = requirements.filter((each) => each.outcome === outcome)
    yield* reasonsFor(`${word[0]?.toUpperCase()}${word.slice(1)}, and why`, such)
  }
  const shortened = requirements.filter(({ outcome, reason }) => outcome === 'passed' && reason !== undefined)
  yield* reasonsFor('Passed with fewer cases than asked for', shortened)
}

function* requirementTable(requirements: readonly RequirementResult[]): Generator<string> {
  yield '| Requirement | What must hold | Level | § | Outcome |\n| --- | --- | --- | --- | --- |\n'
  const byOutcome = outcomes.flatMap((outcome) => requirements.filter((each) => each.outcome === outcome))
  for (const { id, text, level, section, outcome } of byOutcome) {
    const { sign, word } = outcomeWords[outcome]
    yield `| \`${id}\` | ${prose(text)} | ${level} | ${prose(section)} | ${sign} ${word} |\n`
  }
  yield '\n'
}

function* findings(
  title: string,
  requirements: readonly RequirementResult[],
  outcome: Outcome,
): Generator<string> {
  const found = requirements
    .map(({ id, level, checks }) => ({
      id,
      level,
      checks: checks.filter((each) => each.outcome === outcome),
    }))
    .filter(({ checks }) => checks.length > 0)
  if (found.length === 0) return
  yield `### ${title}\n\n`
  for (const { id, level, checks } of found) {
    yield `- \`${id}\` (${level})\n`
    for (const check of checks.slice(0, mostFindings)) yield* finding(check)
    const left = checks.length - mostFindings
    if (left > 0) yield `  - and ${left} more in results.json\n`
  }
  yield '\n'
}

function* finding(check: ReportedCheck): Generator<string> {
  const { id, failure, reason } = check
  yield `  - ${code(id)}: ${prose(failure?.message ?? reason ?? '')}\n`
  if (failure !== undefined) yield `    - came: ${code(failure.actual)}\n`
  const waived = waiverSentence(check)
  if (waived !== undefined) yield `    - ${prose(waived)}\n`
}

function* reasonsFor(title: string, such: readonly RequirementResult[]): Generator<string> {
  if (such.length === 0) return
  yield `### ${title}\n\n`
  for (const [reason, several] of byKey(such, (each) => each.reason ?? 'no reason given')) {
    yield `- ${prose(reason)}: ${several.map(({ id }) => `\`${id}\``).join(', ')}\n`
  }
  yield '\n'
}
