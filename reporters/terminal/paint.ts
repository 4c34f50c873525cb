/** Paints a document for a terminal or a log, without folded parts. */
import { answerHead, insteadOfCommand, requestHead } from '../finding-text.ts'
import {
  type Cell,
  cellOf,
  type Inline,
  type Item,
  inMedium,
  type Medium,
  type Node,
  type Row,
  type ShownExchange,
  type Table,
} from '../nodes.ts'
import { signed } from '../wording.ts'
import { type Format, formatOf, type Label, lengthOf, type Page, plain, Sheet } from './sheet.ts'

/** The whole text, ending in a line end. Nothing that a target sent can act on a terminal. */
export function onTerminal(nodes: Iterable<Node>, page: Page): string {
  const sheet = new Sheet(page)
  write(sheet, nodes, 0)
  return sheet.toString()
}

/** The text alone, in lines as long as they are, for formats that show text. */
export const asText = (nodes: Iterable<Node>): string =>
  onTerminal(nodes, { width: Number.POSITIVE_INFINITY, paint: plain }).trimEnd()

/** Indentation of nested parts. */
const step = 2

function write(sheet: Sheet, nodes: Iterable<Node>, indent: number): void {
  let before: Node['kind'] | undefined
  for (const node of nodes) {
    if (indent === 0 && !(node.kind === 'notice' && before === 'notice')) sheet.gap()
    before = node.kind
    writeNode(sheet, node, indent)
  }
}

function writeNode(sheet: Sheet, node: Node, indent: number): void {
  const labelled = (label: string, text: string) =>
    sheet.labelled(indent, { text: `${label}:`, format: 'dim' }, text)
  switch (node.kind) {
    case 'section': {
      const text = `${plainText(node.title)}${node.aside === undefined ? '' : ` (${node.aside})`}`
      sheet.title(indent, text, node.framed === true ? formatOf(node.look) : undefined)
      write(sheet, node.blocks, indent + step)
      break
    }
    case 'text':
      sheet.text(indent, plainText(node.text), formatOf(node.look))
      break
    case 'notice':
      sheet.text(indent, `${node.title} ${plainText(node.text)}`, formatOf(node.look))
      break
    case 'conclusion': {
      const grounds = node.grounds === undefined ? '' : `: ${node.grounds}`
      sheet.text(indent, node.text + grounds, formatOf(node.look))
      break
    }
    case 'facts':
      writeFacts(sheet, node.rows, indent)
      break
    case 'list':
      for (const item of node.items) writeItem(sheet, item, indent)
      break
    case 'table':
      writeTable(sheet, node, indent)
      break
    case 'fold':
      sheet.text(indent, plainText(node.summary), formatIn(node.summary))
      write(sheet, node.open === true ? node.blocks : [], indent + 2 * step)
      break
    case 'quote':
      labelled(node.from, node.text)
      if (node.follows !== undefined) labelled('It follows', node.follows)
      break
    case 'exchange':
      writeExchange(sheet, node, indent)
      break
    case 'command':
      labelled(node.label, '')
      writeCommand(sheet, node.label, node.line, indent + step)
      break
    case 'picture':
      break
    case 'entry': {
      const { id, outcome, share } = node
      const label = { text: signed(outcome).padEnd(longestLabel), format: formatOf(outcome) }
      sheet.labelled(indent, label, `${id}${share === undefined ? '' : ` (${share})`}`)
      break
    }
  }
}

/** Labels of at most this length share a column. */
const longestLabel = 16

function writeFacts(sheet: Sheet, rows: readonly Row[], indent: number): void {
  const labels = rows.map(({ label }) => plainText(label))
  const column = Math.max(0, ...labels.map(({ length }) => length).filter((each) => each <= longestLabel))
  for (const [at, { label, look, text }] of rows.entries()) {
    const colon = typeof label === 'string' ? ':' : ''
    const shown = `${labels[at]}${colon}`.padEnd(column + colon.length)
    sheet.labelled(indent, { text: shown, format: formatOf(look) ?? 'dim' }, plainText(text))
  }
}

