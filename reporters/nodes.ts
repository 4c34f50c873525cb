/**
 * The nodes of a document for people. Builders arrange their content once as nodes. Painters turn nodes into terminal
 * text, Markdown and HTML. Texts in nodes are raw: each painter makes them safe.
 */
import type { Evidence } from '../deployment/http/exchange.ts'
import type { Failure } from '../runner/check-result.ts'
import type { Outcome } from '../specs/outcomes.ts'
import type { Markup } from './html/markup.ts'
import { names, signed } from './wording.ts'

/** A style: an outcome, strong or quiet. */
export type Look = Outcome | 'strong' | 'quiet'

/** Text within a line. */
export type Inline = string | Phrase | readonly Inline[]

export type Phrase =
  | { readonly kind: 'look'; readonly look: Look; readonly text: Inline }
  /** The sign and the word of an outcome. */
  | { readonly kind: 'outcome'; readonly outcome: Outcome }
  /** A name, an address or a value, verbatim. */
  | { readonly kind: 'code'; readonly text: string }
  /** The id of a requirement or a check. A link if the page shows it. */
  | { readonly kind: 'id'; readonly id: string }
  /** A link, in media that have links. A `to` with # points into the same page. */
  | { readonly kind: 'link'; readonly to: string; readonly text: Inline }
  /** Names separated by commas. Beyond `most`, by default a dozen, only their number. Pages fold them instead. */
  | { readonly kind: 'names'; readonly names: readonly Inline[]; readonly most?: number | undefined }
  /** Parts, each on its own line if there is room. */
  | { readonly kind: 'lines'; readonly lines: readonly Inline[] }

/** A titled part of the document. */
export interface Section {
  readonly kind: 'section'
  readonly title: Inline
  /** Quiet text beside the title. */
  readonly aside?: string
  /** What links lead to. */
  readonly id?: string
  readonly look?: Look
  /** Whether it has a frame, as findings have. */
  readonly framed?: boolean
  /** A plural noun for its blocks. A document with a size limit counts the omitted ones. */
  readonly of?: string
  /** The share of a document's size limit to leave free for later sections. */
  readonly leaves?: number
  readonly blocks: Iterable<Node>
  /** The number of things it is about. Default: one. */
  readonly count?: number
}

export interface Item {
  /** A sign before the text. */
  readonly label?: Inline
  readonly look?: Look
  readonly text: Inline
  /** Nodes below the text. */
  readonly below?: readonly Inline[]
  readonly blocks?: readonly Node[]
  /** What links lead to. */
  readonly id?: string
  readonly count?: number
}

export interface Row {
  readonly label: Inline
  /** The style of the label. */
  readonly look?: Look
  readonly text: Inline
}

export interface Cell {
  readonly text: Inline
  readonly look?: Look | undefined
}

export interface Table {
  readonly kind: 'table'
  /** A description for screen readers. */
  readonly label: string
  readonly heads: readonly Inline[]
  readonly rows: Iterable<readonly (Inline | Cell)[]>
}

export interface Fold {
  readonly kind: 'fold'
  readonly summary: Inline
  readonly open?: boolean
  readonly blocks: Iterable<Node>
}

/** A request, its answer, and a command that sends the request again. */
export interface ShownExchange {
  readonly kind: 'exchange'
  readonly exchange: Evidence
  /** The parts at fault. */
  readonly marks?: Failure['marks'] | undefined
  /** The total number of exchanges. */
  readonly of: number
  /** The page that shows the effect, and how much later it was read. */
  readonly shown?: { readonly page: Evidence; readonly later?: string } | undefined
}

/** A requirement as a row that unfolds, and that pages can filter. */
export interface Entry {
  readonly kind: 'entry'
  readonly id: string
  readonly outcome: Outcome
  /** `3 of 7 checks`, if not all have that outcome. */
  readonly share?: string | undefined
  readonly sentence: string
  readonly level: string
  readonly of: Readonly<Record<'operation' | 'kind', string>>
  readonly blocks: Iterable<Node>
}

/** The conclusion of a document: a verdict with its reasons, or a sentence. Its sign is that of the outcome. */
export interface Conclusion {
  readonly kind: 'conclusion'
  readonly look: Outcome
  readonly text: string
  readonly grounds?: string
}

