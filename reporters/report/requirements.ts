/** All requirements of a report: their outcomes by operation, and each with its checks. */
import { situations } from '../../clauses/situations.ts'
import { byKey } from '../../schemas/values.ts'
import { countsByOutcome, type Outcome, outcomes } from '../../specs/outcomes.ts'
import type { Subject } from '../../specs/requirements.ts'
import { foundWords } from '../finding-text.ts'
import { reasonKey } from '../grouping.ts'
import { filterAnchor, html, type Markup } from '../html/markup.ts'
import { inHtml } from '../html/paint.ts'
import {
  codeOf,
  type Entry,
  factsOf,
  type Inline,
  type Item,
  linkOf,
  listOf,
  looking,
  type Node,
  outcomeOf,
  type Row,
  type Section,
  sectionOf,
} from '../nodes.ts'
import type { ReportedCheck, RequirementResult, Results } from '../results.ts'
import { countOf, countsInWords, durationOf, outcomeWords, titleOf } from '../wording.ts'
import { checkNodes, sentenceOf } from './findings.ts'

/** The number of requirements by operation and outcome, on a few lines if all passed. */
export function operations({ requirements }: Results): Node[] {
  const ofOperations = [...byKey(requirements, ({ operation }) => operation)]
  if (requirements.length === 0) return []
  if (requirements.every(({ outcome }) => outcome === 'passed')) {
    const counts = ofOperations.map(([operation, several]) => `${operation} ${several.length}`).join(', ')
    return [listOf([{ label: 'All passed:', look: 'passed', text: counts }])]
  }
  const items = ofOperations.map(([operation, several]): Item => {
    const counts = countsByOutcome(several)
    const worst = outcomes.find((outcome) => counts[outcome] > 0) ?? 'passed'
    return { label: `${titleOf(operation)}:`, look: worst, text: countsInWords(counts) }
  })
  return [listOf(items)]
}

/** The requirements by operation and kind. `bodies`: the content that unfolds. */
export function* byOperation(
  requirements: readonly RequirementResult[],
  bodies: (requirement: RequirementResult) => Iterable<Node> = () => [],
): Generator<Section> {
  for (const [operation, ofOperation] of byKey(requirements, (each) => each.operation)) {
    const kinds = [...byKey(ofOperation, ({ kind }) => kind)]
    const total = countOf(ofOperation.length, 'requirement')
    yield sectionOf(
      titleOf(operation),
      kinds.map(([kind, ofKind]) =>
        sectionOf(kind, entries(ofKind, bodies), { id: filterAnchor({ operation, kind }) }),
      ),
      { aside: `${total}: ${countsInWords(countsByOutcome(ofOperation))}` },
    )
  }
}

function* entries(
  requirements: readonly RequirementResult[],
  bodies: (requirement: RequirementResult) => Iterable<Node>,
): Generator<Entry> {
  for (const requirement of requirements) {
    const { id, outcome, level, operation, kind, text, checks } = requirement
    const such = checks.filter((check) => check.outcome === outcome).length
    yield {
      kind: 'entry',
      id,
      outcome,
      level,
      of: { operation, kind },
      sentence: text,
      share: such < checks.length ? `${such} of ${countOf(checks.length, 'check')}` : undefined,
      blocks: bodies(requirement),
    }
  }
}

/** The title of the list of all requirements on a page. */
export const listTitle = { id: 'requirements', title: 'All requirements' } as const

/** The list of all requirements on a page, with filters. `cardOf`: anchors of cards by the ids of their checks. */
export function* requirementList(
  { requirements }: Results,
  cardOf: ReadonlyMap<string, string>,
): Generator<Markup> {
  const { id, title } = listTitle
  const shown = new Set<string>()
  yield html`<section aria-labelledby="${id}"><h2 id="${id}">${title}</h2>\n${filterForm(requirements)}`
  yield* inHtml(
    byOperation(requirements, (requirement) => bodyOf(requirement, cardOf, shown)),
    3,
  )
  yield html`</section>\n`
}

