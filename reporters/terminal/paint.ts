/** Paints a document for a terminal or a log, without folded parts and charts. */
import { caseWords } from '../case-words.ts'
import { answerHead, longestCommand, requestHead } from '../finding-text.ts'
import { byKey } from '../grouping.ts'
import {
  type Cell,
  type Entry,
  type Fold,
  type Inline,
  type Item,
  isCell,
  type Look,
  type Node,
  type Phrase,
  type Row,
  type Section,
  type ShownExchange,
  type Table,
} from '../nodes.ts'
import { names, signed } from '../wording.ts'
import { type Format, formatOf, type Page, Sheet } from './sheet.ts'

/** The whole text, ending in a line end. Nothing that a target sent can act on a terminal. */
export function onTerminal(nodes: Iterable<Node>, page: Page): string {
  const sheet = new Sheet(page)
  write(sheet, nodes, 0, page.width)
  return sheet.toString()
}

/** Indentation of nested parts. */
const step = 2

function write(sheet: Sheet, nodes: Iterable<Node>, indent: number, width: number): void {
  let before: Node['kind'] | undefined
  for (const node of nodes) {
    if (indent === 0 && !(node.kind === 'notice' && before === 'notice')) sheet.gap()
    before = node.kind
    writeNode(sheet, node, indent, width)
  }
}

function writeNode(sheet: Sheet, node: Node, indent: number, width: number): void {
  switch (node.kind) {
    case 'section':
      writeSection(sheet, node, indent, width)
      break
    case 'text':
      sheet.text(indent, plainText(node.text), formatFor(node.look))
      break
    case 'notice':
      sheet.text(indent, `${node.title} ${plainText(node.text)}`, formatFor(node.look))
      break
    case 'conclusion':
      sheet.text(
        indent,
        node.grounds === undefined ? node.text : `${node.text}: ${node.grounds}`,
        formatOf(node.look),
      )
      break
    case 'facts':
      writeFacts(sheet, node.rows, indent)
      break
    case 'list':
      for (const item of node.items) writeItem(sheet, item, indent, width)
      break
    case 'table':
      writeTable(sheet, node, indent, width)
      break
    case 'fold':
      writeFold(sheet, node, indent, width)
      break
    case 'quote':
      sheet.labelled(indent, { text: `${node.from}:`, format: 'dim' }, plainText(node.text))
      if (node.follows !== undefined)
        sheet.labelled(indent, { text: 'It follows:', format: 'dim' }, node.follows)
      break
    case 'exchange':
      writeExchange(sheet, node, indent)
      break
    case 'code':
      sheet.block(indent, node.text, mostBodyLines)
      break
    case 'command':
      sheet.labelled(indent, { text: `${node.label}:`, format: 'dim' }, '')
      writeCommand(sheet, node.label, node.line, indent + step)
      break
    case 'entry':
      writeEntry(sheet, node, indent)
      break
    case 'filter':
    case 'picture':
      break
  }
}

function writeSection(sheet: Sheet, section: Section, indent: number, width: number): void {
  const { title, aside, look, blocks, framed } = section
  const text = `${plainText(title)}${aside === undefined ? '' : ` (${aside})`}`
  sheet.title(indent, text, framed === true ? formatFor(look) : undefined)
  write(sheet, blocks, indent + step, width)
}

/** Labels of at most this length share a column. */
const longestLabel = 16

function writeFacts(sheet: Sheet, rows: readonly Row[], indent: number): void {
  const labels = rows.map(({ label }) => plainText(label))
  const column = Math.max(0, ...labels.map(({ length }) => length).filter((each) => each <= longestLabel))
  for (const [at, { look, text }] of rows.entries()) {
    const label = labels[at] as string
    const shown = typeof rows[at]?.label === 'string' ? `${label}:` : label
    sheet.labelled(
      indent,
      { text: shown.padEnd(column + shown.length - label.length), format: formatFor(look) ?? 'dim' },
      plainText(text),
    )
  }
}

function writeItem(sheet: Sheet, item: Item, indent: number, width: number): void {
  const { label, look, text, below = [], blocks = [] } = item
  if (label === undefined) sheet.text(indent, plainText(text), formatFor(look))
  else {
    const format = formatFor(look) ?? formatIn(label)
    sheet.labelled(indent, { text: plainText(label), ...(format && { format }) }, plainText(text))
  }
  for (const line of below) sheet.text(indent + 2 * step, plainText(line), 'dim')
  write(sheet, blocks, indent + 2 * step, width)
}

function writeEntry(sheet: Sheet, { id, outcome, share }: Entry, indent: number): void {
  const label = { text: signed(outcome).padEnd(longestLabel), format: formatOf(outcome) }
  sheet.labelled(indent, label, `${id}${share === undefined ? '' : ` (${share})`}`)
}

/** Folds show only their summary. */
function writeFold(sheet: Sheet, { summary, open, blocks }: Fold, indent: number, width: number): void {
  sheet.text(indent, plainText(summary), formatIn(summary))
  if (open === true) write(sheet, blocks, indent + 2 * step, width)
}

const gutter = 2
/** If the last column has less space than this, each row gets its own lines. */
const leastRoom = 16

