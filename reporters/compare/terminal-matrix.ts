/** The compatibility matrix on a terminal: columns where they fit, otherwise the sides by outcome. */
import type { Outcome } from '../../specs/outcomes.ts'
import { byKey } from '../grouping.ts'
import { titleOf } from '../subject-titles.ts'
import { formatOf } from '../terminal/outcome-signs.ts'
import type { Sheet } from '../terminal/sheet.ts'
import type { Format } from '../terminal/style.ts'
import { byOperation, isAlike } from './arrangement.ts'
import { names, signedOutcome } from './change-words.ts'
import type { ComparedRequirement, Comparison } from './comparison.ts'

/** `· not applicable` and a gap. */
const columnWidth = 18

/** Requirements that do not have the same outcome everywhere, by operation; the others with their number. */
export function writeMatrix(sheet: Sheet, comparison: Comparison, width: number): void {
  const { sides, requirements } = comparison
  const ids = requirements.filter((each) => !isAlike(each)).map(({ id }) => id)
  const idWidth = Math.max(...ids.map((id) => id.length), 0) + 2
  const fits = 2 + idWidth + sides.length * columnWidth <= width
  if (fits) {
    sheet.gap()
    const heads = sides.map(({ key }) => ({ text: key, format: 'bold' as const, width: columnWidth }))
    sheet.columns(2, [{ text: '', width: idWidth }, ...heads])
  }
  for (const [operation, ofOperation] of byOperation(comparison)) {
    sheet.gap()
    sheet.text(0, titleOf(operation), 'bold')
    for (const requirement of ofOperation.filter((each) => !isAlike(each))) {
      if (fits) writeRow(sheet, requirement, idWidth)
      else writeByOutcome(sheet, requirement, comparison)
    }
    writeAlike(sheet, ofOperation.filter(isAlike))
  }
  writeTotals(sheet, comparison)
}

const lookOf = (outcome: Outcome | null): Format => (outcome === null ? 'dim' : formatOf(outcome))

function writeRow(sheet: Sheet, { id, outcomes }: ComparedRequirement, idWidth: number): void {
  sheet.columns(2, [
    { text: id, width: idWidth },
    ...outcomes.map((each) => ({ text: signedOutcome(each), format: lookOf(each), width: columnWidth })),
  ])
}

function writeByOutcome(sheet: Sheet, { id, outcomes }: ComparedRequirement, { sides }: Comparison): void {
  sheet.text(2, id)
  const keys = sides.map(({ key }, at) => ({ key, outcome: outcomes[at] ?? null }))
  for (const [outcome, several] of byKey(keys, (each) => each.outcome)) {
    const label = { text: `${signedOutcome(outcome)}:`, format: lookOf(outcome) }
    sheet.labelled(6, label, several.map(({ key }) => key).join(', '))
  }
}

/** What all have in common is told in a line, with names where it is no pass. */
function writeAlike(sheet: Sheet, requirements: readonly ComparedRequirement[]): void {
  for (const [outcome, several] of byKey(requirements, ({ outcomes }) => outcomes[0] ?? null)) {
    const label = { text: `${signedOutcome(outcome)} on all:`, format: lookOf(outcome) }
    const count = several.length === 1 ? '1 requirement' : `${several.length} requirements`
    const named = outcome === 'passed' || outcome === 'not-applicable' || outcome === 'not-tested'
    sheet.labelled(2, label, named ? count : names(several.map(({ id }) => id)))
  }
}

function writeTotals(sheet: Sheet, { sides, lost }: Comparison): void {
  sheet.gap()
  sheet.text(0, 'Summary', 'bold')
  for (const { key, label, verdict, totals } of sides) {
    const counts = Object.entries(totals)
      .filter(([, count]) => count > 0)
      .map(([outcome, count]) => `${signedOutcome(outcome as Outcome)} ${count}`)
    sheet.labelled(2, { text: `${key}:`, format: 'bold' }, `${label}: ${verdict}; ${counts.join(', ')}`)
  }
  if (lost.length > 0) {
    sheet.labelled(2, { text: `Passed on ${sides[0]?.key}, not on every other:`, format: 'red' }, names(lost))
  }
}
