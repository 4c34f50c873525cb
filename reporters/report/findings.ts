/** The cards of a report: what the target does wrong, what was sent, expected and answered, and how to repeat it. */
import type { Outcome } from '../../specs/outcomes.ts'
import {
  type Requirement,
  type RequirementId,
  requirementOf,
  type Subject,
} from '../../specs/requirements.ts'
import { affected, type Card, callersOf, type Finding, operationsOf, sizeOf } from '../cards.ts'
import {
  askedIn,
  foundAndCame,
  foundWords,
  pageIn,
  sentWords,
  sightings,
  waiverSentence,
} from '../finding-text.ts'
import { byKey, gistOf } from '../grouping.ts'
import { timeline } from '../html/charts.ts'
import {
  codeOf,
  factsOf,
  firstOf,
  type Inline,
  type Item,
  idOf,
  idsOf,
  linkOf,
  listOf,
  type Node,
  namesOf,
  outcomeOf,
  type Row,
  type Section,
  sectionOf,
  textOf,
} from '../nodes.ts'
import type { ReportedCheck, RequirementResult } from '../results.ts'
import { asText } from '../terminal/paint.ts'
import { countOf, placesOf, titleOf } from '../wording.ts'

/** What a report shows of a single check. */
interface CheckExtent {
  /** Exchanges before the one of the finding. */
  readonly earlier: number
  /** The full smallest case, beside the request. */
  readonly cases: boolean
}

/** How many entries of cards a report shows. */
export interface CardExtent extends CheckExtent {
  /** Cards of an outcome. results.json has the others. */
  readonly cards: number
  /** Cards with all details. */
  readonly inFull: number
  /** Outcomes whose cards in full have their exchanges, too. */
  readonly withExchanges: readonly Outcome[]
  /** Other findings of a card, with their exchanges or in words. */
  readonly othersInFull: number
  readonly also: number
}

type Sentence = Pick<Requirement, 'id' | 'level' | 'section' | 'text' | 'kind'>

const titles: readonly (readonly [Outcome, string, string])[] = [
  ['failed', 'Failures', 'failed checks'],
  ['waived', 'Waived: failed, but does not count', 'waived checks'],
  ['warned', 'Advice that is not kept', 'requirements that are warned'],
]

/** A part for each outcome with cards, limited to these outcomes if given. */
export function findings(
  cards: readonly Card[],
  extent: CardExtent,
  ...wanted: readonly Outcome[]
): Section[] {
  return titles.flatMap(([outcome, title, of]) => {
    const such = cards.filter((card) => card.outcome === outcome)
    if (such.length === 0 || (wanted.length > 0 && !wanted.includes(outcome))) return []
    // Many failures must not displace the part about what was not judged and why.
    const place = outcome === 'failed' ? { id: 'found', leaves: 1 / 4 } : { id: `found-${outcome}` }
    return [sectionOf(title, cardNodes(such, cards, extent), { of, ...place })]
  })
}

function* cardNodes(such: readonly Card[], cards: readonly Card[], extent: CardExtent): Generator<Node> {
  for (const [at, card] of such.slice(0, extent.cards).entries())
    yield cardNode(card, anchorAt(cards.indexOf(card)), extent, at < extent.inFull)
  const left = such.length - extent.cards
  if (left > 0) yield textOf(`and ${countOf(left, 'more card')}: results.json holds their findings`)
}

const anchorAt = (at: number): string => `finding-${at + 1}`

/** The anchors of cards, by the ids of their checks. */
export function cardAnchors(cards: readonly Card[]): Map<string, string> {
  return new Map(
    cards.flatMap(({ findings: several }, at) =>
      several.map(({ check }): [string, string] => [check.id, anchorAt(at)]),
    ),
  )
}

/** The findings in short, each linked to its card. */
export function overview(cards: readonly Card[], most: number): Node[] {
  if (cards.length < 2) return []
  const items = cards.map((card, at): Item => {
    const [{ requirement, check }] = card.findings
    return {
      label: outcomeOf(card.outcome),
      text: linkOf(`#${anchorAt(at)}`, foundWords(check)),
      below: [`${whereOf(card)}: ${requirement.text}`, reachOf(card)],
    }
  })
  return [listOf(firstOf(items, most, (left) => ({ text: `and ${left} more, which follow below` })))]
}

/** The operations that a card is about. */
function whereOf({ findings: several }: Card): string {
  const operations = operationsOf(several)
  return operations.length === 1 ? titleOf(operations[0] as Subject) : placesOf(operations)
}

