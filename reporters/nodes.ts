/**
 * What a document for people is made of. Builders arrange their content as these nodes, once; painters turn nodes into text
 * for a terminal, Markdown and HTML. Texts in nodes are as they came: each painter makes them safe.
 */
import type { Evidence } from '../deployment/http/exchange.ts'
import type { Failure } from '../runner/check-result.ts'
import type { Outcome } from '../specs/outcomes.ts'
import type { Markup } from './html/markup.ts'

/** How something looks: like an outcome, stressed or quiet. */
export type Look = Outcome | 'strong' | 'quiet'

/** Text within a line. */
export type Inline = string | Phrase | readonly Inline[]

export type Phrase =
  | { readonly kind: 'look'; readonly look: Look; readonly text: Inline }
  /** Its sign and its word, and what follows them. */
  | { readonly kind: 'outcome'; readonly outcome: Outcome; readonly more?: string }
  /** A name, an address or a value, as it is written. */
  | { readonly kind: 'code'; readonly text: string }
  /** A requirement or a check: a link where its page shows it. */
  | { readonly kind: 'id'; readonly id: string }
  /** A link where there are links; `to` is an address in the same page if it begins with #. */
  | { readonly kind: 'link'; readonly to: string; readonly text: Inline }
  /** Names with commas between them; of more than `most`, usually a dozen, how many more there are. */
  | { readonly kind: 'names'; readonly names: readonly Inline[]; readonly most?: number }
  /** The case that a finding rests on; `marked` parameters of it are at fault. */
  | {
      readonly kind: 'case'
      readonly text: string
      readonly marked: readonly string[]
      readonly place?: string
    }
  /** Each on a line of its own where there is room. */
  | { readonly kind: 'lines'; readonly lines: readonly Inline[] }
  | { readonly kind: 'picture'; readonly draw: () => Markup }

/** A part with a title. */
export interface Section {
  readonly kind: 'section'
  readonly title: Inline
  /** Beside the title, less loud. */
  readonly aside?: string
  /** What links lead to. */
  readonly id?: string
  readonly look?: Look
  /** It stands in a frame of its own, such as a finding. */
  readonly framed?: boolean
  /** What its blocks tell of, in the plural: a document with a limit counts those that it leaves out. */
  readonly of?: string
  /** Where a document has a limit, this share of it stays free for what follows. */
  readonly leaves?: number
  readonly blocks: Iterable<Node>
  /** How many things of its kind it is about; absent: one. */
  readonly count?: number
}

export interface Item {
  /** Before the text, such as a sign. */
  readonly label?: Inline
  readonly look?: Look
  readonly text: Inline
  /** Below the text. */
  readonly below?: readonly Inline[]
  readonly blocks?: readonly Node[]
  /** What links lead to. */
  readonly id?: string
  readonly count?: number
}

export interface Row {
  readonly label: Inline
  /** Of the label. */
  readonly look?: Look
  readonly text: Inline
}

export interface Cell {
  readonly text: Inline
  readonly look?: Look
  /** What the whole cell leads to. */
  readonly to?: string
}

export interface Table {
  readonly kind: 'table'
  /** What it shows, for those who cannot see it. */
  readonly label: string
  readonly heads: readonly Inline[]
  readonly rows: Iterable<readonly (Inline | Cell)[]>
  /** Its cells are tinted by their looks. */
  readonly tinted?: boolean
}

export interface Fold {
  readonly kind: 'fold'
  readonly summary: Inline
  readonly open?: boolean
  readonly blocks: Iterable<Node>
}

/** A request and its answer, and a command that sends it again. */
export interface ShownExchange {
  readonly kind: 'exchange'
  readonly exchange: Evidence
  /** What is at fault in it. */
  readonly marks?: Failure['marks'] | undefined
  /** Of how many it is one. */
  readonly of: number
  /** The page that shows its effect, and how long after it that was read. */
  readonly shown?: { readonly page: Evidence; readonly later?: string } | undefined
}

/** A requirement as a row that unfolds, and that a page can filter by what it is. */
export interface Entry {
  readonly kind: 'entry'
  readonly id: string
  readonly outcome: Outcome
  /** `3 of 7 checks`, where not all came to it. */
  readonly share?: string | undefined
  readonly sentence: string
  readonly level: string
  readonly of: Readonly<Record<'operation' | 'kind', string>>
  readonly blocks: Iterable<Node>
}

/** What narrows the entries that follow. */
export interface Filter {
  readonly kind: 'filter'
  readonly count: number
  readonly choices: readonly {
    readonly name: string
    readonly label: string
    /** Values and their words. */
    readonly values: readonly (readonly [string, string])[]
  }[]
}

/** What a document comes to: a verdict and its grounds, or a sentence alone. */
export interface Conclusion {
  readonly kind: 'conclusion'
  readonly look: Outcome
  readonly sign: string
  readonly text: string
  readonly grounds?: string
}

export type Node =
  | Section
  | Conclusion
  | Entry
  | Filter
  | Table
  | Fold
  | ShownExchange
  | { readonly kind: 'text'; readonly text: Inline; readonly look?: Look }
  /** What must not be overlooked. */
  | { readonly kind: 'notice'; readonly title: string; readonly text: Inline; readonly look: Look }
  | { readonly kind: 'list'; readonly items: Iterable<Item> }
  /** Labels, and what they label; on a page beside each other where they are `short`. */
  | { readonly kind: 'facts'; readonly rows: readonly Row[]; readonly short?: boolean }
  /** A sentence of the contract. */
  | {
      readonly kind: 'quote'
      readonly text: string
      readonly from: string
      /** What it follows from, where the contract does not say it in these words. */
      readonly follows?: string | undefined
    }
  | { readonly kind: 'code'; readonly text: string; readonly language?: string }
  /** One line that can be copied whole. */
  | { readonly kind: 'command'; readonly label: string; readonly line: string }
  | { readonly kind: 'picture'; readonly draw: () => Markup }

export const outcomeOf = (outcome: Outcome, more?: string): Phrase =>
  more === undefined ? { kind: 'outcome', outcome } : { kind: 'outcome', outcome, more }

export const codeOf = (text: string): Phrase => ({ kind: 'code', text })

export const idOf = (id: string): Phrase => ({ kind: 'id', id })

export const looking = (look: Look, text: Inline): Phrase => ({ kind: 'look', look, text })

/** Links to requirements or checks. */
export const idsOf = (ids: readonly string[]): Phrase => ({ kind: 'names', names: ids.map(idOf) })

export const namesOf = (names: readonly Inline[], most?: number): Phrase =>
  most === undefined ? { kind: 'names', names } : { kind: 'names', names, most }

export const textOf = (text: Inline, look?: Look): Node =>
  look === undefined ? { kind: 'text', text } : { kind: 'text', text, look }

/** Whether a cell says more than its text. */
export const isCell = (cell: Inline | Cell): cell is Cell =>
  typeof cell === 'object' && !Array.isArray(cell) && !('kind' in cell)

/** The first items, and one that counts the rest. */
export function firstOf<Thing>(
  things: readonly Thing[],
  most: number,
  rest: (left: number) => Thing,
): Thing[] {
  const left = things.length - most
  return left > 0 ? [...things.slice(0, most), rest(left)] : [...things]
}
