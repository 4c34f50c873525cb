/** Paints a document as HTML, in pieces, so that the page is never whole in memory. */
import type { Outcome } from '../../specs/outcomes.ts'
import {
  type Cell,
  type Conclusion,
  cellOf,
  type Entry,
  type Fold,
  type Inline,
  type Item,
  type Look,
  type Node,
  type Phrase,
  type Row,
  type Section,
  type Table,
} from '../nodes.ts'
import { bounded } from '../safe-text.ts'
import { capitalised, outcomeWords } from '../wording.ts'
import { command, exchangeMarkup } from './exchange.ts'
import { anchorOf, constant, html, linkTo, type Markup } from './markup.ts'

/** Longer texts are cut. results.json has them whole. */
const longestText = 4000

/** The nodes in pieces. `depth`: the level of headings. */
export function* inHtml(nodes: Iterable<Node>, depth = 2): Generator<Markup> {
  for (const node of nodes) {
    if (node.kind === 'section') yield* section(node, depth)
    else if (node.kind === 'fold') yield* fold(node, depth)
    else if (node.kind === 'table') yield* table(node)
    else if (node.kind === 'list') yield* list(node.items, depth)
    else if (node.kind === 'entry') yield* entry(node, depth)
    else yield leaf(node)
  }
}

const all = (nodes: Iterable<Node>, depth: number): Markup => html`${[...inHtml(nodes, depth)]}`

function leaf(node: Exclude<Node, Section | Fold | Table | Entry | { kind: 'list' }>): Markup {
  switch (node.kind) {
    case 'text':
      return html`<p${attribute('class', node.look)}>${inline(node.text)}</p>\n`
    case 'notice':
      return html`<p class="notice ${node.look}"><strong>${node.title}</strong> ${inline(node.text)}</p>\n`
    case 'conclusion':
      return conclusion(node)
    case 'facts':
      return html`<dl class="${node.short === true ? 'short' : 'facts'}">${node.rows.map(fact)}</dl>\n`
    case 'quote':
      return html`<blockquote><p>${node.text}</p><p class="quiet">${node.from}</p>${
        node.follows === undefined ? undefined : html`<p class="quiet">It follows: ${node.follows}</p>`
      }</blockquote>\n`
    case 'exchange':
      return exchangeMarkup(node)
    case 'command':
      return command(node.label, node.line)
    case 'picture':
      return node.draw()
  }
}

function conclusion({ look, text, grounds }: Conclusion): Markup {
  return html`<div class="conclusion ${look}"><i aria-hidden="true">${outcomeWords[look].sign}</i><div><p>${text}</p>${
    grounds === undefined ? undefined : html`<p>${capitalised(grounds)}</p>`
  }</div></div>
`
}

function fact({ label, look, text }: Row): Markup {
  return html`<div><dt${attribute('class', look)}>${inline(label)}</dt><dd>${inline(text)}</dd></div>`
}

const attribute = (name: string, value: string | undefined): Markup | undefined =>
  value === undefined ? undefined : html` ${constant(name)}="${value}"`

function* section({ title, aside, id, look, framed, blocks }: Section, depth: number): Generator<Markup> {
  const level = constant(`h${depth}`)
  const beside = aside === undefined ? undefined : html` <small>${aside}</small>`
  const heading = (own: string | undefined): Markup =>
    html`<${level}${attribute('id', own)}>${inline(title)}${beside}</${level}>\n`
  if (framed === true) {
    yield html`<article class="finding ${look ?? ''}"${attribute('id', id)}>\n${heading(undefined)}`
    yield* inHtml(blocks, depth + 1)
    yield html`</article>\n`
    return
  }
  // Only the parts of a page are landmarks.
  yield html`<section${attribute('aria-labelledby', depth > 2 ? undefined : id)}>${heading(id)}`
  yield* inHtml(blocks, depth + 1)
  yield html`</section>\n`
}

function* fold({ summary, open, blocks }: Fold, depth: number): Generator<Markup> {
  yield html`<details${open === true ? html` open` : undefined}><summary>${inline(summary)}</summary>\n`
  yield* inHtml(blocks, depth)
  yield html`</details>\n`
}

