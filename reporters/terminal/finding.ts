/** A check that failed or warned, with all that is known of it. */
import type { Requirement } from '../../specs/requirement.ts'
import { requirementOf } from '../../specs/requirements.ts'
import { sightings, waiverSentence } from '../finding-text.ts'
import { byKey } from '../grouping.ts'
import type { RequirementResult } from '../results.ts'
import { writeExchanges } from './exchange.ts'
import { names } from './names.ts'
import type { Sheet } from './sheet.ts'
import type { Told } from './told.ts'

type Check = RequirementResult['checks'][number]

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
  const others: Reference[] = []
  for (const check of found) {
    const telling = told.tell(check)
    if (telling.how === 'same') others.push({ first: telling.first, check, waived: waiverSentence(check) })
    else writeFinding(sheet, indent, requirement, check, telling.how === 'full')
  }
  for (const alike of byKey(others, ({ first, waived }) => JSON.stringify([first, waived])).values())
    writeReferences(sheet, indent, requirement, alike)
}

/** A finding that was told before. */
interface Reference {
  readonly first: string
  readonly check: Check
  readonly waived: string | undefined
}

function writeReferences(
  sheet: Sheet,
  indent: number,
  requirement: RequirementResult,
  alike: readonly Reference[],
): void {
  const [{ first, waived }] = alike as [Reference]
  const ids = alike.map(({ check }) => check.id)
  const which = ids.length === 1 && ids[0] === requirement.id ? '' : ` [${names(ids)}]`
  sheet.labelled(indent, { text: 'Found:', format: 'bold' }, `the same as at ${first}${which}`)
  writeWaived(sheet, indent, waived)
}

function writeWaived(sheet: Sheet, indent: number, waived: string | undefined): void {
  if (waived !== undefined) sheet.labelled(indent, { text: 'It is', format: 'yellow' }, waived)
}

function writeClause(sheet: Sheet, indent: number, { id, level, section, text }: RequirementResult): void {
  if (level === 'advice') {
    sheet.labelled(indent, { text: 'Advice:', format: 'dim' }, text)
    return
  }
  const source = level === 'must (profile)' ? 'The profile' : 'The contract'
  sheet.labelled(indent, { text: `${source} (§${section}):`, format: 'dim' }, text)
  // Results of another version may hold a requirement that this one does not know.
  const follows = (requirementOf(id) as Requirement | undefined)?.follows
  if (follows !== undefined) sheet.labelled(indent, { text: 'It follows:', format: 'dim' }, follows)
}

function writeFinding(
  sheet: Sheet,
  indent: number,
  requirement: RequirementResult,
  check: Check,
  inFull: boolean,
): void {
  const { failure } = check
  if (failure === undefined) return
  const which = check.id === requirement.id ? '' : ` [${check.id}]`
  sheet.labelled(indent, { text: 'Found:', format: 'bold' }, `${failure.message}${which}`)
  writeWaived(sheet, indent, waiverSentence(check))
  if (inFull) sheet.labelled(indent, { text: 'Acceptable:', format: 'dim' }, failure.expected.join(' | '))
  sheet.labelled(indent, { text: 'Came:', format: 'dim' }, failure.actual)
  if (failure.counterexample !== undefined) {
    sheet.labelled(indent, { text: 'Case:', format: 'dim' }, failure.counterexample)
  }
  const seen = sightings(failure)
  if (seen !== undefined && inFull) sheet.labelled(indent, { text: 'Seen:', format: 'dim' }, seen)
  // A failure that is told shortly is like others that are told in full; its command stands at the end of the report.
  if (!inFull && check.outcome === 'failed') return
  if (check.outcome === 'failed') writeExchanges(sheet, indent, check.evidence ?? [])
  sheet.labelled(indent, { text: 'Again:', format: 'dim' }, '')
  sheet.command(indent + 2, failure.replay)
}
