/** The text of a report for a terminal, and its styles. Every text is made safe when it is added, so that no part can forget to. */
import { styleText } from 'node:util'
import { safeText } from '../../schemas/wording.ts'
import type { Look } from '../nodes.ts'
import { safeLines } from '../safe-text.ts'
import { countOf } from '../wording.ts'

export type Format = 'bold' | 'dim' | 'red' | 'green' | 'yellow' | 'cyan' | 'magenta'

/** Styles the text, or returns it unchanged. */
export type Paint = (format: Format, text: string) => string

/** Properties of a stream that reports are written to. */
export interface Stream {
  readonly isTTY?: boolean
  readonly columns?: number
}

export const plain: Paint = (_format, text) => text

const inColour: Paint = (format, text) => styleText(format, text, { validateStream: false })

/** Colours on a terminal that is not dumb, unless NO_COLOR is set. FORCE_COLOR overrides both (0 or false: none). */
export function paintFor({ isTTY }: Stream, environment: NodeJS.ProcessEnv): Paint {
  const { FORCE_COLOR: forced, NO_COLOR: unwanted, TERM: term } = environment
  if (forced !== undefined) return forced === '0' || forced === 'false' ? plain : inColour
  return isTTY === true && !unwanted && term !== 'dumb' ? inColour : plain
}

const usualWidth = 100
const leastWidth = 40

/** The maximum of characters in a line: the columns of a terminal, at least 40, and 100 elsewhere. */
export function widthOf({ isTTY, columns }: Stream): number {
  return Math.max(leastWidth, isTTY === true && columns ? columns : usualWidth)
}

/** The medium of a report. */
export interface Page {
  /** Characters in a line. Commands may be longer. */
  readonly width: number
  readonly paint: Paint
}

/** The medium for a stream. */
export function pageFor(stream: Stream, environment: NodeJS.ProcessEnv): Page {
  return { width: widthOf(stream), paint: paintFor(stream, environment) }
}

const formats: Readonly<Record<Look, Format>> = {
  passed: 'green',
  failed: 'red',
  warned: 'yellow',
  inconclusive: 'magenta',
  'not-tested': 'cyan',
  'not-applicable': 'dim',
  waived: 'yellow',
  strong: 'bold',
  quiet: 'dim',
}

/** How a terminal shows a style. */
export const formatOf = (look: Look | undefined): Format | undefined => look && formats[look]

/** A text of one format. */
export interface Label {
  readonly text: string
  readonly format?: Format | undefined
}

/** If a label leaves less space than this, its text goes below it. */
const leastRoom = 24

/** The maximum of its own indentation that a line of a block keeps, so that a target cannot push text out of sight. */
const deepestIndent = 16

export class Sheet {
  /** Characters in a line. */
  readonly width: number
  readonly #paint: Paint
  readonly #lines: string[] = []
  /** Whether the last line is a title. */
  #titled = false

  constructor({ width, paint }: Page) {
    this.width = width
    this.#paint = paint
  }

  /** An empty line, unless there is one already, or a title is above. */
  gap(): void {
    if (this.#lines.length > 0 && this.#lines.at(-1) !== '' && !this.#titled) this.#lines.push('')
  }

  /** The title of what follows, with a gap above it. */
  title(indent: number, text: string, format: Format = 'bold'): void {
    this.gap()
    this.text(indent, text, format)
    this.#titled = true
  }

  /** A paragraph. */
  text(indent: number, text: string, format?: Format): void {
    this.#addAll(indent, wrap(safeText(text), this.width - indent), format)
  }

  /** A label and its text, which continues in the same column, or is below the label if there is no room. */
  labelled(indent: number, label: Label, text: string, format?: Format): void {
    const name = safeText(label.text)
    const safe = safeText(text)
    const column = indent + lengthOf(name) + 1
    const room = this.width - column
    if (room < leastRoom && lengthOf(safe) > room) {
      this.text(indent, name, label.format)
      this.#addAll(indent + 4, wrap(safe, this.width - indent - 4), format)
      return
    }
    const [first = '', ...rest] = wrap(safe, room)
    this.#add(indent, `${this.#painted(name, label.format)} ${this.#painted(first, format)}`)
    this.#addAll(column, rest, format)
  }

  /** Texts in columns, each padded to the width of its column. The last one continues in its column. */
  columns(indent: number, cells: readonly (Label & { readonly width: number })[]): void {
    const before = cells.slice(0, -1).map(({ text, format, width }) => {
      const safe = safeText(text)
      return this.#painted(safe, format) + ' '.repeat(Math.max(0, width - lengthOf(safe)))
    })
    const last = cells.at(-1)
    const column = cells.slice(0, -1).reduce((sum, { width }) => sum + width, indent)
    const [first = '', ...rest] = wrap(safeText(last?.text ?? ''), this.width - column)
    this.#add(indent, before.join('') + this.#painted(first, last?.format))
    this.#addAll(column, rest, last?.format)
  }

  /** A block of raw text, cut after this many lines. */
  block(indent: number, text: string, mostLines: number): void {
    const lines = safeLines(text).flatMap((line) => {
      const own = ' '.repeat(Math.min(line.search(/[^ ]|$/), deepestIndent))
      return wrap(line.trimStart(), this.width - indent - own.length).map((part) => own + part)
    })
    this.#addAll(indent, lines.slice(0, mostLines))
    const left = lines.length - mostLines
    if (left > 0) this.#addAll(indent, [`… (${countOf(left, 'more line')})`], 'dim')
  }

  /** One unbroken line, so that it can be copied. */
  command(indent: number, command: string): void {
    this.#add(indent, safeText(command))
  }

  /** All lines, each with a line end. */
  toString(): string {
    return this.#lines.map((line) => `${line}\n`).join('')
  }

  #painted(text: string, format: Format | undefined): string {
    return format === undefined || text === '' ? text : this.#paint(format, text)
  }

  #addAll(indent: number, lines: readonly string[], format?: Format): void {
    for (const line of lines) this.#add(indent, this.#painted(line, format))
  }

  #add(indent: number, line: string): void {
    this.#lines.push(`${' '.repeat(indent)}${line}`.trimEnd())
    this.#titled = false
  }
}

export const lengthOf = (text: string): number => [...text].length

/** The text in lines of at most `width` characters. Breaks at spaces, and within words that are longer than a line. */
export function wrap(text: string, width: number): string[] {
  // Measuring a line that only grows would take too long.
  if (width === Number.POSITIVE_INFINITY) return [text.replace(/^ +/, '')]
  const lines: string[] = []
  let line = ''
  for (const word of text.split(' ')) {
    const joined = line === '' ? word : `${line} ${word}`
    if (lengthOf(joined) <= width) {
      line = joined
      continue
    }
    if (line !== '') lines.push(line)
    line = word
    while (lengthOf(line) > width) {
      const characters = [...line]
      lines.push(characters.slice(0, width).join(''))
      line = characters.slice(width).join('')
    }
  }
  return [...lines, line]
}
