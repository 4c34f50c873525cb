/** A check that failed or warned, with all that is known of it. */

import type { Evidence } from '../../deployment/http/exchange.ts'
import type { Requirement } from '../../specs/requirement.ts'
import { requirementOf } from '../../specs/requirements.ts'
import { byKey, type Tellings } from '../alike.ts'
import { caseWords, sightings, waiverSentence } from '../finding-text.ts'
import type { RequirementResult } from '../results.ts'
import { names } from '../wording.ts'
import type { Sheet } from './sheet.ts'

type Check = RequirementResult['checks'][number]

/** Writes the findings of a requirement: what the contract says, what was found, and how to see it again. */
export function writeFindings(
  sheet: Sheet,
  indent: number,
  requirement: RequirementResult,
  tellings: Tellings,
): void {
  const found = requirement.checks.filter(({ failure }) => failure !== undefined)
  if (found.length === 0) return
  writeClause(sheet, indent, requirement)
  const others: Reference[] = []
  for (const check of found) {
    const { how, first } = tellings.tell(requirement, check)
    if (first !== undefined) others.push({ first, check, waived: waiverSentence(check) })
    else writeFinding(sheet, indent, requirement, check, how === 'full' || check.outcome !== 'failed')
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
    sheet.labelled(indent, { text: 'Case:', format: 'dim' }, caseWords(failure.counterexample))
  }
  const seen = sightings(failure)
  if (seen !== undefined && inFull) sheet.labelled(indent, { text: 'Seen:', format: 'dim' }, seen)
  // A failure that is told shortly is like others that are told in full; its command stands at the end of the report.
  if (!inFull && check.outcome === 'failed') return
  if (check.outcome === 'failed') writeExchanges(sheet, indent, check.evidence ?? [])
  sheet.labelled(indent, { text: 'Again:', format: 'dim' }, '')
  sheet.command(indent + 2, failure.replay)
}

const mostBodyLines = 10
/** The form stands in the curl line, too, and its case above it. */
const mostFormLines = 4
/** A longer command does not help at a prompt: it stands in results.json. */
const longestCommand = 4000

/** Writes the last of several exchanges: the one that the finding rests on. */
function writeExchanges(sheet: Sheet, indent: number, exchanges: readonly Evidence[]): void {
  const exchange = exchanges.at(-1)
  if (exchange === undefined) return
  const { request, response, error, curl } = exchange
  const earlier = exchanges.length - 1
  const others = earlier === 0 ? '' : ` (the last of ${exchanges.length}; results.json holds all)`
  sheet.labelled(indent, { text: 'Request:', format: 'dim' }, `${request.method} ${request.url}${others}`)
  if (request.body !== '') sheet.block(indent + 2, request.body, mostFormLines)
  if (response !== undefined) {
    const type = response.headers['content-type']
    const head = `HTTP ${response.status} after ${Math.round(response.durationMs)} ms${type === undefined ? '' : `, ${type}`}`
    sheet.labelled(indent, { text: 'Answer:', format: 'dim' }, head)
    if (response.body !== '') sheet.block(indent + 2, response.body, mostBodyLines)
  } else {
    sheet.labelled(indent, { text: 'Answer:', format: 'dim' }, `none: ${error ?? 'no complete answer came'}`)
  }
  if (curl.length <= longestCommand) sheet.command(indent, curl)
  else sheet.text(indent, `(the curl line has ${curl.length} characters; results.json holds it)`, 'dim')
}
