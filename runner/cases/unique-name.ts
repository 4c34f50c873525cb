/**
 * Names that nothing had before. Whether two workspaces may have the same name is open, so judged requests avoid it.
 */
import { createHash } from 'node:crypto'

/** No vowels, so that a mark is no word. No digits, so that it does not become part of a number. */
const letters = 'bcdfghjkmnpqrstvwxz'
export const markLength = 9

/** Ideographs: each is one character by every way of counting except bytes. */
const ideographs = { first: 0x4e00, count: 20_000 }

/** Beginnings that some servers treat specially, except those of formulas. */
const beginsOddly = /^[^\w=+@-]/

/** Beyond this, a mark may be cut off where a server compares names. */
const mostBehind = 40

/** The limit of a name, in characters (§8). */
const longestName = 100

/** Letters that identify that part of that run. */
export function markOf(runId: string, part: string): string {
  const digest = digestOf(`${runId}/${part}`)
  return Array.from(
    { length: markLength },
    (_, at) => letters[digest.readUInt16BE(2 * at) % letters.length],
  ).join('')
}

const digestOf = (text: string): Buffer => createHash('sha256').update(text).digest()

/**
 * Adds the mark to the text and keeps the whole text if there is room. A number stays a number. A text as long as the
 * limit, or longer, keeps its length, as does every text with `keepLength`. A text too short for a mark becomes
 * ideographs derived from the mark: one character alone would not differ between enough runs.
 */
export function uniqueName(
  text: string,
  mark: string,
  { keepLength = false }: { readonly keepLength?: boolean } = {},
): string {
  // Upper case for upper-case texts, because some servers change the case of mixed text.
  const called = /^[A-Z ]{2,}$/.test(text) ? mark.toUpperCase() : mark
  const behind = `${text} ${called}`
  const marked = beginsOddly.test(text) && behind.length <= mostBehind ? behind : `${called} ${text}`
  if (!keepLength && marked.length <= longestName)
    return /^\d+$/.test(text) ? `${text}${numberOf(mark)}` : marked
  if (text.length <= mark.length + 1) return ideographsFor(mark, text.length)
  // The cut may leave half a character, a space or a combining character at the start.
  const rest = text
    .slice(mark.length + 1)
    .replace(/^(?:[\udc00-\udfff]|\p{M}|\s)+/u, (cut) => 'x'.repeat(cut.length))
  // One word stays one word.
  return mark + (/\s/.test(text) ? ' ' : '-') + rest
}

/** Characters that another run is unlikely to use. */
function ideographsFor(mark: string, length: number): string {
  const digest = digestOf(mark)
  return Array.from({ length }, (_, at) =>
    String.fromCodePoint(ideographs.first + (digest.readUInt16BE(2 * at) % ideographs.count)),
  ).join('')
}

/** At most nine digits, without a leading zero. */
const numberOf = (mark: string): number => (digestOf(mark).readUInt32BE() % 999_999_999) + 1
