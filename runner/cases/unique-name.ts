/** Names that nothing has had before: whether two workspaces of a portal may have one name is open, so no judged case asks for it. */

/** No vowels, so that no mark is a word; no digits, so that no mark is part of a number. */
const letters = 'bcdfghjkmnpqrstvwxz'
const markLength = 9

/** Ideographs, each one character by every way of counting but bytes. */
const ideographs = { first: 0x4e00, count: 20_000 }

/** What some treat otherwise at the beginning of a text, but for what begins a formula. */
const beginsOddly = /^[^\w=+@-]/

/** A mark further behind may be cut off where names are compared. */
const mostBehind = 40

/** Letters that stand for that part of that run, and hardly for another. */
export function markOf(runId: string, part: string): string {
  let [high, low] = [0x811c9dc5, 0x9747b28c]
  for (const character of `${runId}/${part}`) {
    const code = character.codePointAt(0) as number
    high = Math.imul(high ^ code, 0x01000193)
    low = Math.imul(low ^ code, 0x5bd1e995) ^ (low >>> 15)
  }
  let rest = (BigInt(high >>> 0) << 32n) | BigInt(low >>> 0)
  let mark = ''
  while (mark.length < markLength) {
    mark += letters[Number(rest % BigInt(letters.length))]
    rest /= BigInt(letters.length)
  }
  return mark
}

/**
 * The text with the mark in it, and all that it was where there is room. A number stays a number. Text as long as a name
 * may be, and longer, keeps its length; so does every text where that is asked for. What is too short for a mark becomes
 * ideographs that the mark chooses: of one character there are not enough for every run, so that such a name may have
 * been used before.
 */
export function uniqueName(
  text: string,
  mark: string,
  { most = 100, keepLength = false }: { readonly most?: number; readonly keepLength?: boolean } = {},
): string {
  // In capitals before what is: words in capitals are what some write otherwise.
  const called = /^[A-Z ]{2,}$/.test(text) ? mark.toUpperCase() : mark
  const behind = `${text} ${called}`
  const marked = beginsOddly.test(text) && behind.length <= mostBehind ? behind : `${called} ${text}`
  if (!keepLength && marked.length <= most) return /^\d+$/.test(text) ? `${text}${numberOf(mark)}` : marked
  if (text.length <= mark.length + 1) return ideographsFor(mark, text.length)
  // A character may have been cut in two, or a space or a combining one left alone.
  const rest = text
    .slice(mark.length + 1)
    .replace(/^(?:[\udc00-\udfff]|\p{M}|\s)+/u, (cut) => 'x'.repeat(cut.length))
  // One word stays one word.
  return mark + (/\s/.test(text) ? ' ' : '-') + rest
}

/** So many characters that another run hardly uses. */
function ideographsFor(mark: string, length: number): string {
  let seed = numberOf(mark)
  return Array.from({ length }, () => {
    seed = (Math.imul(seed, 1_103_515_245) + 12_345) >>> 0
    return String.fromCodePoint(ideographs.first + ((seed >>> 8) % ideographs.count))
  }).join('')
}

/** Nine digits at the most, none of them a leading zero. */
const numberOf = (mark: string): number =>
  [...mark].reduce((sum, letter) => (sum * letters.length + letters.indexOf(letter) + 1) % 999_999_937, 1) + 1
