/** The cards of the page: what the target does wrong, first as a list, then each with its evidence. */
import { alsoWords, inTheirWords, sizeOf, whereOf } from '../card-words.ts'
import { affected, type Card, callersOf } from '../cards.ts'
import { countOf } from '../wording.ts'
import { answerRows, findingBody, foundWords } from './finding.ts'
import { bounded, html, idLink, links, listed, type Markup, outcomeBadge } from './markup.ts'
import { sentence } from './requirements.ts'

/** However many causes there are, the page stays small enough to open. */
const mostListed = 40
const mostInFull = 60
const mostCards = 500
/** Of the other findings of a card. */
const mostOthersInFull = 3
const mostAlso = 20

const mostIds = 8
const mostLinks = 100
const longestMessage = 300

const anchorAt = (at: number): string => `finding-${at + 1}`

/** The anchors of cards, by the ids of the checks that they hold. */
export function cardAnchors(cards: readonly Card[]): Map<string, string> {
  return new Map(
    cards
      .slice(0, mostCards)
      .flatMap(({ findings }, at) => findings.map(({ check }): [string, string] => [check.id, anchorAt(at)])),
  )
}

/** The list and the cards, piece by piece; nothing where nothing was found. */
export function* cardSection(cards: readonly Card[]): Generator<Markup> {
  if (cards.length === 0) return
  const unlisted = cards.length - mostListed
  yield html`<section aria-labelledby="found"><h2 id="found">What was found</h2>
${cards.length === 1 ? undefined : html`<ol class="found">${cards.slice(0, mostListed).map(listEntry)}</ol>`}
${unlisted > 0 ? html`<p class="lead">And ${unlisted} more, which follow below.</p>` : undefined}
`
  for (const [at, card] of cards.slice(0, mostCards).entries()) yield cardMarkup(card, at)
  const left = cards.length - mostCards
  if (left > 0)
    yield html`<p class="lead">And ${countOf(left, 'more card')}: results.json holds their findings.</p>\n`
  yield html`</section>\n`
}

function listEntry(card: Card, at: number): Markup {
  const [{ requirement, check }] = card.findings
  const { failure } = check
  return html`<li>${outcomeBadge(card.outcome)}
<div><p class="sentence"><a href="#${anchorAt(at)}">${whereOf(card)}: ${requirement.text}</a> <small>§${requirement.section}</small></p>
<p>${bounded(foundWords(check), longestMessage)}</p>
${failure === undefined ? undefined : html`<dl class="grounds">${answerRows(check, failure, longestMessage)}</dl>`}
<p class="where">${countOf(affected(card).length, 'requirement')}: ${links(affected(card), mostIds)}${
    card.blocked.length === 0 ? '' : `; ${card.blocked.length} more could not be judged`
  }</p></div></li>
`
}

function cardMarkup(card: Card, at: number): Markup {
  const { outcome, findings, blocked } = card
  const [{ requirement, check }] = findings
  const callers = callersOf(findings)
  return html`<article class="finding ${outcome}" id="${anchorAt(at)}">
<h3>${outcomeBadge(outcome)} ${foundWords(check)}</h3>
<p class="which">${whereOf(card)}, ${idLink(check.id)}${findings.length === 1 ? '' : `, ${sizeOf(card)}`}</p>
${sentence(requirement)}
${at < mostInFull ? findingBody(requirement, check) : undefined}
${otherFindings(card, at < mostInFull)}${
  callers.length > 1 ? html`<p class="where">Callers: ${listed(callers)}</p>` : undefined
}${
  blocked.length === 0
    ? undefined
    : html`<p class="where">Because of this, ${countOf(blocked.length, 'requirement')} could not be judged: ${links(blocked, mostLinks)}</p>`
}</article>
`
}

/** What else shows the cause: the first with their evidence, folded, and the rest in words. */
function otherFindings(card: Card, inFull: boolean): Markup | undefined {
  const { findings } = card
  if (findings.length === 1) return undefined
  const shown = inFull ? findings.slice(1, 1 + mostOthersInFull) : []
  const also = inTheirWords(findings.slice(1 + shown.length), card)
  const left = also.length - mostAlso
  return html`<h4>Also found</h4>
${shown.map(
  ({
    requirement,
    check,
  }) => html`<details class="earlier"><summary>${foundWords(check)} <code>${check.id}</code></summary>
${findingBody(requirement, check)}</details>
`,
)}<ul class="also">${also.slice(0, mostAlso).map(
    (each) =>
      html`<li>${bounded(alsoWords(each), longestMessage)} <small>${links(
        each.checks.map(({ id }) => id),
        mostIds,
      )}</small></li>`,
  )}${left > 0 ? html`<li>and ${countOf(left, 'more finding')} in results.json</li>` : undefined}</ul>
`
}
