/** Paints a document as Markdown for GitHub and similar sites. Foreign text is escaped. */
import { answerHead, insteadOfCommand } from '../finding-text.ts'
import {
  cellOf,
  type Inline,
  type Item,
  inMedium,
  type Medium,
  type Node,
  type Row,
  type Section,
  type ShownExchange,
  type Table,
} from '../nodes.ts'
import { code, fenced, prose, proseWithin } from '../safe-text.ts'
import { outcomeWords, signed } from '../wording.ts'

/** The limit of GitHub for the summary of a step, in bytes. It does not show a longer one. */
export const stepSummaryLimit = 1024 * 1024

/** Reserved for the sentence about omitted parts. */
const reserve = 700

/** The document in pieces, at most this many bytes. Its last sentence counts what did not fit. */
export function* inMarkdown(nodes: Iterable<Node>, mostBytes = stepSummaryLimit): Generator<string> {
  let left = mostBytes - reserve
  const omitted = new Map<string, number>()
  for (const node of nodes) {
    const { of = 'parts', leaves = 0 } = node.kind === 'section' ? node : {}
    let begin = ''
    for (const { head = '', text, count } of node.kind === 'section'
      ? sectionPieces(node)
      : [pieceOf(node, 2)]) {
      begin += head
      if (text === '') continue
      const bytes = Buffer.byteLength(begin + text)
      if (bytes <= left - leaves * mostBytes) {
        yield begin + text
        left -= bytes
        begin = ''
      } else if (count > 0) omitted.set(of, (omitted.get(of) ?? 0) + count)
    }
  }
  if (omitted.size === 0) return
  const counts = [...omitted].map(([kind, count]) => `${count} ${kind}`).join(', ')
  yield `\n---\n\nLeft out, since this summary may have at most ${mostBytes} bytes: ${counts}. The file results.json holds all.\n`
}

type List = Extract<Node, { readonly kind: 'list' }>

interface Piece {
  /** The text above the first piece that fits. */
  readonly head?: string
  readonly text: string
  /** The number of things in it. */
  readonly count: number
}

const pieceOf = (node: Node, depth: number): Piece => ({
  text: painted(node, depth),
  count: (node.kind === 'section' ? node.count : undefined) ?? 1,
})

/** The blocks of a part: each item of a list, and each row of a table. */
function* sectionPieces(section: Section): Generator<Piece> {
  yield { head: headingOf(section, 2), text: '', count: 0 }
  for (const node of section.blocks)
    if (node.kind === 'list' || node.kind === 'table') yield* rowPieces(node)
    else yield pieceOf(node, 3)
}

/** The items of a list or the rows of a table, then the empty line. */
function* rowPieces(node: Table | List): Generator<Piece> {
  if (node.kind === 'list')
    for (const item of node.items) yield { text: itemLines(item), count: item.count ?? 1 }
  else {
    const { heads } = node
    const head = tableRow(heads.map(inlineText)) + tableRow(heads.map(() => '---'))
    yield { head, text: '', count: 0 }
    for (const row of node.rows)
      yield { text: tableRow(row.map((cell) => inlineText(cellOf(cell).text))), count: 1 }
  }
  yield { text: '\n', count: 0 }
}

function headingOf({ title, aside }: Section, depth: number): string {
  return `${'#'.repeat(depth)} ${inlineText(title)}${aside === undefined ? '' : ` (${prose(aside)})`}\n\n`
}

/** Nodes one below the other, each ending in an empty line. */
const stacked = (nodes: Iterable<Node>, depth: number): string =>
  [...nodes].map((node) => painted(node, depth)).join('')

