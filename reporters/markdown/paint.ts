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
    let heading = node.kind === 'section' ? headingOf(node, 2) : ''
    for (const { text, count } of piecesOf(node)) {
      const bytes = Buffer.byteLength(heading + text)
      if (bytes > left - leaves * mostBytes) omitted.set(of, (omitted.get(of) ?? 0) + count)
      else {
        yield heading + text
        left -= bytes
        heading = ''
      }
    }
  }
  const counts = [...omitted].map(([kind, count]) => `${count} ${kind}`).join(', ')
  if (counts !== '')
    yield `\n---\n\nLeft out, since this summary may have at most ${mostBytes} bytes: ${counts}. The file results.json holds all.\n`
}

/** The blocks of a part, and each item of a list for itself, with the number of things in them. */
function* piecesOf(node: Node): Generator<{ readonly text: string; readonly count: number }> {
  const [blocks, depth] = node.kind === 'section' ? [node.blocks, 3] : [[node], 2]
  for (const block of blocks) {
    if (block.kind === 'list') {
      const items = [...block.items]
      for (const [at, item] of items.entries())
        yield { text: itemLines(item) + (at < items.length - 1 ? '' : '\n'), count: item.count ?? 1 }
    } else {
      const count = block.kind === 'section' ? block.count : undefined
      yield { text: painted(block, depth), count: count ?? 1 }
    }
  }
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
      return `${[...node.items].map(itemLines).join('')}\n`
    case 'table':
      return tableOf(node)
    case 'fold':
      return foldOf(inlineText(node.summary), stacked(node.blocks, depth), node.open)
    case 'quote':
      return quoteOf(node.from, node.text, node.follows)
    case 'exchange':
      return exchangeOf(node)
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

function tableOf({ heads, rows }: Table): string {
  const shown = [...rows].map((row) => row.map((cell) => inlineText(cellOf(cell).text)))
  return `${[heads.map(inlineText), heads.map(() => '---'), ...shown].map(tableRow).join('')}\n`
}

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