/** A form that filters the entries below it. The script of the page knows its names. */
function filterForm(requirements: readonly RequirementResult[]): Markup {
  const valuesOf = (of: 'outcome' | 'level' | 'operation' | 'kind') => [
    ...new Set(requirements.map((each) => each[of])),
  ]
  const choice = (name: string, label: string, values: string[], words = (value: string) => value) =>
    html`<div><label for="${name}">${label}</label><select id="${name}" name="${name}"><option value="">all</option>${values.map(
      (value) => html`<option value="${value}">${words(value)}</option>`,
    )}</select></div>
`
  const present = outcomes.filter((outcome) => valuesOf('outcome').includes(outcome))
  return html`<form id="filter" role="search" aria-label="Requirements">
<div class="wide"><label for="q">Search</label><input id="q" name="q" type="search" autocomplete="off" spellcheck="false" placeholder="id, sentence, finding"></div>
${[
  choice('outcome', 'Outcome', present, (outcome) => outcomeWords[outcome as Outcome].word),
  choice('level', 'Level', valuesOf('level')),
  choice('operation', 'Operation', valuesOf('operation'), (id) => titleOf(id as Subject)),
  choice('kind', 'Kind of rule', valuesOf('kind')),
]}<div class="hits"><output id="hits" for="q outcome level operation kind">${countOf(requirements.length, 'requirement')}</output> <button type="button" class="reset">Show all</button></div>
</form>
<p class="none" hidden>No requirement matches. <button type="button" class="reset">Show all</button></p>
`
}

/**
 * The content that unfolds, node by node, because a requirement may have thousands of checks. `shown`: reasons of
 * undecided checks whose exchanges were shown.
 */
function* bodyOf(
  requirement: RequirementResult,
  cardOf: ReadonlyMap<string, string>,
  shown: Set<string>,
): Generator<Node> {
  const { outcome, checks } = requirement
  const isFound = outcome === 'failed' || outcome === 'warned' || outcome === 'waived'
  if (isFound) yield sentenceOf(requirement)
  yield factsOf([...(isFound ? [] : sourceOf(requirement)), ...judgedOn(requirement)])
  yield listOf(checkItems(requirement, cardOf))
  for (const check of checks) {
    const { outcome: ended, evidence = [] } = check
    if (ended !== 'inconclusive' || evidence.length === 0 || shown.has(reasonKey(check))) continue
    shown.add(reasonKey(check))
    yield sectionOf(
      [outcomeOf(check.outcome), ' ', foundWords(check)],
      checkNodes(requirement, check, 'page'),
      { framed: true, look: check.outcome },
    )
  }
}

/** The section of the sentence, and why it is open. */
function sourceOf({ section, level, reason }: RequirementResult): Row[] {
  const source = { label: 'Source', text: `§${section}, ${level}` }
  return reason === undefined ? [source] : [source, { label: 'Reason', text: reason }]
}

/** The number of judged answers, and their situations. Empty if the results have none. */
function judgedOn({ looks }: RequirementResult): Row[] {
  if (looks === undefined || looks.exchanges === 0) return []
  const met = Object.entries(looks.situations ?? {}).map(
    ([id, count]) => `${count} ${situations[id as keyof typeof situations] ?? id}`,
  )
  const answers = countOf(looks.exchanges, 'answer')
  return [{ label: 'Judged on', text: met.length === 0 ? answers : `${answers}: ${met.join(', ')}` }]
}

function* checkItems(requirement: RequirementResult, cardOf: ReadonlyMap<string, string>): Generator<Item> {
  for (const check of requirement.checks) {
    const { id, title, outcome, failure } = check
    const card = cardOf.get(id)
    const evidence = card === undefined ? '' : [' ', linkOf(`#${card}`, 'Evidence')]
    const found: Inline =
      failure === undefined ? why(requirement, check) : [': ', foundWords(check), evidence]
    yield {
      // A check with the id of its requirement shares its anchor.
      ...(id === requirement.id ? {} : { id }),
      label: outcomeOf(outcome),
      text: [title, ' ', codeOf(id), found, effort(check)],
    }
  }
}

function effort({ requests, durationMs }: ReportedCheck): Inline {
  if (requests === 0) return ''
  return looking('quiet', ` ${countOf(requests, 'request')}, ${durationOf(durationMs)}`)
}

/** The reason of a check, unless its requirement already gives it. */
function why(requirement: RequirementResult, { reason }: ReportedCheck): Inline {
  return reason === undefined || reason === requirement.reason ? '' : `: ${reason}`
}