function writeItem(sheet: Sheet, { label, look, text, below = [], blocks = [] }: Item, indent: number): void {
  if (label === undefined) sheet.text(indent, plainText(text), formatOf(look))
  else sheet.labelled(indent, labelOf({ text: label, look }), plainText(text))
  for (const line of below) sheet.text(indent + 2 * step, plainText(line), 'dim')
  write(sheet, blocks, indent + 2 * step)
}

const gutter = 2
/** If the last column has less space than this, which would split ids and times from the comma after them, each row gets its own lines. */
const leastRoom = 25

/** Columns if they fit. Otherwise each row gets its own lines. */
function writeTable(sheet: Sheet, { heads, rows }: Table, indent: number): void {
  const titles = heads.map((text): Label => ({ text: plainText(text), format: 'dim' }))
  const shown = [...rows].map((row) => row.map((cell) => labelOf(cellOf(cell))))
  const lines = [titles, ...shown]
  const widths = titles.map((_, at) => Math.max(...lines.map((line) => lengthOf(line[at]?.text ?? ''))))
  const before = indent + widths.slice(0, -1).reduce((sum, each) => sum + each + gutter, 0)
  if (sheet.width - before < Math.min(widths.at(-1) ?? 0, leastRoom)) {
    for (const line of shown) writeRecord(sheet, titles, line, indent)
    return
  }
  for (const line of lines)
    sheet.columns(
      indent,
      line.map((label, at) => ({ ...label, width: (widths[at] as number) + gutter })),
    )
}

/** The first cell, and below it the others with their heads. */
function writeRecord(
  sheet: Sheet,
  titles: readonly Label[],
  [first, ...cells]: readonly Label[],
  indent: number,
): void {
  sheet.text(indent, first?.text ?? '', first?.format)
  for (const [at, { text, format }] of cells.entries()) {
    const title = { text: `${titles[at + 1]?.text ?? ''}:`, format: 'dim' } as const
    if (text !== '') sheet.labelled(indent + 2 * step, title, text, format)
  }
}

const mostBodyLines = 10
/** The curl line shows the form, too. */
const mostFormLines = 4
/** The labels of an exchange share the column of those of a finding. */
const labelWidth = 'Expected:'.length

function writeExchange(sheet: Sheet, { exchange, of, shown }: ShownExchange, indent: number): void {
  const line = (label: string, text: string) =>
    sheet.labelled(indent, { text: label.padEnd(labelWidth), format: 'dim' }, text)
  const { request, response, curl } = exchange
  line('Request:', requestHead(exchange, of))
  if (request.body !== '') sheet.block(indent + step, request.body, mostFormLines)
  line('Answer:', answerHead(exchange))
  if (shown === undefined) {
    if (response !== undefined && response.body !== '')
      sheet.block(indent + step, response.body, mostBodyLines)
  } else {
    const { page, later } = shown
    const { method, url } = page.request
    line('Page:', `${method} ${url}${later === undefined ? '' : `, ${later}`}: ${answerHead(page)}`)
  }
  writeCommand(sheet, 'curl', curl, indent)
}

function writeCommand(sheet: Sheet, name: string, command: string, indent: number): void {
  const instead = insteadOfCommand(name, command)
  if (instead === undefined) sheet.command(indent, command)
  else sheet.text(indent, instead, 'dim')
}

const labelOf = ({ text, look }: Cell): Label => ({
  text: plainText(text),
  format: formatOf(look) ?? formatIn(text),
})

/** The style of a whole text, or of one that begins with an outcome. */
function formatIn(text: Inline): Format | undefined {
  if (typeof text === 'string') return undefined
  if (!('kind' in text)) return text[0] === undefined ? undefined : formatIn(text[0])
  if (text.kind === 'outcome') return formatOf(text.outcome)
  return text.kind === 'look' ? formatOf(text.look) : undefined
}

const asItCame = (text: string): string => text

const medium: Medium = { text: asItCame, code: asItCame, strong: asItCame, lineBreak: '; ' }

/** The text alone, as it came. */
const plainText = (text: Inline): string => inMedium(medium, text)
