/** A part of a Markdown document, whose blocks are left out one by one where there is no room. */

export interface Block {
  readonly text: string
  /** How many of its kind it tells of. */
  readonly count: number
}

export interface Section {
  readonly title: string
  /** What its blocks tell of, in the plural. */
  readonly kind: string
  /** Made one at a time. */
  readonly blocks: Iterable<Block>
}
