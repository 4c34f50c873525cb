/** A comparison as text for a terminal or a log. */
import type { Outcome } from '../../specs/outcomes.ts'
import { byKey } from '../alike.ts'
import { targetWords } from '../outline.ts'
import { type Format, formatOf, type Page, Sheet } from '../terminal/sheet.ts'
import { coverageSentence } from '../verdict.ts'
import { countOf, names as someOf, titleOf } from '../wording.ts'
import {
  bareLabel,
  byOperation,
  byVerdict,
  type Change,
  type ComparedRequirement,
  type Comparison,
  changedBeneath,
  changes,
  changeWords,
  comparisonSentence,
  differing,
  differingPoints,
  type Group,
  isAlike,
  isBad,
  mostColumns,
  sectionsOf,
  sharesOf,
  signedChange,
  signedOutcome,
  type VerdictWord,
  verdictText,
} from './comparison.ts'

interface ComparisonPage extends Page {
  /** Targets by requirements, in place of what changed from one to the other. */
  readonly asMatrix: boolean
}

/** The whole comparison, ending in a line end. Nothing in the results can act on a terminal. */
export function comparisonOnTerminal(comparison: Comparison, { asMatrix, ...page }: ComparisonPage): string {
  const sheet = new Sheet(page)
  const many = asMatrix && comparison.sides.length > mostColumns
  if (many) writeFleet(sheet, comparison)
  else {
    writeSides(sheet, comparison)
    if (asMatrix) writeMatrix(sheet, comparison, page.width)
    else writeChanges(sheet, comparison)
    writeBeneath(sheet, comparison)
    writeOpenPoints(sheet, comparison)
    if (!asMatrix) writeCounts(sheet, comparison)
  }
  sheet.gap()
  sheet.text(0, comparisonSentence(comparison), isBad(comparison) ? 'red' : 'green')
  return sheet.toString()
}

/** Lines that a fleet may take: together with what stands around them a screen. */
const mostDiffering = 10
const mostFleetNotes = 3

/** Many targets: how many ended how, by name where they are few, and what does not hold everywhere. */
function writeFleet(sheet: Sheet, comparison: Comparison): void {
  const { sides, notes } = comparison
  sheet.text(0, `${sides.length} targets`, 'bold')
  for (const { verdict, text: words, sides: several } of byVerdict(comparison)) {
    const many = words === 'conformant' && several.length > fewNames
    const text = `${several.length} ${words}${many ? '' : ':'}`
    const format = verdictFormats[verdict]
    sheet.labelled(2, { text, format }, many ? '' : few(several.map(bareLabel)))
  }
  for (const note of notes.slice(0, mostFleetNotes))
    sheet.labelled(2, { text: '! note:', format: 'yellow' }, shortened(note))
  const unlike = differing(comparison)
  sheet.gap()
  sheet.text(
    0,
    unlike.length === 0
      ? 'Every requirement has the same outcome everywhere'
      : countOf(unlike.length, 'requirement differs', 'requirements differ'),
    'bold',
  )
  for (const requirement of unlike.slice(0, mostDiffering)) {
    const shares = sharesOf(requirement, comparison).map(
      ({ outcome, labels }) =>
        `${signedOutcome(outcome)} on ${labels.length > fewNames ? labels.length : few(labels)}`,
    )
    sheet.labelled(2, { text: `${requirement.id}:` }, shortened(shares.join('; ')))
  }
  const left = unlike.length - mostDiffering
  const points = comparison.openPoints.filter(({ difference }) => difference === 'different').length
  if (left > 0) sheet.text(2, `and ${left} more: the page of the matrix has all`, 'dim')
  if (points > 0)
    sheet.text(
      2,
      `${countOf(points, 'open point is', 'open points are')} settled in different ways, which is not wrong: the page of the matrix has them`,
      'dim',
    )
}

const verdictFormats: Readonly<Record<VerdictWord, Format>> = {
  'not judged': 'magenta',
  'non-conformant': 'red',
  incomplete: 'yellow',
  conformant: 'green',
}

const fewNames = 5

const few = (labels: readonly string[]): string => someOf(labels, undefined, fewNames)

/** What is beyond is told with its number. */
const mostNames = 40

const names = (ids: readonly string[]): string => someOf(ids, undefined, mostNames)

/** Notes name every target that they hold for. */
const shortened = (text: string): string => (text.length > 160 ? `${text.slice(0, 160)}…` : text)

