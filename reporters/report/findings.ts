/** The cards of a report: what the target does wrong, what was sent, expected and answered, and how to repeat it. */
import type { Evidence } from '../../deployment/http/exchange.ts'
import { byKey } from '../../schemas/values.ts'
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
  caseWords,
  foundAndCame,
  foundWords,
  pageIn,
  sentWords,
  sightings,
  waiverSentence,
  waiverWords,
} from '../finding-text.ts'
import { gistOf } from '../grouping.ts'
import {
  codeOf,
  factsOf,
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

/** A page folds other findings and earlier exchanges. Text has no room for them, and has exchanges of failures only. */
export type Room = 'page' | 'text'

/** Other findings of a card that a page shows with their exchanges, and exchanges before the one of a finding. */
const mostOthers = 20
const mostEarlier = 4

type Sentence = Pick<Requirement, 'id' | 'level' | 'section' | 'text' | 'kind'>

const titles: readonly (readonly [Outcome, string, string])[] = [
  ['failed', 'Failures', 'failed checks'],
  ['waived', 'Waived: failed, but does not count', 'waived checks'],
  ['warned', 'Advice that is not kept', 'requirements that are warned'],
]

/** A part for each outcome with cards. */
export function findings(cards: readonly Card[], room: Room): Section[] {
  const anchors = cardAnchors(cards)
  return titles.flatMap(([outcome, title, of]) => {
    const such = cards.filter((card) => card.outcome === outcome)
    // Many failures must not displace the part about what was not judged and why.
    const place = outcome === 'failed' ? { id: 'found', leaves: 1 / 4 } : { id: `found-${outcome}` }
    const nodes = such.map((card) => cardNode(card, anchors.get(card.findings[0].check.id) ?? '', room))
    return such.length === 0 ? [] : [sectionOf(title, nodes, { of, ...place })]
  })
}

/** The anchors of cards, by the ids of their checks. */
export function cardAnchors(cards: readonly Card[]): Map<string, string> {
  return new Map(
    cards.flatMap(({ findings: several }, at) =>
      several.map(({ check }): [string, string] => [check.id, `finding-${at + 1}`]),
    ),
  )
}

/** The findings in short, each linked to its card. */
export function overview(cards: readonly Card[]): Node[] {
  if (cards.length < 2) return []
  const anchors = cardAnchors(cards)
  const items = cards.map((card): Item => {
    const [{ requirement, check }] = card.findings
    return {
      label: outcomeOf(card.outcome),
      text: linkOf(`#${anchors.get(check.id)}`, foundWords(check)),
      below: [`${whereOf(card)}: ${requirement.text}`, reachOf(card)],
    }
  })
  return [listOf(items)]
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

function cardNode(card: Card, id: string, room: Room): Section {
  const { outcome, findings: several } = card
  return sectionOf([outcomeOf(outcome), ' ', idOf(several[0].check.id)], cardBlocks(card, room), {
    framed: true,
    id,
    look: outcome,
    count: several.length,
    ...(several.length === 1 ? {} : { aside: sizeOf(card) }),
  })
}

function* cardBlocks(card: Card, room: Room): Generator<Node> {
  const { outcome, findings: several, blocked } = card
  const [{ requirement, check }, ...more] = several
  const others = room === 'page' ? more.slice(0, mostOthers) : []
  yield sentenceOf(requirement)
  yield factsOf([...whereRow(card), ...groundRows(check), ...otherRows(card, more.slice(others.length))])
  if (blocked.length > 0) {
    const text = `Because of this, ${countOf(blocked.length, 'requirement')} could not be judged:`
    yield listOf([{ text, look: 'inconclusive', below: [idsOf(blocked)] }])
  }
  if (room === 'page' || outcome === 'failed') yield* exchangeNodes(requirement, check, room)
  yield* againNodes(check)
  for (const other of others)
    yield {
      kind: 'fold',
      summary: ['Also: ', foundWords(other.check), ' ', codeOf(other.check.id)],
      blocks: otherNodes(other, room),
    }
}

function* otherNodes({ requirement, check }: Finding, room: Room): Generator<Node> {
  yield sentenceOf(requirement)
  yield* checkNodes(requirement, check, room)
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
  room: Room,
): Generator<Node> {
  const rows = [...groundRows(check), ...waiverRows([check])]
  if (rows.length > 0) yield factsOf(rows)
  yield* exchangeNodes(requirement, check, room)
  yield* againNodes(check)
}

/** Everything that is known of a check, as text for formats that know only tests. */
export function findingText(requirement: Sentence, check: ReportedCheck): string {
  const { failure, reason } = check
  const isOpen = failure === undefined && reason !== undefined
  return asText([
    sentenceOf(requirement),
    ...(isOpen ? [factsOf([{ label: 'Reason', text: reason }])] : []),
    ...checkNodes(requirement, check, 'text'),
  ])
}

/** How to repeat a finding. */
const againNodes = ({ failure }: ReportedCheck): Node[] =>
  failure === undefined ? [] : [{ kind: 'command', label: 'Again', line: failure.repeat }]

/** What was sent that matters, what was expected, and the answer. */
function groundRows(check: ReportedCheck): Row[] {
  const { failure } = check
  if (failure === undefined) return []
  const { message, expected, actual, counterexample = '', marks } = failure
  const [sent, seen] = [sentWords(check), sightings(failure)]
  // A case of one request that names the parameters at fault says no more than what was sent.
  const named = marks?.request?.some((name) => counterexample.includes(name)) ?? false
  const isSent = named && !counterexample.startsWith('[')
  return [
    { label: 'Found', look: 'strong', text: message },
    ...(sent === '' ? [] : [{ label: 'Sent', text: sent }]),
    ...(isSent || counterexample === '' ? [] : [{ label: 'Case', text: caseWords(counterexample) }]),
    { label: 'Expected', text: { kind: 'lines', lines: expected } },
    { label: 'Came', text: actual },
    ...(seen === undefined ? [] : [{ label: 'Seen', text: seen }]),
  ]
}

/** Why the failures do not count, who decided it, and until when. Each decision once. */
function waiverRows(checks: readonly ReportedCheck[]): Row[] {
  const decisions = byKey(
    checks.filter(({ outcome }) => outcome === 'waived'),
    (check) => waiverSentence(check) ?? check.reason ?? 'no reason given',
  )
  return [...decisions].map(([sentence, such]) => {
    const waiver = such[0]?.waiver
    const link = waiver?.link === undefined ? '' : [' (', linkOf(waiver.link, waiver.link), ')']
    const of = checks.length === 1 ? '' : ['; of ', idsOf(such.map(({ id }) => id))]
    return { label: 'Waived', text: [waiver === undefined ? sentence : waiverWords(waiver), link, of] }
  })
}

/** The other findings of the cause in words, and the other callers. */
function otherRows(card: Card, rest: readonly Finding[]): Row[] {
  const callers = callersOf(card.findings)
  return [
    ...waiverRows(card.findings.map(({ check }) => check)),
    ...alsoRows(rest, card),
    ...(callers.length > 1 ? [{ label: 'Callers', text: namesOf(callers.map(codeOf)) }] : []),
  ]
}

/**
 * Findings in the same words share a row. It has the answer if that differs from the first finding of the card, and each
 * sentence that the card does not have yet.
 */
function alsoRows(rest: readonly Finding[], card: Card): Row[] {
  const [first] = card.findings
  const quoted = new Set([first.requirement.text])
  const named = ({ requirement: { section, level, text }, check }: Finding): Inline => {
    if (quoted.has(text)) return idOf(check.id)
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
  { kind }: Pick<RequirementResult, 'kind'>,
  check: ReportedCheck,
  room: Room,
): Generator<Node> {
  const { evidence = [], failure } = check
  const asked = askedIn(check)
  if (asked === undefined) return
  const of = evidence.length
  if (kind === 'order' || kind === 'races') yield* inTime(evidence)
  yield { kind: 'exchange', exchange: asked, marks: failure?.marks, of, shown: pageIn(check) }
  const before = room === 'page' ? evidence.slice(0, evidence.indexOf(asked)) : []
  const near = before.slice(-mostEarlier)
  if (near.length === 0) return
  const far = before.length - near.length
  yield {
    kind: 'fold',
    summary: `${countOf(near.length, 'exchange')} before it${far > 0 ? ` (${far} more in results.json)` : ''}`,
    blocks: near.map((exchange) => ({ kind: 'exchange', exchange, of })),
  }
}

/** When each request was sent, for rules about the order and the time of requests. */
function inTime(evidence: readonly Evidence[]): Node[] {
  const timed = evidence
    .map((exchange) => ({ ...exchange, atMs: exchange.atMs ?? Number.NaN }))
    .filter(({ atMs }) => Number.isFinite(atMs))
    .sort((one, other) => one.atMs - other.atMs)
  const [first] = timed
  if (first === undefined || timed.length < 2) return []
  const after = (ms: number): string => `${Math.round(ms - first.atMs)} ms`
  const rows = timed.map(({ atMs, actor = '', operation, request, response, error, ...exchange }) => [
    after(atMs),
    response === undefined ? '' : `${Math.round(response.durationMs)} ms`,
    operation ?? `${request.method} page`,
    actor,
    response === undefined
      ? `no answer: ${error ?? 'none came'}`
      : `${operation === undefined && exchange.class === 'no-verdict' ? 'page' : exchange.class.replace('-', ' ')}, HTTP ${response.status}`,
  ])
  const ends = new Set(timed.flatMap(({ syncUntilMs }) => syncUntilMs ?? []))
  const heads = ['Sent after', 'Took', 'Request', 'Caller', 'Answer']
  return [
    { kind: 'table', label: 'Requests in time', heads, rows },
    ...[...ends].map((end) => textOf(`By its fixture, a sync runs at least until ${after(end)}.`, 'quiet')),
  ]
}
