/** The requirements of a run by operation and section. */

import { gistOf } from '../gist.ts'
import { byKey } from '../grouping.ts'
import type { RequirementResult } from '../results.ts'
import { titleOf } from '../subject-titles.ts'
import { writeFindings } from './finding.ts'
import { formatOf, signed } from './outcome-signs.ts'
import type { Sheet } from './sheet.ts'
import { Told } from './told.ts'

/** Writes every requirement; those without a judgement by reason. */
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
    writeUnjudged(
      sheet,
      ofOperation.filter((requirement) => !wasJudged(requirement)),
    )
  }
}

/** By reason: where a target is gone, or hardly configured, one reason holds for nearly everything. */
function writeUnjudged(sheet: Sheet, requirements: readonly RequirementResult[]): void {
  const alike = byKey(requirements, ({ outcome, reason = '' }) => `${outcome} ${gistOf(reason)}`)
  for (const several of alike.values()) {
    const [{ outcome, reason = 'no reason given' }] = several as [RequirementResult]
    const label = { text: `${signed(outcome)}, ${countOf(several.length)}:`, format: formatOf(outcome) }
    sheet.labelled(2, label, reason)
    if (outcome === 'inconclusive') sheet.text(6, several.map(({ id }) => id).join(', '))
  }
}

function writeRequirement(sheet: Sheet, requirement: RequirementResult, told: Told): void {
  const { id, outcome, checks, reason } = requirement
  const such = checks.filter((check) => check.outcome === outcome).length
  const share = such < checks.length ? ` (${such} of ${checks.length} checks)` : ''
  sheet.labelled(4, { text: signed(outcome, { padded: true }), format: formatOf(outcome) }, `${id}${share}`)
  writeFindings(sheet, 8, requirement, told)
  // What was warned of or waived stands among the findings.
  if (reason !== undefined && outcome !== 'warned' && outcome !== 'waived') sheet.text(8, reason)
}

const wasJudged = ({ outcome }: RequirementResult): boolean =>
  outcome !== 'inconclusive' && outcome !== 'not-tested' && outcome !== 'not-applicable'

const countOf = (count: number): string => (count === 1 ? '1 requirement' : `${count} requirements`)

const bySection = ([one]: readonly [string, unknown], [other]: readonly [string, unknown]): number =>
  one.localeCompare(other, 'en', { numeric: true })