/** Columns if they fit. Otherwise each row gets its own lines, and equal cells are grouped. */
function writeTable(sheet: Sheet, { heads, rows }: Table, indent: number, width: number): void {
  const shown = [...rows].map((row) => row.map((cell) => (isCell(cell) ? cell : { text: cell })))
  const texts = [heads.map(plainText), ...shown.map((row) => row.map(({ text }) => plainText(text)))]
  const widths = heads.map((_, at) => Math.max(...texts.map((row) => [...(row[at] ?? '')].length)))
  const last = widths.at(-1) ?? 0
  const before = indent + widths.slice(0, -1).reduce((sum, each) => sum + each + gutter, 0)
  if (width - before < Math.min(last, leastRoom)) {
    writeRecords(sheet, heads, shown, indent, width)
    return
  }
  const columns = (row: readonly (Cell & { format?: Format | undefined })[]) =>
    sheet.columns(
      indent,
      row.map(({ text, format }, at) => ({
        text: plainText(text),
        width: (widths[at] as number) + gutter,
        ...(format && { format }),
      })),
    )
  columns(heads.map((text) => ({ text, format: 'dim' })))
  for (const row of shown) columns(row.map((cell) => ({ ...cell, format: lookIn(cell) })))
}

function writeRecords(
  sheet: Sheet,
  heads: readonly Inline[],
  rows: readonly (readonly Cell[])[],
  indent: number,
  width: number,
): void {
  for (const [head, ...cells] of rows) {
    sheet.text(indent, plainText(head?.text ?? ''), head && lookIn(head))
    const columns = cells.map((cell, at) => ({ cell, head: plainText(heads[at + 1] ?? '') }))
    const groups = [...byKey(columns, ({ cell }) => plainText(cell.text))].filter(([text]) => text !== '')
    const records = groups.map(([text, several]) => ({
      label: `${several.map((each) => each.head).join(', ')}:`,
      text,
      format: lookIn((several[0] as (typeof several)[number]).cell),
    }))
    writeRecord(sheet, records, indent + 2 * step, width)
  }
}

/** On one line if it fits, otherwise each on its own. */
function writeRecord(
  sheet: Sheet,
  records: readonly { readonly label: string; readonly text: string; readonly format: Format | undefined }[],
  indent: number,
  width: number,
): void {
  const cells = records.map(({ label, text, format }) => {
    const whole = `${label} ${text}`
    return { text: whole, width: [...whole].length + gutter, ...(format && { format }) }
  })
  if (cells.reduce((sum, cell) => sum + cell.width, indent) <= width + gutter) {
    sheet.columns(indent, cells)
    return
  }
  for (const { label, text, format } of records)
    sheet.labelled(indent, { text: label, format: 'dim' }, text, format)
}

const mostBodyLines = 10
/** The curl line shows the form, too. */
const mostFormLines = 4
/** The labels of an exchange share the column of those of a finding. */
const labelWidth = 'Expected:'.length

function writeExchange(sheet: Sheet, { exchange, of, shown }: ShownExchange, indent: number): void {
  const line = (label: string, text: string) =>
    sheet.labelled(indent, { text: label.padEnd(labelWidth), format: 'dim' }, text)
  const { request, response, error, curl } = exchange
  line('Request:', requestHead(exchange, of))
  if (request.body !== '') sheet.block(indent + step, request.body, mostFormLines)
  line('Answer:', answerHead(response, error))
  if (shown === undefined) {
    if (response !== undefined && response.body !== '')
      sheet.block(indent + step, response.body, mostBodyLines)
  } else {
    const { page, later } = shown
    const when = later === undefined ? '' : `, ${later}`
    const { method, url } = page.request
    line('Page:', `${method} ${url}${when}: ${answerHead(page.response, page.error)}`)
  }
  writeCommand(sheet, 'curl', curl, indent)
}

function writeCommand(sheet: Sheet, name: string, command: string, indent: number): void {
  if (command.length <= longestCommand) sheet.command(indent, command)
  else sheet.text(indent, `(the ${name} line has ${command.length} characters; results.json holds it)`, 'dim')
}

function formatFor(look: Look | undefined): Format | undefined {
  if (look === undefined) return undefined
  return look === 'strong' ? 'bold' : look === 'quiet' ? 'dim' : formatOf(look)
}

/** The style of a whole text, or of one that begins with an outcome. */
function formatIn(text: Inline): Format | undefined {
  if (typeof text === 'string') return undefined
  if (!('kind' in text)) return text[0] === undefined ? undefined : formatIn(text[0])
  if (text.kind === 'outcome') return formatOf(text.outcome)
  return text.kind === 'look' ? formatFor(text.look) : undefined
}

const lookIn = ({ look, text }: Cell): Format | undefined => formatFor(look) ?? formatIn(text)

/** The text alone, as it came. */
function plainText(text: Inline): string {
  if (typeof text === 'string') return text
  return 'kind' in text ? plainPhrase(text) : text.map(plainText).join('')
}

function plainPhrase(phrase: Phrase): string {
  switch (phrase.kind) {
    case 'look':
    case 'link':
      return plainText(phrase.text)
    case 'outcome':
      return `${signed(phrase.outcome)}${phrase.more ?? ''}`
    case 'code':
      return phrase.text
    case 'id':
      return phrase.id
    case 'case':
      return caseWords(phrase.text)
    case 'names':
      return names(phrase.names.map(plainText), undefined, phrase.most)
    case 'lines':
      return phrase.lines.map(plainText).join('; ')
    case 'picture':
      return ''
  }
}
