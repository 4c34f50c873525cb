/** The report of a run as text for a terminal or a log: what was found, what was not judged and why, the verdict last. */
import type { Evidence } from '../../deployment/http/exchange.ts'
import type { ClientFinding } from '../../runner/traffic/traffic-report.ts'
import type { Step } from '../../runner/what-to-add.ts'
import { countsByOutcome, type Outcome, outcomes } from '../../specs/outcomes.ts'
import { type Requirement, requirementOf } from '../../specs/requirements.ts'
import { byKey, Tellings } from '../alike.ts'
import {
  answerHead,
  caseWords,
  clientTitle,
  longestCommand,
  placesInWords,
  requestHead,
  sightings,
  waiverSentence,
} from '../finding-text.ts'
import { type Cause, type Outline, outlineOf } from '../outline.ts'
import type { ReportedCheck, RequirementResult, Results } from '../results.ts'
import {
  additionsNote,
  additionsTitle,
  countOf,
  countsInWords,
  gainOf,
  names,
  outcomeWords,
  signed,
  titleOf,
  verdictLooks,
  wordsFor,
} from '../wording.ts'
import { formatOf, type Page, Sheet, signedInColumn } from './sheet.ts'

interface ReportPage extends Page {
  /** Every requirement with its outcome and every observation, in place of their numbers. */
  readonly verbose?: boolean
}

/** Beyond this a report is no longer read: results.json holds the other exchanges. */
const room = { fullAlike: 1, briefAlike: 0, fullAkin: 3, full: 30, brief: Number.POSITIVE_INFINITY }

/** The causes that are named again at the end. */
const mostCauses = 500

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
  writeSummary(sheet, outline, verbose)
  return sheet.toString()
}

function writeHead(sheet: Sheet, { suite, run }: Results, { head, notices }: Outline): void {
  sheet.text(0, `portal-conformance ${suite.version}`, 'bold')
  sheet.labelled(2, { text: 'Target: ', format: 'dim' }, `${head.baseUrl} (${head.target})`)
  for (const { title, text } of notices.filter(({ grave }) => grave)) sheet.text(2, `${title} ${text}`, 'red')
  sheet.labelled(2, { text: 'Run:    ', format: 'dim' }, `${run.id}, ${run.startedAt}, ${head.effort}`)
}

/** A line for each operation with how its requirements came out, and beneath it what was found. */
function writeOperations(sheet: Sheet, requirements: readonly RequirementResult[], verbose: boolean): void {
  const tellings = new Tellings(room)
  sheet.gap()
  for (const [operation, ofOperation] of byKey(requirements, (each) => each.operation)) {
    const counts = countsByOutcome(ofOperation)
    const worst = outcomes.find((outcome) => counts[outcome] > 0) ?? 'passed'
    const shown = verbose ? ofOperation : ofOperation.filter(({ outcome }) => isFound(outcome))
    if (shown.length > 0) sheet.gap()
    sheet.labelled(
      0,
      { text: `${titleOf(operation)}:`, format: 'bold' },
      countsInWords(counts, true),
      formatOf(worst),
    )
    for (const [section, ofSection] of [...byKey(shown, (each) => each.section)].sort(bySection)) {
      if (verbose) sheet.text(2, `§${section}`, 'dim')
      for (const requirement of ofSection) writeRequirement(sheet, requirement, tellings)
    }
    if (shown.length > 0) sheet.gap()
  }
}

/** Where everything passed, the numbers of all operations stand on a few lines. */
function writePassed(sheet: Sheet, requirements: readonly RequirementResult[]): void {
  if (requirements.length === 0) return
  const counts = [...byKey(requirements, ({ operation }) => operation)].map(
    ([operation, several]) => `${titleOf(operation)} ${several.length}`,
  )
  sheet.gap()
  sheet.labelled(0, { text: `${signed('passed')}:`, format: formatOf('passed') }, counts.join(', '))
}