function writeSides(sheet: Sheet, { sides, notes }: Comparison): void {
  for (const side of sides) {
    const { key, label, file, target, suiteVersion, run, coverage } = side
    sheet.labelled(0, { text: key, format: 'bold' }, label)
    const address = label === target.baseUrl ? '' : `${target.baseUrl}, `
    sheet.text(2, `${verdictText(side)}; ${address}${targetWords(target)}`)
    if (coverage !== undefined) sheet.text(2, coverageSentence(coverage))
    const cases = `seed ${run.seed}, ${run.runs} cases of each generated check`
    sheet.text(2, `${file}: ${run.id}, ${run.startedAt}, suite ${suiteVersion}, ${cases}`, 'dim')
  }
  if (notes.length > 0) sheet.gap()
  for (const note of notes) sheet.labelled(0, { text: '! note:', format: 'yellow' }, note)
}

function writeChanges(sheet: Sheet, comparison: Comparison): void {
  for (const { change, groups, count } of sectionsOf(comparison)) {
    sheet.heading(`${changeWords[change].title} (${count})`)
    for (const group of groups) writeGroup(sheet, change, group)
  }
}

function writeGroup(sheet: Sheet, change: Change, { outcomes, reason, members }: Group): void {
  const label = { text: signedChange(change), format: changeWords[change].format }
  sheet.labelled(2, label, names(members.map(({ id }) => id)))
  sheet.text(6, withReason(outcomes.map(signedOutcome).join(' → '), reason))
}

const withReason = (text: string, reason: string): string => (reason === '' ? text : `${text}: ${reason}`)

/** What hides beneath a requirement is quiet, unless it passed before. */
function writeBeneath(sheet: Sheet, comparison: Comparison): void {
  const beneath = changedBeneath(comparison)
  if (beneath.length === 0) return
  sheet.heading(`Checks that changed beneath a requirement that did not (${beneath.length})`)
  for (const { check, lost } of beneath.slice(0, mostNames)) {
    const went = withReason(check.outcomes.map(signedOutcome).join(' → '), check.reasons.at(-1) ?? '')
    if (lost) sheet.labelled(2, { text: signedChange('broken'), format: 'red' }, `${check.id}: ${went}`)
    else sheet.text(2, `${check.id}: ${went}`, 'dim')
  }
  if (beneath.length > mostNames) sheet.text(2, `and ${beneath.length - mostNames} more`, 'dim')
}

function writeOpenPoints(sheet: Sheet, comparison: Comparison): void {
  const points = differingPoints(comparison)
  if (points.length === 0) return
  sheet.heading('Different on an open point of the contract: none of it is wrong')
  for (const { question, operations, observed } of points) {
    sheet.labelled(2, { text: '≠', format: 'cyan' }, `${question} (${operations.join(', ')})`)
    const alike = byKey(
      comparison.sides.map(({ key }, at) => ({ key, values: observed[at] ?? [] })),
      (each) => JSON.stringify(each.values),
    )
    for (const several of alike.values()) {
      const values = several[0]?.values ?? []
      const label = { text: `${several.map(({ key }) => key).join(', ')}:`, format: 'bold' } as const
      sheet.labelled(6, label, values.length === 0 ? 'not observed' : values.join('; '))
    }
  }
}

function writeCounts(sheet: Sheet, { counts, requirements }: Comparison): void {
  sheet.heading(`Summary of ${requirements.length} requirements`)
  for (const change of changes.filter((each) => (counts[0]?.[each] ?? 0) > 0)) {
    const label = { text: signedChange(change).padEnd(longest), format: changeWords[change].format }
    sheet.labelled(2, label, String(counts[0]?.[change]))
  }
}

const longest = Math.max(...changes.map((change) => signedChange(change).length))

/** `· not applicable` and a gap. */
const columnWidth = 18

/** Requirements that do not have the same outcome everywhere, by operation; the others with their number. */
function writeMatrix(sheet: Sheet, comparison: Comparison, width: number): void {
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
    sheet.heading(titleOf(operation))
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
    const count = countOf(several.length, 'requirement')
    const named = outcome === 'passed' || outcome === 'not-applicable' || outcome === 'not-tested'
    sheet.labelled(2, label, named ? count : names(several.map(({ id }) => id)))
  }
}

function writeTotals(sheet: Sheet, { sides, lost }: Comparison): void {
  sheet.heading('Summary')
  for (const side of sides) {
    const { key, label, totals } = side
    const counts = Object.entries(totals)
      .filter(([, count]) => count > 0)
      .map(([outcome, count]) => `${signedOutcome(outcome as Outcome)} ${count}`)
    sheet.labelled(
      2,
      { text: `${key}:`, format: 'bold' },
      `${label}: ${verdictText(side)}; ${counts.join(', ')}`,
    )
  }
  if (lost.length > 0) {
    sheet.labelled(2, { text: `Passed on ${sides[0]?.key}, not on every other:`, format: 'red' }, names(lost))
  }
}
