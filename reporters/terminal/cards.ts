/** The cards of a report for a terminal: what the target does wrong, what was sent, expected and answered, and how to see it again. */
import type { Outcome } from '../../specs/outcomes.ts'
import { type Requirement, requirementOf } from '../../specs/requirements.ts'
import { byKey } from '../alike.ts'
import { alsoWords, askedIn, inTheirWords, pageIn, sentWords, sizeOf, whereOf } from '../card-words.ts'
import { type Card, callersOf, operationsOf } from '../cards.ts'
import { answerHead, longestCommand, requestHead, sightings, waiverSentence } from '../finding-text.ts'
import type { ReportedCheck, RequirementResult } from '../results.ts'
import { countOf, names, signed } from '../wording.ts'
import { type Format, formatOf, type Sheet } from './sheet.ts'

/** Most cards that are shown whole: the next ones are short, and results.json holds the rest. */
const mostInFull = 30
const mostCards = 500
/** Of a card more other findings than that are counted. */
const mostAlso = 6

const titles: readonly (readonly [Outcome, string])[] = [
  ['failed', 'Failures'],
  ['waived', 'Waived: failed, but does not count'],
  ['warned', 'Advice that is not kept'],
]

/** Writes a section for each outcome; nothing where there is no card. */
export function writeCards(sheet: Sheet, cards: readonly Card[]): void {
  for (const [outcome, title] of titles) {
    const such = cards.filter((card) => card.outcome === outcome)
    if (such.length === 0) continue
    sheet.heading(title)
    for (const [at, card] of such.slice(0, mostCards).entries()) {
      if (at > 0) sheet.gap()
      writeCard(sheet, card, outcome === 'failed' && at < mostInFull)
    }
    const left = such.length - mostCards
    if (left > 0) sheet.text(2, `and ${countOf(left, 'more card')}: results.json holds their findings`)
  }
}

const indent = 4

function writeCard(sheet: Sheet, card: Card, inFull: boolean): void {
  const { outcome, findings } = card
  const [{ requirement, check }] = findings
  const size = findings.length === 1 ? '' : ` (${sizeOf(card)})`
  sheet.text(2, `${signed(outcome)} ${check.id}${size}`, formatOf(outcome))
  if (inFull) writeClause(sheet, requirement)
  if (operationsOf(findings).length > 1) line(sheet, 'Where:', whereOf(card))
  writeGrounds(sheet, check, inFull)
  writeOthers(sheet, card)
  if (outcome === 'waived') writeWaivers(sheet, card)
  if (inFull) writeExchanges(sheet, check)
  if (outcome === 'failed') {
    line(sheet, 'Again:', '')
    sheet.command(indent + 2, check.failure?.replay ?? '')
  }
}

/** The labels of a card, in one column. */
const labelWidth = 'Expected:'.length

function line(sheet: Sheet, label: string, text: string, format: Format = 'dim'): void {
  sheet.labelled(indent, { text: label.padEnd(labelWidth), format }, text)
}

function writeClause(sheet: Sheet, { id, level, section, text }: RequirementResult): void {
  const source = level === 'must (profile)' ? 'The profile' : 'The contract'
  const label = level === 'advice' ? 'Advice:' : `${source} (§${section}):`
  sheet.labelled(indent, { text: label, format: 'dim' }, text)
  // Results of another version may hold a requirement that this one does not know.
  const follows = (requirementOf(id) as Requirement | undefined)?.follows
  if (follows !== undefined && level !== 'advice')
    sheet.labelled(indent, { text: 'It follows:', format: 'dim' }, follows)
}

function writeGrounds(sheet: Sheet, check: ReportedCheck, inFull: boolean): void {
  const { failure } = check
  if (failure === undefined) return
  line(sheet, 'Found:', failure.message, 'bold')
  line(sheet, 'Sent:', sentWords(check))
  if (inFull) line(sheet, 'Expected:', failure.expected.join(' | '))
  line(sheet, 'Came:', failure.actual)
  const seen = sightings(failure)
  if (seen !== undefined && inFull) line(sheet, 'Seen:', seen)
}

/** The other findings of the cause, who else asked, and what could not be judged. */
function writeOthers(sheet: Sheet, card: Card): void {
  const others = inTheirWords(card.findings.slice(1), card)
  for (const also of others.slice(0, mostAlso)) {
    const ids = names(also.checks.map(({ id }) => id))
    line(sheet, 'Also:', `${alsoWords(also)} [${ids}]`)
  }
  const left = others.length - mostAlso
  if (left > 0) line(sheet, 'Also:', `${countOf(left, 'more finding')} in results.json`)
  const callers = callersOf(card.findings)
  if (callers.length > 1) line(sheet, 'Callers:', names(callers))
  if (card.blocked.length === 0) return
  const count = countOf(card.blocked.length, 'requirement')
  sheet.text(indent, `Because of this, ${count} could not be judged:`, 'magenta')
  sheet.text(indent + 2, names(card.blocked))
}

function writeWaivers(sheet: Sheet, { findings }: Card): void {
  const checks = findings.map(({ check }) => check)
  for (const [sentence, such] of byKey(checks, (check) => waiverSentence(check) ?? check.reason ?? '')) {
    sheet.labelled(indent, { text: 'It is', format: 'yellow' }, sentence)
    if (checks.length > 1) sheet.text(indent + 2, names(such.map(({ id }) => id)), 'dim')
  }
}

const mostBodyLines = 10
/** The form stands in the curl line, too. */
const mostFormLines = 4

/** The request and its answer; where a page shows the effect, the page after them. */
function writeExchanges(sheet: Sheet, check: ReportedCheck): void {
  const asked = askedIn(check)
  if (asked === undefined) return
  const { request, response, error, curl } = asked
  line(sheet, 'Request:', requestHead(asked, check.evidence?.length ?? 1))
  if (request.body !== '') sheet.block(indent + 2, request.body, mostFormLines)
  line(sheet, 'Answer:', answerHead(response, error))
  const shown = pageIn(check)
  if (shown === undefined) {
    if (response !== undefined && response.body !== '') sheet.block(indent + 2, response.body, mostBodyLines)
  } else {
    const { page, later } = shown
    const when = later === undefined ? '' : `, ${later}`
    line(
      sheet,
      'Page:',
      `${page.request.method} ${page.request.url}${when}: ${answerHead(page.response, page.error)}`,
    )
  }
  if (curl.length <= longestCommand) sheet.command(indent, curl)
  else sheet.text(indent, `(the curl line has ${curl.length} characters; results.json holds it)`, 'dim')
}
