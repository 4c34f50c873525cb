/** The cards of a report: what the target does wrong, what was sent, expected and answered, and how to repeat it. */
import type { Outcome } from '../../specs/outcomes.ts'
import { type Requirement, requirementOf } from '../../specs/requirements.ts'
import { alsoWords, askedIn, inTheirWords, pageIn, sentWords, sizeOf, whereOf } from '../card-words.ts'
import { affected, type Card, callersOf, type Finding, operationsOf } from '../cards.ts'
import { sightings, waiverSentence } from '../finding-text.ts'
import { byKey } from '../grouping.ts'
import { timeline } from '../html/charts.ts'
import {
  codeOf,
  firstOf,
  type Inline,
  type Item,
  idOf,
  idsOf,
  type Node,
  namesOf,
  outcomeOf,
  type Row,
  type Section,
  textOf,
} from '../nodes.ts'
import type { ReportedCheck, RequirementResult } from '../results.ts'
import { countOf } from '../wording.ts'

/** How many entries of cards a report shows. */
export interface CardExtent {
  /** Cards of an outcome. results.json has the others. */
  readonly cards: number
  /** Cards with all details. */
  readonly inFull: number
  /** Outcomes whose cards have their exchanges. */
  readonly withExchanges: readonly Outcome[]
  /** Other findings of a card, with their exchanges or in words. */
  readonly othersInFull: number
  readonly also: number
  /** Exchanges before the one of the finding. */
  readonly earlier: number
  /** The full smallest case, beside the request. */
  readonly cases: boolean
}

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
    if (wanted.length > 0 && !wanted.includes(outcome)) return []
    const such = cards.filter((card) => card.outcome === outcome)
    return such.length === 0
      ? []
      : [
          {
            kind: 'section',
            title,
            id: outcome === 'failed' ? 'found' : `found-${outcome}`,
            of,
            // Many failures must not displace the part about what was not judged and why.
            ...(outcome === 'failed' ? { leaves: 1 / 4 } : {}),
            blocks: cardNodes(such, cards, extent),
          },
        ]
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
    const { outcome, findings: several } = card
    const [{ requirement, check }] = several
    const text = { kind: 'link', to: `#${anchorAt(at)}`, text: foundWords(check) } as const
    return {
      label: outcomeOf(outcome),
      text,
      below: [`${whereOf(card)}: ${requirement.text}`, reachOf(card)],
    }
  })
  return [
    {
      kind: 'list',
      items: firstOf(items, most, (left) => ({ text: `and ${left} more, which follow below` })),
    },
  ]
}

/** The broken requirements, and the number of others that could not be judged because of it. */
function reachOf(card: Card): Inline {
  const ids = affected(card)
  const more = card.blocked.length === 0 ? '' : `; ${card.blocked.length} more could not be judged`
  return [`${countOf(ids.length, 'requirement')}: `, idsOf(ids), more]
}

function cardNode(card: Card, id: string, extent: CardExtent, inFull: boolean): Section {
  const { outcome, findings: several } = card
  const [{ requirement, check }] = several
  return {
    kind: 'section',
    framed: true,
    id,
    look: outcome,
    title: [outcomeOf(outcome), ' ', idOf(check.id)],
    ...(several.length === 1 ? {} : { aside: sizeOf(card) }),
    count: several.length,
    blocks: cardBlocks(card, requirement, check, extent, inFull && extent.withExchanges.includes(outcome)),
  }
}

function* cardBlocks(
  card: Card,
  requirement: RequirementResult,
  check: ReportedCheck,
  extent: CardExtent,
  inFull: boolean,
): Generator<Node> {
  const { findings: several, blocked } = card
  if (inFull) yield sentenceOf(requirement)
  const others = several.slice(1, 1 + (inFull ? extent.othersInFull : 0))
  const rest = several.slice(1 + others.length)
  yield {
    kind: 'facts',
    rows: [...whereRow(card), ...groundRows(check, extent, inFull), ...otherRows(card, rest, extent)],
  }
  if (blocked.length > 0) {
    const count = countOf(blocked.length, 'requirement')
    yield {
      kind: 'list',
      items: [
        {
          text: `Because of this, ${count} could not be judged:`,
          look: 'inconclusive',
          below: [idsOf(blocked)],
        },
      ],
    }
  }
  if (inFull) yield* exchangeNodes(requirement, check, extent)
  if (check.failure !== undefined && (inFull || check.outcome === 'failed'))
    yield { kind: 'command', label: 'Again', line: check.failure.repeat }
  for (const other of others)
    yield {
      kind: 'fold',
      summary: ['Also: ', foundWords(other.check), ' ', codeOf(other.check.id)],
      blocks: checkNodes(other.requirement, other.check, extent),
    }
}