/** The broken requirements, and the number of others that could not be judged because of it. */
function reachOf(card: Card): Inline {
  const ids = affected(card)
  const more = card.blocked.length === 0 ? '' : `; ${card.blocked.length} more could not be judged`
  return [`${countOf(ids.length, 'requirement')}: `, idsOf(ids), more]
}

function cardNode(card: Card, id: string, extent: CardExtent, inFull: boolean): Section {
  const { outcome, findings: several } = card
  return sectionOf([outcomeOf(outcome), ' ', idOf(several[0].check.id)], cardBlocks(card, extent, inFull), {
    framed: true,
    id,
    look: outcome,
    count: several.length,
    ...(several.length === 1 ? {} : { aside: sizeOf(card) }),
  })
}

function* cardBlocks(card: Card, extent: CardExtent, inFull: boolean): Generator<Node> {
  const { outcome, findings: several, blocked } = card
  const [{ requirement, check }] = several
  const withExchanges = inFull && extent.withExchanges.includes(outcome)
  if (inFull) yield sentenceOf(requirement)
  const others = several.slice(1, 1 + (withExchanges ? extent.othersInFull : 0))
  const rest = several.slice(1 + others.length)
  yield factsOf([
    ...whereRow(card),
    ...groundRows(check, extent, inFull),
    ...otherRows(card, rest, extent, inFull),
  ])
  if (blocked.length > 0) {
    const text = `Because of this, ${countOf(blocked.length, 'requirement')} could not be judged:`
    yield listOf([{ text, look: 'inconclusive', below: [idsOf(blocked)] }])
  }
  if (withExchanges) yield* exchangeNodes(requirement, check, extent)
  if (inFull || check.outcome === 'failed') yield* againNodes(check)
  for (const other of others)
    yield {
      kind: 'fold',
      summary: ['Also: ', foundWords(other.check), ' ', codeOf(other.check.id)],
      blocks: otherNodes(other, extent),
    }
}

function* otherNodes({ requirement, check }: Finding, extent: CheckExtent): Generator<Node> {
  yield sentenceOf(requirement)
  yield* checkNodes(requirement, check, extent)
  // The summary of a fold can hold no link.
  yield textOf(['Check ', idOf(check.id)], 'quiet')
}

/** The operations, if the id of the requirement does not name them. */
function whereRow(card: Card): Row[] {
  const [{ requirement }] = card.findings
  const isNamed = operationsOf(card.findings).every((operation) => operation === requirement.operation)
  return isNamed ? [] : [{ label: 'Where', text: whereOf(card) }]
}

/** All details of a check: the finding, its exchanges, and how to repeat it. */
export function* checkNodes(
  requirement: Pick<RequirementResult, 'kind'>,
  check: ReportedCheck,
  extent: CheckExtent,
): Generator<Node> {
  const rows = [...groundRows(check, extent, true), ...waiverRows([check])]
  if (rows.length > 0) yield factsOf(rows)
  yield* exchangeNodes(requirement, check, extent)
  yield* againNodes(check)
}

/** Everything that is known of a check, as text for formats that know only tests. */
export function findingText(requirement: Sentence, check: ReportedCheck): string {
  const { failure, reason } = check
  const isOpen = failure === undefined && reason !== undefined
  return asText([
    sentenceOf(requirement),
    ...(isOpen ? [factsOf([{ label: 'Reason', text: reason }])] : []),
    ...checkNodes(requirement, check, { earlier: 0, cases: true }),
  ])
}

/** How to repeat a finding. */
const againNodes = ({ failure }: ReportedCheck): Node[] =>
  failure === undefined ? [] : [{ kind: 'command', label: 'Again', line: failure.repeat }]

/** What was sent that matters, what was expected, and the answer. */
function groundRows(check: ReportedCheck, { cases }: CheckExtent, inFull: boolean): Row[] {
  const { failure } = check
  if (failure === undefined) return []
  const { message, expected, actual, counterexample, marks, seed, path } = failure
  const seen = sightings(failure)
  const place = seed === undefined ? undefined : `seed ${seed}${path === undefined ? '' : `, case ${path}`}`
  const shownCase = { kind: 'case', text: counterexample ?? '', marked: marks?.request ?? [], place } as const
  return [
    { label: 'Found', look: 'strong', text: message },
    { label: 'Sent', text: sentWords(check) },
    ...(inFull ? [{ label: 'Expected', text: { kind: 'lines', lines: expected } as const }] : []),
    { label: 'Came', text: actual },
    ...(cases && inFull && counterexample !== undefined ? [{ label: 'Case', text: shownCase }] : []),
    ...(seen !== undefined && inFull ? [{ label: 'Seen', text: seen }] : []),
  ]
}

