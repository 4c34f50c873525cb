/** A part of the document, made of blocks that are written whole or not at all. */

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

/** More names than this are told with their number. */
const mostNames = 12

/** Names with commas between them, in the notation of `write`. */
export function names(ids: readonly string[], write: (id: string) => string): string {
  const shown = ids.slice(0, mostNames).map(write).join(', ')
  return ids.length > mostNames ? `${shown} and ${ids.length - mostNames} more` : shown
}