/** The operations, if the id of the requirement does not name them. */
function whereRow(card: Card): Row[] {
  const [{ requirement }] = card.findings
  const operations = operationsOf(card.findings)
  return operations.length === 1 && operations[0] === requirement.operation
    ? []
    : [{ label: 'Where', text: whereOf(card) }]
}

/** The finding as a title. */
export function foundWords({ failure, reason }: ReportedCheck): string {
  return failure?.message ?? reason ?? 'no reason given'
}

/** All details of a check: the finding, its exchanges, and how to repeat it. */
export function* checkNodes(
  requirement: RequirementResult,
  check: ReportedCheck,
  extent: CardExtent,
): Generator<Node> {
  const rows = [...groundRows(check, extent, true), ...waiverRows([check])]
  if (rows.length > 0) yield { kind: 'facts', rows }
  yield* exchangeNodes(requirement, check, extent)
  if (check.failure !== undefined) yield { kind: 'command', label: 'Again', line: check.failure.repeat }
}

/** What was sent that matters, what was expected, and the answer. */
function groundRows(check: ReportedCheck, { cases }: CardExtent, inFull: boolean): Row[] {
  const { failure } = check
  if (failure === undefined) return []
  const { message, expected, actual, counterexample, marks, seed, path } = failure
  const seen = sightings(failure)
  const place = seed === undefined ? undefined : `seed ${seed}${path === undefined ? '' : `, case ${path}`}`
  const shownCase = {
    kind: 'case',
    text: counterexample ?? '',
    marked: marks?.request ?? [],
    ...(place && { place }),
  } as const
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
    const ids = such.map(({ id }) => id)
    const link = such[0]?.waiver?.link
    const words = sentence.replace(/^waived /, '')
    const linked: Inline =
      link === undefined
        ? words
        : [words.slice(0, -link.length - 1), { kind: 'link', to: link, text: link }, ')']
    return { label: 'Waived', text: checks.length === 1 ? linked : [linked, '; of ', idsOf(ids)] }
  })
}

/** The other findings of the cause in words, and the other callers. */
function otherRows(card: Card, rest: readonly Finding[], { also: most }: CardExtent): Row[] {
  const rows = inTheirWords(rest, card).map(
    (also): Row => ({
      label: 'Also',
      text: [`${alsoWords(also)}: `, idsOf(also.checks.map(({ id }) => id))],
    }),
  )
  const callers = callersOf(card.findings)
  return [
    ...waiverRows(card.findings.map(({ check }) => check)),
    ...firstOf(rows, most, (left) => ({
      label: 'Also',
      text: `${countOf(left, 'more finding')} in results.json`,
    })),
    ...(callers.length > 1 ? [{ label: 'Callers', text: namesOf(callers.map(codeOf)) }] : []),
  ]
}

/** The sentence of the contract, and its section. */
export function sentenceOf({ id, level, section, text }: RequirementResult): Node {
  const source = level === 'advice' ? 'Advice' : level === 'must (profile)' ? 'The profile' : 'The contract'
  // Results of another version may hold a requirement that this one does not know.
  const follows = (requirementOf(id) as Requirement | undefined)?.follows
  return {
    kind: 'quote',
    text,
    from: level === 'advice' ? `Advice (§${section})` : `${source} (§${section}, ${level})`,
    follows: level === 'advice' ? undefined : follows,
  }
}

/** The exchange of the finding, those before it, and, for a rule about time, when each was sent. */
function* exchangeNodes(
  requirement: RequirementResult,
  check: ReportedCheck,
  { earlier: most }: CardExtent,
): Generator<Node> {
  const { evidence = [], failure } = check
  const asked = askedIn(check)
  if (asked === undefined) return
  if (isTimed(requirement)) yield { kind: 'picture', draw: () => timeline(evidence) }
  yield {
    kind: 'exchange',
    exchange: asked,
    marks: failure?.marks,
    of: evidence.length,
    shown: pageIn(check),
  }
  const before = evidence.slice(0, evidence.indexOf(asked))
  const near = most === 0 ? [] : before.slice(-most)
  if (near.length === 0) return
  const far = before.length - near.length
  yield {
    kind: 'fold',
    summary: `${countOf(near.length, 'exchange')} before it${far > 0 ? ` (${far} more in results.json)` : ''}`,
    blocks: near.map((exchange) => ({ kind: 'exchange', exchange, of: evidence.length })),
  }
}

/** Rules about the order and the time of requests. */
export function isTimed({ kind }: RequirementResult): boolean {
  return kind === 'order' || kind === 'races'
}