export type Node =
  | Section
  | Conclusion
  | Entry
  | Table
  | Fold
  | ShownExchange
  | { readonly kind: 'text'; readonly text: Inline; readonly look?: Look | undefined }
  /** A warning. */
  | { readonly kind: 'notice'; readonly title: string; readonly text: Inline; readonly look: Look }
  | { readonly kind: 'list'; readonly items: Iterable<Item> }
  /** Labels and values. `short` ones are side by side on a page. */
  | { readonly kind: 'facts'; readonly rows: readonly Row[]; readonly short?: boolean }
  /** A sentence of the contract. */
  | {
      readonly kind: 'quote'
      readonly text: string
      readonly from: string
      /** The source, if the contract does not say it in these words. */
      readonly follows?: string | undefined
    }
  /** One line that can be copied whole. */
  | { readonly kind: 'command'; readonly label: string; readonly line: string }
  /** Media without pictures omit it, so the text beside it holds its facts too. */
  | { readonly kind: 'picture'; readonly draw: () => Markup }

export const outcomeOf = (outcome: Outcome): Phrase => ({ kind: 'outcome', outcome })

export const codeOf = (text: string): Phrase => ({ kind: 'code', text })

export const idOf = (id: string): Phrase => ({ kind: 'id', id })

export const looking = (look: Look, text: Inline): Phrase => ({ kind: 'look', look, text })

/** Links to requirements or checks. */
export const idsOf = (ids: readonly string[]): Phrase => ({ kind: 'names', names: ids.map(idOf) })

export const namesOf = (names: readonly Inline[], most?: number): Phrase => ({ kind: 'names', names, most })

export const textOf = (text: Inline, look?: Look): Node => ({ kind: 'text', text, look })

/** The text with a style. */
export const cellOf = (cell: Inline | Cell): Cell =>
  typeof cell === 'object' && !Array.isArray(cell) && !('kind' in cell)
    ? (cell as Cell)
    : { text: cell as Inline }

/** A link, in media that have links. */
export const linkOf = (to: string, text: Inline): Phrase => ({ kind: 'link', to, text })

export const listOf = (items: Iterable<Item>): Node => ({ kind: 'list', items })

export const factsOf = (rows: readonly Row[]): Node => ({ kind: 'facts', rows })

export const sectionOf = (
  title: Inline,
  blocks: Iterable<Node>,
  others: Partial<Omit<Section, 'kind' | 'title' | 'blocks'>> = {},
): Section => ({ kind: 'section', title, blocks, ...others })

/** A section of one table that has the same title, with a quiet text above the table. */
export function tableSection(
  { title, lead, ...others }: Pick<Section, 'id' | 'of'> & { readonly title: string; readonly lead?: Inline },
  table: Omit<Table, 'kind' | 'label'>,
): Section {
  const above = lead === undefined ? [] : [textOf(lead, 'quiet')]
  return sectionOf(title, [...above, { kind: 'table', label: title, ...table }], others)
}

/** How a medium of plain characters writes phrases. */
export interface Medium {
  /** `within`: the line has begun. */
  readonly text: (text: string, within: boolean) => string
  readonly code: (text: string) => string
  readonly strong: (text: string) => string
  readonly lineBreak: string
}

/** The text in such a medium. */
export function inMedium(medium: Medium, text: Inline, within = false): string {
  const whole = (part: Inline): string => inMedium(medium, part)
  if (typeof text === 'string') return medium.text(text, within)
  if (!('kind' in text)) return text.map((part, at) => inMedium(medium, part, within || at > 0)).join('')
  switch (text.kind) {
    case 'look':
      return text.look === 'strong' ? medium.strong(whole(text.text)) : whole(text.text)
    case 'link':
      return whole(text.text)
    case 'outcome':
      return signed(text.outcome)
    case 'code':
      return medium.code(text.text)
    case 'id':
      return medium.code(text.id)
    case 'names':
      return names(text.names, text.most, whole)
    case 'lines':
      return text.lines.map(whole).join(medium.lineBreak)
  }
}
