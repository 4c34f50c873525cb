/** A check that failed or warned, with all that is known of it. */
import type { Requirement } from '../../specs/requirement.ts'
import { requirementOf } from '../../specs/requirements.ts'
import type { RequirementResult } from '../results.ts'
import { writeExchanges } from './exchange.ts'
import type { Sheet } from './sheet.ts'

type Check = RequirementResult['checks'][number]

/** Remembers what was told in full, so that one cause is not told a hundred times. */
export class Told {
  readonly #firstBy = new Map<string, string>()

  /** Where this text was told first; absent: it is told here for the first time. */
  before(text: string, id: string): string | undefined {
    const first = this.#firstBy.get(text)
    if (first === undefined) this.#firstBy.set(text, id)
    return first
  }
}

/** Writes the findings of a requirement: what the contract says, what was found, and how to see it again. */
export function writeFindings(
  sheet: Sheet,
  indent: number,
  requirement: RequirementResult,
  told: Told,
): void {
  const found = requirement.checks.filter(({ failure }) => failure !== undefined)
  if (found.length === 0) return
  writeClause(sheet, indent, requirement)
  for (const check of found) writeFinding(sheet, indent, requirement, check, told)
}

function writeClause(sheet: Sheet, indent: number, { id, level, section, text }: RequirementResult): void {
  if (level === 'advice') {
    sheet.labelled(indent, { text: 'Advice:', format: 'dim' }, text)
    return
  }
  sheet.labelled(indent, { text: `The contract (§${section}):`, format: 'dim' }, text)
  // Results of another version may hold a requirement that this one does not know.
  const follows = (requirementOf(id) as Requirement | undefined)?.follows
  if (follows !== undefined) sheet.labelled(indent, { text: 'It follows:', format: 'dim' }, follows)
}

function writeFinding(
  sheet: Sheet,
  indent: number,
  requirement: RequirementResult,
  check: Check,
  told: Told,
): void {
  const { failure } = check
  if (failure === undefined) return
  const first = told.before(failure.message, check.id)
  const which = check.id === requirement.id ? '' : ` [${check.id}]`
  const what = first === undefined ? failure.message : `the same as at ${first}`
  sheet.labelled(indent, { text: 'Found:', format: 'bold' }, `${what}${which}`)
  if (first !== undefined) return
  sheet.labelled(indent, { text: 'Acceptable:', format: 'dim' }, failure.expected.join(' | '))
  sheet.labelled(indent, { text: 'Came:', format: 'dim' }, failure.actual)
  if (failure.counterexample !== undefined) {
    sheet.labelled(indent, { text: 'Case:', format: 'dim' }, failure.counterexample)
  }
  if (check.outcome === 'failed') writeExchanges(sheet, indent, check.evidence ?? [])
  sheet.labelled(indent, { text: 'Again:', format: 'dim' }, '')
  sheet.command(indent + 2, failure.replay)
}
