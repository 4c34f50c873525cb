/** Paints a document as HTML, in pieces, so that the page is never whole in memory. */
import type { Evidence } from '../../deployment/http/exchange.ts'
import type { Failure } from '../../runner/check-result.ts'
import { jsonIn } from '../../schemas/values.ts'
import { safeText } from '../../schemas/wording.ts'
import type { Outcome } from '../../specs/outcomes.ts'
import { answerHead, fieldsIn, insteadOfCommand, senderWords } from '../finding-text.ts'
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
  type ShownExchange,
  type Table,
} from '../nodes.ts'
import { bounded } from '../safe-text.ts'
import { capitalised, countOf, outcomeWords } from '../wording.ts'
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

// Requests beside their answers, with the faulty parts marked.

/** Our evidence is cut when it is captured. Evidence of other programs is cut here. */
const longestBody = 4400

/** The exchange and its command. The page that shows the effect is folded, because the finding quotes what matters. */
function exchangeMarkup({ exchange, marks, shown }: ShownExchange): Markup {
  return html`${bothSides(exchange, marks)}${
    shown === undefined
      ? undefined
      : html`<details><summary>The page that shows the effect${shown.later === undefined ? '' : `, ${shown.later}`}</summary>
${bothSides(shown.page, marks)}</details>
`
  }${command('curl', exchange.curl)}`
}

function bothSides(exchange: Evidence, marks: Failure['marks'] = {}): Markup {
  const { request } = exchange
  return html`<div class="exchange"><div class="side"><p class="label">Request <small>${senderWords(exchange).join(', ')}</small></p>
<p class="line"><code>${request.method} ${bounded(request.url, longestBody)}</code></p>
${headers(request.headers)}${requestBody(request.body, marks.request ?? [])}</div>
<div class="side"><p class="label">Answer</p>
${answer(exchange, marks.response ?? [])}</div></div>
`
}

function requestBody(body: string, marked: readonly string[]): Markup {
  if (body === '') return html`<p class="line"><em>no body</em></p>`
  const shown = bounded(body, longestBody)
  return formMarkup(shown, marked) ?? html`<pre><code>${shown}</code></pre>`
}

function answer(exchange: Evidence, marked: readonly string[]): Markup {
  const { response } = exchange
  return html`<p class="line">${answerHead(exchange)}</p>
${response && html`${headers(response.headers)}${answerBody(response.body, marked)}`}`
}

function answerBody(body: string, marked: readonly string[]): Markup {
  const wrong =
    marked.length === 0
      ? undefined
      : html`<p class="line">Wrong: ${marked.map((path) => html`<mark>${path}</mark> `)}</p>`
  if (body === '') return html`${wrong}<p class="line"><em>empty</em></p>`
  const shown = bounded(laidOut(body), longestBody)
  return html`${wrong}<pre role="group" tabindex="0" aria-label="Body of the answer"><code>${shown}</code></pre>`
}

/** JSON on many lines, if that changes nothing but white space. */
function laidOut(body: string): string {
  const value = jsonIn(body)
  return JSON.stringify(value) === body ? JSON.stringify(value, null, 2) : body
}

function headers(values: Readonly<Record<string, string>>): Markup | undefined {
  const entries = Object.entries(values)
  if (entries.length === 0) return undefined
  return html`<details><summary>${countOf(entries.length, 'header')}</summary><dl class="form">${entries.map(
    ([name, value]) => html`<div><dt>${name}</dt><dd><code>${bounded(value, longestBody)}</code></dd></div>`,
  )}</dl></details>
`
}

/** The command on one line, with a copy button. Without scripts it can be selected. */
function command(name: string, line: string): Markup {
  if (line === '') return html``
  const instead = insteadOfCommand(name, line)
  if (instead !== undefined) return html`<p class="line"><small>${instead}</small></p>`
  // Always one line: pasting a line end would run the part before it.
  return html`<div class="command"><span class="label">${name}</span><code tabindex="0" role="group" aria-label="The ${name} line">${safeText(line)}</code><button type="button" class="copy" aria-label="Copy the line ${name}">Copy</button></div>`
}

const longestValue = 2000

/** Texts of at least this length show their number of characters, since limits count characters. */
const longValue = 40

/** The fields, with those marked that were not sent. Undefined if the body is no form. */
function formMarkup(body: string, marked: readonly string[]): Markup | undefined {
  if (!/^[^\s=&]+=[^\s]*/.test(body)) return undefined
  const fields = fieldsIn(body)
  const sent = new Set(fields.map(([name]) => name))
  return html`<dl class="form">${fields.map(([name, value]) => field(name, value, marked))}${marked
    .filter((name) => !sent.has(name))
    .map((name) => html`<div><dt><mark>${name}</mark></dt><dd><em>not sent</em></dd></div>`)}</dl>`
}

function field(name: string, value: string, marked: readonly string[]): Markup {
  const characters = [...value].length
  const shown = value === '' ? html`<em>empty</em>` : html`<code>${bounded(value, longestValue)}</code>`
  const length = characters < longValue ? undefined : html` <small>${characters} characters</small>`
  return marked.includes(name)
    ? html`<div><dt><mark>${name}</mark></dt><dd><mark>${shown}</mark>${length}</dd></div>`
    : html`<div><dt>${name}</dt><dd>${shown}${length}</dd></div>`
}