const isFound = (outcome: Outcome): boolean =>
  outcome === 'failed' || outcome === 'warned' || outcome === 'waived'

function writeRequirement(sheet: Sheet, requirement: RequirementResult, tellings: Tellings): void {
  const { id, outcome, checks } = requirement
  const such = checks.filter((check) => check.outcome === outcome).length
  const share = such < checks.length ? ` (${such} of ${checks.length} checks)` : ''
  sheet.labelled(4, { text: signedInColumn(outcome), format: formatOf(outcome) }, `${id}${share}`)
  writeFindings(sheet, requirement, tellings)
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

/** The end: counts, the findings again, what was not judged and why, and the verdict as the last line. */
function writeSummary(sheet: Sheet, outline: Outline, verbose: boolean): void {
  const { counts, causes, reasons, errors, notices, additions, head } = outline
  sheet.heading(`Summary of ${counts.title}`)
  for (const { outcome, count } of counts.rows) {
    const label = { text: signedInColumn(outcome), format: formatOf(outcome) }
    sheet.labelled(2, label, String(count))
  }
  if (!verbose) writeObserved(sheet, outline)
  const having = (outcome: Outcome) => causes.filter(({ check }) => check.outcome === outcome)
  writeCauses(sheet, 'Failures', having('failed'))
  writeCauses(sheet, 'Waived: failed, but does not count', having('waived'))
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
  for (const { title, text } of notices.filter(({ grave }) => !grave)) {
    sheet.gap()
    sheet.text(0, `${title} ${text}`, 'yellow')
  }
  writeAdditions(sheet, additions)
  sheet.gap()
  sheet.text(0, `${head.word}: ${head.grounds}`, formatOf(verdictLooks[head.verdict]))
}

/** What was found with the line that shows it again, cause by cause. */
function writeCauses(sheet: Sheet, title: string, causes: readonly Cause[]): void {
  if (causes.length === 0) return
  sheet.heading(title)
  for (const { check, checks, blocked } of causes.slice(0, mostCauses)) {
    const { outcome, failure, reason } = check
    const ids = names(checks.map(({ id }) => id))
    if (outcome === 'waived') {
      // The reason of a waived failure begins with that word itself.
      sheet.labelled(2, { text: outcomeWords.waived.sign, format: formatOf(outcome) }, reason ?? '')
      sheet.text(6, ids, 'dim')
      continue
    }
    sheet.labelled(2, { text: signed(outcome), format: formatOf(outcome) }, ids)
    sheet.text(6, failure?.message ?? '')
    if (blocked.length > 0) {
      const what = `because of this, ${countOf(blocked.length, 'requirement')} could not be judged:`
      sheet.labelled(6, { text: what, format: 'magenta' }, names(blocked))
    }
    sheet.command(6, failure?.replay ?? '')
  }
  const left = causes.length - mostCauses
  if (left > 0) sheet.text(2, `and ${countOf(left, 'more finding')}: they stand at their requirements above`)
}

/** Where findings stand, beneath their requirement. */
const findingIndent = 8

/** Writes the findings of a requirement: what the contract says, what was found, and how to see it again. */
function writeFindings(sheet: Sheet, requirement: RequirementResult, tellings: Tellings): void {
  const found = requirement.checks.filter(({ failure }) => failure !== undefined)
  if (found.length === 0) return
  writeClause(sheet, requirement)
  const others: Reference[] = []
  for (const check of found) {
    const { how, first } = tellings.tell(requirement, check)
    if (first !== undefined) others.push({ first, check, waived: waiverSentence(check) })
    else writeFinding(sheet, requirement, check, how === 'full' || check.outcome !== 'failed')
  }
  for (const alike of byKey(others, ({ first, waived }) => JSON.stringify([first, waived])).values())
    writeReferences(sheet, requirement, alike)
}

/** A finding that was told before. */
interface Reference {
  readonly first: string
  readonly check: ReportedCheck
  readonly waived: string | undefined
}

function writeReferences(sheet: Sheet, requirement: RequirementResult, alike: readonly Reference[]): void {
  const [{ first, waived }] = alike as [Reference]
  const ids = alike.map(({ check }) => check.id)
  const which = ids.length === 1 && ids[0] === requirement.id ? '' : ` [${names(ids)}]`
  sheet.labelled(findingIndent, { text: 'Found:', format: 'bold' }, `the same as at ${first}${which}`)
  writeWaived(sheet, waived)
}

function writeWaived(sheet: Sheet, waived: string | undefined): void {
  if (waived !== undefined) sheet.labelled(findingIndent, { text: 'It is', format: 'yellow' }, waived)
}

function writeClause(sheet: Sheet, { id, level, section, text }: RequirementResult): void {
  if (level === 'advice') {
    sheet.labelled(findingIndent, { text: 'Advice:', format: 'dim' }, text)
    return
  }
  const source = level === 'must (profile)' ? 'The profile' : 'The contract'
  sheet.labelled(findingIndent, { text: `${source} (§${section}):`, format: 'dim' }, text)
  // Results of another version may hold a requirement that this one does not know.
  const follows = (requirementOf(id) as Requirement | undefined)?.follows
  if (follows !== undefined) sheet.labelled(findingIndent, { text: 'It follows:', format: 'dim' }, follows)
}

function writeFinding(
  sheet: Sheet,
  requirement: RequirementResult,
  check: ReportedCheck,
  inFull: boolean,
): void {
  const { failure } = check
  if (failure === undefined) return
  const which = check.id === requirement.id ? '' : ` [${check.id}]`
  sheet.labelled(findingIndent, { text: 'Found:', format: 'bold' }, `${failure.message}${which}`)
  writeWaived(sheet, waiverSentence(check))
  if (inFull)
    sheet.labelled(findingIndent, { text: 'Acceptable:', format: 'dim' }, failure.expected.join(' | '))
  sheet.labelled(findingIndent, { text: 'Came:', format: 'dim' }, failure.actual)
  if (failure.counterexample !== undefined) {
    sheet.labelled(findingIndent, { text: 'Case:', format: 'dim' }, caseWords(failure.counterexample))
  }
  const seen = sightings(failure)
  if (seen !== undefined && inFull) sheet.labelled(findingIndent, { text: 'Seen:', format: 'dim' }, seen)
  // A failure that is told shortly is like others that are told in full; its command stands at the end of the report.
  if (!inFull && check.outcome === 'failed') return
  if (check.outcome === 'failed') writeExchanges(sheet, check.evidence ?? [])
  sheet.labelled(findingIndent, { text: 'Again:', format: 'dim' }, '')
  sheet.command(findingIndent + 2, failure.replay)
}

const mostBodyLines = 10
/** The form stands in the curl line, too, and its case above it. */
const mostFormLines = 4

/** Writes the last of several exchanges: the one that the finding rests on. */
function writeExchanges(sheet: Sheet, exchanges: readonly Evidence[]): void {
  const exchange = exchanges.at(-1)
  if (exchange === undefined) return
  const { request, response, error, curl } = exchange
  sheet.labelled(findingIndent, { text: 'Request:', format: 'dim' }, requestHead(exchanges))
  if (request.body !== '') sheet.block(findingIndent + 2, request.body, mostFormLines)
  sheet.labelled(findingIndent, { text: 'Answer:', format: 'dim' }, answerHead(response, error))
  if (response !== undefined && response.body !== '')
    sheet.block(findingIndent + 2, response.body, mostBodyLines)
  if (curl.length <= longestCommand) sheet.command(findingIndent, curl)
  else
    sheet.text(findingIndent, `(the curl line has ${curl.length} characters; results.json holds it)`, 'dim')
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
