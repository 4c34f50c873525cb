/** The report of a run as text for a terminal or a log: what was found, what was not judged and why, the verdict last. */
import type { ClientFinding } from '../../runner/traffic/traffic-report.ts'
import type { Step } from '../../runner/what-to-add.ts'
import { countsByOutcome, outcomes } from '../../specs/outcomes.ts'
import { byKey } from '../alike.ts'
import { clientTitle, placesInWords } from '../finding-text.ts'
import { type Outline, outlineOf } from '../outline.ts'
import type { RequirementResult, Results } from '../results.ts'
import {
  additionsNote,
  additionsTitle,
  countOf,
  countsInWords,
  gainOf,
  names,
  signed,
  titleOf,
  verdictLooks,
  wordsFor,
} from '../wording.ts'
import { writeCards } from './cards.ts'
import { formatOf, type Page, Sheet, signedInColumn } from './sheet.ts'

interface ReportPage extends Page {
  /** Every requirement with its outcome and every observation, in place of their numbers. */
  readonly verbose?: boolean
}

/** The whole report, ending in a line end. Nothing that a target sent can act on a terminal. */
export function terminalReport(results: Results, { verbose = false, ...page }: ReportPage): string {
  const sheet = new Sheet(page)
  const outline = outlineOf(results)
  writeHead(sheet, results, outline)
  if (verbose || results.requirements.some(({ outcome }) => outcome !== 'passed'))
    writeOperations(sheet, results.requirements, verbose)
  else writePassed(sheet, results.requirements)
  if (verbose) writeQuestions(sheet, outline)
  writeTraffic(sheet, results)
  writeCards(sheet, outline.cards)
  writeOpen(sheet, outline)
  writeSummary(sheet, outline, verbose)
  return sheet.toString()
}

function writeHead(sheet: Sheet, { suite, run }: Results, { head, notices }: Outline): void {
  sheet.text(0, `portal-conformance ${suite.version}`, 'bold')
  sheet.labelled(2, { text: 'Target: ', format: 'dim' }, `${head.baseUrl} (${head.target})`)
  for (const { title, text } of notices.filter(({ grave }) => grave)) sheet.text(2, `${title} ${text}`, 'red')
  sheet.labelled(2, { text: 'Run:    ', format: 'dim' }, `${run.id}, ${run.startedAt}, ${head.effort}`)
}

/** A line for each operation with how its requirements came out; in detail each of them by name, too. */
function writeOperations(sheet: Sheet, requirements: readonly RequirementResult[], verbose: boolean): void {
  sheet.gap()
  for (const [operation, ofOperation] of byKey(requirements, (each) => each.operation)) {
    const counts = countsByOutcome(ofOperation)
    const worst = outcomes.find((outcome) => counts[outcome] > 0) ?? 'passed'
    if (verbose) sheet.gap()
    sheet.labelled(
      0,
      { text: `${titleOf(operation)}:`, format: 'bold' },
      countsInWords(counts, true),
      formatOf(worst),
    )
    if (!verbose) continue
    for (const [section, ofSection] of [...byKey(ofOperation, (each) => each.section)].sort(bySection)) {
      sheet.text(2, `§${section}`, 'dim')
      for (const requirement of ofSection) writeRequirement(sheet, requirement)
    }
  }
}

/** Where everything passed, the numbers of all operations stand on a few lines. */
function writePassed(sheet: Sheet, requirements: readonly RequirementResult[]): void {
  if (requirements.length === 0) return
  const counts = [...byKey(requirements, ({ operation }) => operation)].map(
    ([operation, several]) => `${operation} ${several.length}`,
  )
  sheet.gap()
  sheet.labelled(0, { text: 'All passed:', format: formatOf('passed') }, counts.join(', '))
}

function writeRequirement(sheet: Sheet, { id, outcome, checks }: RequirementResult): void {
  const such = checks.filter((check) => check.outcome === outcome).length
  const share = such < checks.length ? ` (${such} of ${checks.length} checks)` : ''
  sheet.labelled(4, { text: signedInColumn(outcome), format: formatOf(outcome) }, `${id}${share}`)
}

const bySection = ([one]: readonly [string, unknown], [other]: readonly [string, unknown]): number =>
  one.localeCompare(other, 'en', { numeric: true })

