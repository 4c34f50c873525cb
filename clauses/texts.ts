/** Texts of people: judged only where every way of counting and comparing that the contract leaves open agrees. Pure. */

/** Made when it is first asked: that takes long, and few texts need it. */
let segmenter: Intl.Segmenter | undefined
/** Enough to tell that a text is over any limit of the contract, in UTF-16 units. */
const mostCounted = 8000

/** Whether a text is judged at all: when it is echoed, and when it is refused. */
export function isPrintable(text: string): boolean {
  return (
    !/[\p{Cc}\p{Cf}\p{Cn}\p{Co}\p{Cs}]/u.test(text) &&
    text === text.trim() &&
    // What a compatibility form changes is open as well.
    text === text.normalize('NFKC') &&
    !looksLikeAttack(text)
  )
}

/** What filters of the usual kind look for. Whether a deployment has one is open. */
const attacks: readonly RegExp[] = [
  // Markup, quotes, commands, templates. The commonest first, and by itself: it is looked for in every text.
  /[<>'"`\\|{}]/,
  /&#?\w+;|&&|;;|\$[({]|\[\$|\w:\/\//,
  /\bon\w+\s*=|\b(?:java|vb)script\b/i,
  // Paths, and escapes of what is listed here.
  /\.\.|^\/|\.\/|\/\S*\/|%(?:0[0ad]|2[27ef]|3[ce]|5c|u)/iu,
  // SQL: comments, sums and comparisons of numbers, statements.
  /--|\/\*|\*\/|\d\s*[+=]\s*\d|\b(?:or|and)\b\W*\d/iu,
  /\b(?:select|union|insert|update|delete|drop|alter|exec|execute)\b.*\b(?:from|into|table|set|select|all|where)\b/iu,
]

/** Whether a filter in front of a deployment may refuse the text. */
export function looksLikeAttack(text: string): boolean {
  return attacks.some((attack) => attack.test(text))
}

/** Whether it is judged what becomes of a text: printable, without markup, in NFKC, no space at either end. */
export function isJudged(text: string): boolean {
  return text !== '' && text.length <= mostCounted && isPrintable(text)
}

/** Whether a text is over the limit by characters of every kind, also once it is trimmed and normalised. */
export function isOver(text: string, most: number): boolean {
  if (text.length <= most) return false
  const left = text
    .trim()
    .normalize('NFC')
    .slice(0, mostCounted)
    .replace(/[\uD800-\uDBFF]$/, '')
  return isPrintable(left.trim()) && characters(left) > most
}

/** Whether a text has exactly that many characters by every way of counting, bytes aside. */
export function isExactly(text: string, most: number): boolean {
  return text.length === most && isJudged(text) && characters(text) === most
}

/** Characters that may be less than one each, or more than one unit. */
const joining = /[\p{M}\p{Cf}\u1100-\u11ff\u{10000}-\u{10ffff}]/u

function characters(text: string): number {
  // Segmenting takes long, and most texts need none.
  if (!joining.test(text)) return text.length
  segmenter ??= new Intl.Segmenter('und', { granularity: 'grapheme' })
  let count = 0
  for (const _ of segmenter.segment(text)) count += 1
  return count
}

/** Whether two names or ids are one; whether their case matters is open. */
export const sameText = (one: string, other: string | undefined): boolean =>
  one.toLowerCase() === other?.toLowerCase()