function* list(items: Iterable<Item>, depth: number): Generator<Markup> {
  yield html`<ul>`
  for (const { label, look, text, below = [], blocks = [], id } of items)
    yield html`<li${attribute('id', id && anchorOf(id))}>${
      label === undefined ? undefined : html`<span class="o ${look ?? ''}">${inline(label)}</span> `
    }${inline(text)}${below.map((line) => html`<p class="quiet">${inline(line)}</p>`)}${all(blocks, depth)}</li>\n`
  yield html`</ul>\n`
}

/** A wide table. It can take the focus, so that a keyboard can scroll it. */
function* table({ label, heads, rows }: Table): Generator<Markup> {
  yield html`<div class="table" tabindex="0" role="group" aria-label="${label}"><table><thead><tr>${heads.map((head) => html`<th scope="col">${inline(head)}</th>`)}</tr></thead><tbody>\n`
  for (const [head = '', ...cells] of rows)
    yield html`<tr>${tableCell(head, 'th')}${cells.map((cell) => tableCell(cell, 'td'))}</tr>\n`
  yield html`</tbody></table></div>\n`
}

function tableCell(cell: Inline | Cell, tag: 'th' | 'td'): Markup {
  const { text, look } = cellOf(cell)
  return html`<${constant(tag === 'th' ? 'th scope="row"' : 'td')}${attribute('class', look)}>${inline(text)}</${constant(tag)}>`
}

/** The row of a requirement. The filter of the page reads its attributes. */
function* entry(
  { id, outcome, sentence, level, of, share, blocks }: Entry,
  depth: number,
): Generator<Markup> {
  yield html`<div class="req ${outcome}" data-outcome="${outcome}" data-level="${level}" data-operation="${of.operation}" data-kind="${of.kind}"><details><summary>${badge(outcome)}<${constant(`h${depth}`)}>${id}</${constant(`h${depth}`)}><small>${level}${share === undefined ? '' : `, ${share}`}</small><span>${sentence}</span></summary>
<div class="body" id="${anchorOf(id)}">
`
  yield* inHtml(blocks, depth + 1)
  yield html`</div></details><a class="permalink" href="${linkTo(id)}" aria-label="Link to ${id}">#</a></div>\n`
}

/** The outcome in colour, with its sign and its word. Screen readers read only the word. */
function badge(outcome: Outcome): Markup {
  const { sign, word } = outcomeWords[outcome]
  return html`<span class="o ${outcome}"><i aria-hidden="true">${sign}</i> ${word}</span>`
}

function inline(text: Inline): Markup {
  if (typeof text === 'string') return html`${bounded(text, longestText)}`
  return 'kind' in text ? phrase(text) : html`${text.map(inline)}`
}

function phrase(given: Phrase): Markup {
  switch (given.kind) {
    case 'look':
      return look(given.look, inline(given.text))
    case 'outcome':
      return badge(given.outcome)
    case 'code':
      return html`<code>${bounded(given.text, longestText)}</code>`
    case 'id':
      return html`<a href="${linkTo(given.id)}">${given.id}</a>`
    case 'link':
      return link(given.to, inline(given.text))
    case 'names':
      return names(given.names)
    case 'lines':
      return html`${given.lines.map((line, at) => html`${at === 0 ? undefined : html`<br>`}${inline(line)}`)}`
  }
}

function look(name: Look, text: Markup): Markup {
  if (name === 'strong') return html`<strong>${text}</strong>`
  return name === 'quiet' ? html`<small>${text}</small>` : html`<span class="o ${name}">${text}</span>`
}

/** Links out of the page may lead only to web pages or to files beside it. */
function link(to: string, text: Markup): Markup {
  return /^(?:https?:\/\/\S+|#.*|[\w.%/-]+)$/i.test(to)
    ? html`<a href="${to}"${attribute('rel', /^https?:/i.test(to) ? 'noopener noreferrer' : undefined)}>${text}</a>`
    : html`<code>${text}</code>`
}

/** This many names are visible, the others are folded. */
const mostOpen = 12

function names(several: readonly Inline[]): Markup {
  const listed = (some: readonly Inline[]): Markup =>
    html`${some.map((name, at) => html`${at === 0 ? '' : ', '}${inline(name)}`)}`
  if (several.length <= mostOpen) return listed(several)
  return html`<details><summary>${several.length} in all</summary>${listed(several)}</details>`
}
