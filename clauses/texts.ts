/** Judges texts only if all ways of counting and comparing that the contract leaves open agree. Pure. */

/** Created on first use, because that is slow and few texts need it. */
let segmenter: Intl.Segmenter | undefined
/** Longer texts are over every limit of the contract, in UTF-16 units. */
const longestJudged = 8000

/** Whether we judge what happens to a text. */
export function isPrintable(text: string): boolean {
  return (
    !/[\p{Cc}\p{Cf}\p{Cn}\p{Co}\p{Cs}]/u.test(text) &&
    text === text.trim() &&
    // What a compatibility form changes is open as well.
    text === text.normalize('NFKC') &&
    !looksLikeAttack(text)
  )
}

/** What common filters look for. Whether a deployment has a filter is open. */
const attacks: readonly RegExp[] = [
  // Markup, quotes, commands, templates. A separate pattern, because these are the most common.
  /[<>"`\\|{}]|(?<!\p{L})'|'(?!\p{L})|'[^']*'/u,
  /&#?\w+;|&&|;;|\$[({]|\[\$|\w:\/\//,
  /\bon\w+\s*=|\b(?:java|vb)script\b/i,
  // Paths, and escapes of the characters above.
  /\.\.|^\/|\.\/|\/\S*\/|%(?:0[0ad]|2[27ef]|3[ce]|5c|u)/iu,
  // SQL: comments, sums and comparisons of numbers, statements.
  /--|\/\*|\*\/|\d\s*[+=]\s*\d|\b(?:or|and)\b\W*\d/iu,
  /\b(?:select|union|insert|update|delete|drop|alter|exec|execute)\b.*\b(?:from|into|table|set|select|all|where)\b/iu,
]

/** Whether a filter in front of a deployment may refuse the text. */
export function looksLikeAttack(text: string): boolean {
  return attacks.some((attack) => attack.test(text))
}

/** Whether we judge if a text comes back unchanged: printable, in NFKC, no markup, no space at either end. */
export function isJudged(text: string): boolean {
  return text !== '' && text.length <= longestJudged && isPrintable(text)
}

/** Whether a text is over the limit by every way of counting, even trimmed and normalised. */
export function isOver(text: string, most: number): boolean {
  if (text.length <= most) return false
  const left = text
    .trim()
    .normalize('NFC')
    .slice(0, longestJudged)
    .replace(/[\uD800-\uDBFF]$/, '')
  return isPrintable(left.trim()) && characters(left) > most
}

/** Whether a text has exactly that many characters by every way of counting except bytes. */
export function isExactly(text: string, most: number): boolean {
  return text.length === most && isJudged(text) && characters(text) === most
}

/** Characters that combine with others, or take more than one unit. */
const joining = /[\p{M}\p{Cf}\u1100-\u11ff\u{10000}-\u{10ffff}]/u

function characters(text: string): number {
  // The fast way first: most texts need no segmenter.
  if (!joining.test(text)) return text.length
  segmenter ??= new Intl.Segmenter('und', { granularity: 'grapheme' })
  let count = 0
  for (const _ of segmenter.segment(text)) count += 1
  return count
}

/** Whether two names or ids are the same. The meaning of case is open. */
export const sameText = (one: string, other: string | undefined): boolean =>
  one.toLowerCase() === other?.toLowerCase()