function painted(node: Node, depth: number): string {
  switch (node.kind) {
    case 'section':
      return headingOf(node, depth) + stacked(node.blocks, depth + 1)
    case 'text':
      return `${inlineText(node.look === undefined ? node.text : { kind: 'look', look: node.look, text: node.text })}\n\n`
    case 'notice':
      return `> **${prose(node.title)}** ${inlineText(node.text)}\n\n`
    case 'conclusion':
      return `**${prose(node.grounds === undefined ? `${outcomeWords[node.look].sign} ${node.text}` : `${node.text}: ${node.grounds}`)}**\n\n`
    case 'facts':
      return `${node.rows.map(factLine).join('')}\n`
    case 'list':
    case 'table':
      return [...rowPieces(node)].map(({ head = '', text }) => head + text).join('')
    case 'fold':
      return foldOf(inlineText(node.summary), stacked(node.blocks, depth), node.open)
    case 'quote':
      return quoteOf(node.from, node.text, node.follows)
    case 'exchange':
      return exchangeOf(node)
    case 'code':
      return `${fenced(node.text)}\n\n`
    case 'command':
      return `${prose(node.label)}:\n\n${fenced(node.line, 'sh')}\n\n`
    case 'picture':
      return ''
    case 'entry':
      return `- ${signed(node.outcome)} ${code(node.id)}${node.share === undefined ? '' : ` (${node.share})`}\n`
  }
}

function quoteOf(from: string, text: string, follows: string | undefined): string {
  const more = follows === undefined ? '' : `\n>\n> It follows: ${proseWithin(follows)}`
  return `> ${prose(from)}: ${proseWithin(text)}${more}\n\n`
}

function factLine({ label, text }: Row): string {
  const of = typeof label === 'string' ? ':' : ''
  const shown = inlineText(text)
  return `- **${inlineText(label)}${of}**${shown === '' ? '' : ` ${shown}`}\n`
}

function itemLines({ label, text, below = [], blocks = [] }: Item): string {
  const before = label === undefined ? '' : `${inlineText(label)} `
  const lines = below.map((line) => `  - ${inlineText(line)}\n`).join('')
  const within = stacked(blocks, 4)
    .replace(/\n+$/, '\n')
    .replace(/^(?=.)/gm, '  ')
  return `- ${before}${inlineText(text)}\n${lines}${within.trim() === '' ? '' : within}`
}

/** A row of a table. A vertical bar would end the cell, also in code. */
export const tableRow = (cells: readonly string[]): string =>
  `| ${cells.map((cell) => cell.replace(/(?<!\\)\|/g, '\\|')).join(' | ')} |\n`

const foldOf = (summary: string, content: string, open = false): string =>
  `<details${open ? ' open' : ''}><summary>${summary}</summary>\n\n${content}</details>\n\n`

/** The request and its answer, folded, and the page that shows the effect, if any. */
function exchangeOf({ exchange, of, shown }: ShownExchange): string {
  const { request, response, curl } = exchange
  const body = shown === undefined ? (response?.body ?? '') : ''
  const later = shown?.later === undefined ? '' : `, ${shown.later}`
  const parts = [
    fenced(joined([lineOf(request), request.body])),
    fenced(joined([answerHead(exchange), body])),
    ...(shown === undefined
      ? []
      : [`Page${later}:`, fenced(joined([lineOf(shown.page.request), answerHead(shown.page)]))]),
    ...(insteadOfCommand('curl', curl) === undefined ? [fenced(curl, 'sh')] : []),
  ]
  const which = of === 1 ? '' : ` (one of ${of} exchanges)`
  return foldOf(`Request and answer${which}`, parts.map((part) => `${part}\n\n`).join(''))
}

const lineOf = ({ method, url }: ShownExchange['exchange']['request']): string => `${method} ${url}`

const joined = (parts: readonly string[]): string => parts.filter((part) => part !== '').join('\n\n')

const medium: Medium = {
  // A text that begins a line keeps the spaces at its end.
  text: (text, within) => (within ? proseWithin(text) : prose(text) + (/\s*$/.exec(text)?.[0] ?? '')),
  code,
  strong: (text) => `**${text}**`,
  lineBreak: '<br>',
}

/** Text on one line, whose beginning makes no list and no heading. */
const inlineText = (text: Inline): string => inMedium(medium, text).trim()
