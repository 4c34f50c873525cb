/** The requirements of a run by operation and section. */
import type { RequirementResult } from '../results.ts'
import { titleOf } from '../subject-titles.ts'
import { Told, writeFindings } from './finding.ts'
import { byKey } from './grouping.ts'
import { formatOf, signed } from './outcome-signs.ts'
import type { Sheet } from './sheet.ts'

/** Writes every requirement; those that were not judged only as a number per reason, for the end names them. */
export function writeOperations(sheet: Sheet, requirements: readonly RequirementResult[]): void {
  const told = new Told()
  for (const [operation, ofOperation] of byKey(requirements, ({ operation }) => operation)) {
    sheet.gap()
    sheet.text(0, titleOf(operation), 'bold')
    const sections = byKey(ofOperation.filter(wasJudged), ({ section }) => section)
    for (const [section, ofSection] of [...sections].sort(bySection)) {
      sheet.text(2, `§${section}`, 'dim')
      for (const requirement of ofSection) writeRequirement(sheet, requirement, told)
    }
    const unjudged = ofOperation.filter((requirement) => !wasJudged(requirement))
    for (const [reason, several] of byKey(unjudged, ({ reason }) => reason ?? 'no reason given')) {
      const [{ outcome }] = several as [RequirementResult]
      const label = { text: `${signed(outcome)}, ${countOf(several.length)}:`, format: formatOf(outcome) }
      sheet.labelled(2, label, reason)
    }
  }
}

function writeRequirement(sheet: Sheet, requirement: RequirementResult, told: Told): void {
  const { id, outcome, checks, reason } = requirement
  const such = checks.filter((check) => check.outcome === outcome).length
  const share = such < checks.length ? ` (${such} of ${checks.length} checks)` : ''
  sheet.labelled(4, { text: signed(outcome, { padded: true }), format: formatOf(outcome) }, `${id}${share}`)
  writeFindings(sheet, 8, requirement, told)
  if (reason === undefined || outcome === 'warned') return
  const first = told.before(reason, id)
  sheet.text(8, first === undefined ? reason : `the same as at ${first}`)
}

const wasJudged = ({ outcome }: RequirementResult): boolean =>
  outcome !== 'not-tested' && outcome !== 'not-applicable'

const countOf = (count: number): string => (count === 1 ? '1 requirement' : `${count} requirements`)

const bySection = ([one]: readonly [string, unknown], [other]: readonly [string, unknown]): number =>
  one.localeCompare(other, 'en', { numeric: true })
