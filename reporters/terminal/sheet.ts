/** What a report is written on. The only way onto it makes every text safe, so that no part can forget to. */
import { safeLines, safeText } from '../safe-text.ts'
import { countOf } from '../wording.ts'
import type { Format, Page, Paint } from './style.ts'

interface Label {
  readonly text: string
  readonly format?: Format
}

/** Beside a label there must be this much room for text, or the text hangs below it. */
const leastRoom = 24

/** How much of its own indentation a line of a block keeps: a target must not push text out of sight. */
const deepestIndent = 16

export class Sheet {
  readonly #width: number
  readonly #paint: Paint
  readonly #lines: string[] = []

  constructor({ width, paint }: Page) {
    this.#width = width
    this.#paint = paint
  }

  /** An empty line, unless there is one already. */
  gap(): void {
    if (this.#lines.length > 0 && this.#lines.at(-1) !== '') this.#lines.push('')
  }

  /** The title of what follows, with a gap above it. */
  heading(text: string): void {
    this.gap()
    this.text(0, text, 'bold')
  }

  /** A paragraph. */
  text(indent: number, text: string, format?: Format): void {
    for (const line of wrap(safeText(text), this.#width - indent))
      this.#add(indent, this.#painted(line, format))
  }

  /** A label and what it labels, which goes on in the same column. */
  labelled(indent: number, label: Label, text: string, format?: Format): void {
    const name = safeText(label.text)
    const used = indent + [...name].length + 1
    const column = this.#width - used >= leastRoom ? used : indent + 4
    const [first = '', ...rest] = wrap(safeText(text), this.#width - column, Math.max(1, this.#width - used))
    this.#add(indent, `${this.#painted(name, label.format)} ${this.#painted(first, format)}`)
    for (const line of rest) this.#add(column, this.#painted(line, format))
  }

  /** Labels beside each other, each padded to the width of its column. They are not wrapped: the caller sees to it that they fit. */
  columns(indent: number, cells: readonly (Label & { readonly width: number })[]): void {
    const painted = cells.map(({ text, format, width }) => {
      const safe = safeText(text)
      return this.#painted(safe, format) + ' '.repeat(Math.max(0, width - [...safe].length))
    })
    this.#add(indent, painted.join(''))
  }

  /** A block of text as it came, cut after so many lines of the sheet. */
  block(indent: number, text: string, mostLines: number): void {
    const lines = safeLines(text).flatMap((line) => {
      const own = ' '.repeat(Math.min(line.search(/[^ ]|$/), deepestIndent))
      return wrap(line.trimStart(), this.#width - indent - own.length).map((part) => own + part)
    })
    for (const line of lines.slice(0, mostLines)) this.#add(indent, line)
    const left = lines.length - mostLines
    if (left > 0) this.#add(indent, this.#painted(`… (${countOf(left, 'more line')})`, 'dim'))
  }

  /** One line that stays whole, so that it can be copied. */
  command(indent: number, command: string): void {
    this.#add(indent, safeText(command))
  }

  /** All lines, with a line end each. */
  toString(): string {
    return this.#lines.map((line) => `${line}\n`).join('')
  }

  #painted(text: string, format: Format | undefined): string {
    return format === undefined || text === '' ? text : this.#paint(format, text)
  }

  #add(indent: number, line: string): void {
    this.#lines.push(`${' '.repeat(indent)}${line}`.trimEnd())
  }
}

const lengthOf = (text: string): number => [...text].length

/**
 * The text in lines of at most `width` characters, the first of at most `first`. Breaks at spaces, and within words
 * that are longer than a line. A first word that fits on a full line only leaves the first line empty.
 */
export function wrap(text: string, width: number, first = width): string[] {
  const lines: string[] = []
  let line = ''
  const room = (): number => (lines.length === 0 ? first : width)
  for (const word of text.split(' ')) {
    const joined = line === '' ? word : `${line} ${word}`
    if (lengthOf(joined) <= room()) {
      line = joined
      continue
    }
    const wouldFitBelow = lines.length === 0 && lengthOf(word) > first && lengthOf(word) <= width
    if (line !== '' || wouldFitBelow) lines.push(line)
    line = word
    if (lengthOf(line) <= room()) continue
    const characters = [...line]
    let from = 0
    while (characters.length - from > room()) {
      // Measured before the push: the room of the next line may differ.
      const until = from + room()
      lines.push(characters.slice(from, until).join(''))
      from = until
    }
    line = characters.slice(from).join('')
  }
  return [...lines, line]
}