/** Why the failures do not count, who decided it, and until when. Each decision once. */
function waiverRows(checks: readonly ReportedCheck[]): Row[] {
  const decisions = byKey(
    checks.filter(({ outcome }) => outcome === 'waived'),
    (check) => waiverSentence(check) ?? check.reason ?? 'no reason given',
  )
  return [...decisions].map(([sentence, such]) => {
    const link = such[0]?.waiver?.link
    const words = sentence.replace(/^waived /, '')
    const linked = link === undefined ? words : [words.slice(0, -link.length - 1), linkOf(link, link), ')']
    const of = checks.length === 1 ? '' : ['; of ', idsOf(such.map(({ id }) => id))]
    return { label: 'Waived', text: [linked, of] }
  })
}

/** The other findings of the cause in words, and the other callers. */
function otherRows(card: Card, rest: readonly Finding[], { also: most }: CardExtent, inFull: boolean): Row[] {
  const callers = callersOf(card.findings)
  return [
    ...waiverRows(card.findings.map(({ check }) => check)),
    ...firstOf(alsoRows(rest, card, inFull), most, (left) => ({
      label: 'Also',
      text: `${countOf(left, 'more finding')} in results.json`,
    })),
    ...(callers.length > 1 ? [{ label: 'Callers', text: namesOf(callers.map(codeOf)) }] : []),
  ]
}

/**
 * Findings in the same words share a row. It has the answer if that differs from the first finding of the card, and in
 * full each sentence that the card does not have yet.
 */
function alsoRows(rest: readonly Finding[], card: Card, inFull: boolean): Row[] {
  const [first] = card.findings
  const quoted = new Set([first.requirement.text])
  const named = ({ requirement: { section, level, text }, check }: Finding): Inline => {
    if (!inFull || quoted.has(text)) return idOf(check.id)
    quoted.add(text)
    return [idOf(check.id), ` (§${section}, ${level}: ${text})`]
  }
  const cameAt = ({ check }: Finding): string => gistOf(check.failure?.actual ?? '')
  const groups = byKey(rest, (each) => `${gistOf(each.check.failure?.message ?? '')}\n${cameAt(each)}`)
  return [...groups.values()].map((several) => {
    const [one] = several as [Finding]
    const { failure } = one.check
    const words =
      failure === undefined || cameAt(one) === cameAt(first) ? failure?.message : foundAndCame(failure)
    return { label: 'Also', text: [`${words ?? ''}: `, namesOf(several.map(named))] }
  })
}

/** The sentence of the contract, and its section. */
export function sentenceOf({ id, level, section, text }: Sentence): Node {
  if (level === 'advice') return { kind: 'quote', text, from: `Advice (§${section})` }
  const source = level === 'must (profile)' ? 'The profile' : 'The contract'
  // Results of another version may hold a requirement that this one does not know.
  const follows = (requirementOf(id as RequirementId) as Requirement | undefined)?.follows
  return { kind: 'quote', text, from: `${source} (§${section}, ${level})`, follows }
}

/** The exchange of the finding, those before it, and, for a rule about time, when each was sent. */
function* exchangeNodes(
  requirement: Pick<RequirementResult, 'kind'>,
  check: ReportedCheck,
  { earlier: most }: CheckExtent,
): Generator<Node> {
  const { evidence = [], failure } = check
  const asked = askedIn(check)
  if (asked === undefined) return
  const of = evidence.length
  if (isTimed(requirement)) yield { kind: 'picture', draw: () => timeline(evidence) }
  yield { kind: 'exchange', exchange: asked, marks: failure?.marks, of, shown: pageIn(check) }
  const before = evidence.slice(0, evidence.indexOf(asked))
  const near = most === 0 ? [] : before.slice(-most)
  if (near.length === 0) return
  const far = before.length - near.length
  yield {
    kind: 'fold',
    summary: `${countOf(near.length, 'exchange')} before it${far > 0 ? ` (${far} more in results.json)` : ''}`,
    blocks: near.map((exchange) => ({ kind: 'exchange', exchange, of })),
  }
}

/** Rules about the order and the time of requests. */
export function isTimed({ kind }: Pick<RequirementResult, 'kind'>): boolean {
  return kind === 'order' || kind === 'races'
}