function writeQuestions(sheet: Sheet, { questions }: Outline): void {
  if (questions.length === 0) return
  sheet.heading('Observed: what the contract leaves open, and this target does')
  for (const { question, answers } of questions) {
    sheet.text(2, question)
    for (const { observed, places } of answers)
      sheet.labelled(4, { text: `${places}:`, format: 'dim' }, observed)
  }
}

/** How much was observed: with many open points the list would bury the rest. */
function writeObserved(sheet: Sheet, { questions }: Outline): void {
  if (questions.length === 0) return
  const answers = questions.reduce((sum, each) => sum + each.answers.length, 0)
  const counts = `${countOf(answers, 'answer')} to ${countOf(questions.length, 'open point')}`
  sheet.labelled(2, { text: 'Observed:', format: 'dim' }, `${counts}; for the list use --verbose or a report`)
}

/** What only recorded traffic has: where it was recorded, what was left out, and what was found about clients. */
function writeTraffic(sheet: Sheet, { run: { traffic } }: Results): void {
  if (traffic === undefined) return
  sheet.heading('Recorded')
  for (const { url, exchanges } of traffic.baseUrls) {
    sheet.labelled(2, { text: `${countOf(exchanges, 'exchange')}:`, format: 'dim' }, `under ${url}`)
  }
  for (const { reason, count } of traffic.leftOut) {
    sheet.labelled(2, { text: `left out, ${count}:`, format: 'dim' }, reason)
  }
  if (traffic.client.length === 0) return
  sheet.heading(clientTitle)
  for (const finding of traffic.client) writeClientFinding(sheet, finding)
}

function writeClientFinding(sheet: Sheet, finding: ClientFinding): void {
  const { id, level, operation, message, expected, actual } = finding
  const label = level === 'finding' ? '✗ finding' : '· note   '
  sheet.labelled(2, { text: label, format: level === 'finding' ? 'red' : 'dim' }, `${id}, ${operation}`)
  sheet.text(8, message)
  sheet.labelled(8, { text: 'Expected:' }, expected)
  sheet.labelled(8, { text: 'Sent:' }, actual)
  sheet.labelled(8, { text: 'Where:' }, placesInWords(finding))
}

/** What was not judged and why, errors of the run, and what would let the next run judge more. */
function writeOpen(sheet: Sheet, { reasons, errors, additions }: Outline): void {
  for (const { outcome, title, reasons: several } of reasons) {
    sheet.heading(title)
    for (const { reason, ids } of several) {
      sheet.labelled(2, { text: `${signed(outcome)}:`, format: formatOf(outcome) }, reason)
      sheet.text(6, names(ids), 'dim')
    }
  }
  if (errors.length > 0) {
    sheet.heading('Errors of the run itself')
    for (const error of errors) sheet.labelled(2, { text: '✗', format: 'red' }, error)
  }
  writeAdditions(sheet, additions)
}

/** The end: counts, what must be known before the verdict is trusted, and the verdict as the last line. */
function writeSummary(sheet: Sheet, outline: Outline, verbose: boolean): void {
  const { counts, notices, head } = outline
  sheet.heading(`Summary of ${counts.title}`)
  for (const { outcome, count } of counts.rows) {
    const label = { text: signedInColumn(outcome), format: formatOf(outcome) }
    sheet.labelled(2, label, String(count))
  }
  if (!verbose) writeObserved(sheet, outline)
  for (const { title, text } of notices.filter(({ grave }) => !grave)) {
    sheet.gap()
    sheet.text(0, `${title} ${text}`, 'yellow')
  }
  sheet.gap()
  sheet.text(0, `${head.word}: ${head.grounds}`, formatOf(verdictLooks[head.verdict]))
}

/** Nothing where there is nothing to add. */
export function writeAdditions(sheet: Sheet, steps: readonly Step[]): void {
  if (steps.length === 0) return
  sheet.heading(additionsTitle)
  for (const step of steps) {
    sheet.labelled(2, { text: '+', format: 'cyan' }, `${step.add.join(', ')}: ${gainOf(step)}`)
    for (const key of step.add) {
      const words = wordsFor(key)
      if (words !== undefined) sheet.labelled(6, { text: `${key}:`, format: 'dim' }, words)
    }
  }
  sheet.text(2, additionsNote, 'dim')
}
