/** Reads a text character by character, whatever each is written as: plain, percent-encoded, as JSON or HTML escape. */

/** One character: its code, and where it begins and ends in the text. */
export interface Written {
  /** A UTF-16 code unit; a byte of UTF-8 where it was percent-encoded. */
  readonly code: number
  readonly start: number
  readonly end: number
  readonly escaped: boolean
}

// All of bounded length: a hostile text must not make the search quadratic.
const backslash = String.raw`(?:\\|%(?:25){0,4}5[Cc])`
// The one with a backslash first: its backslash may be percent-encoded itself.
const anyEscape = String.raw`${backslash}{1,8}(?:u([0-9A-Fa-f]{4})|([bfnrt/"]))|%(?:25){0,4}([0-9A-Fa-f]{2})|&(?:amp;){0,4}(?:#0{0,8}(\d{1,7})|#[xX]0{0,8}([0-9A-Fa-f]{1,6})|(quot|apos|lt|gt|amp|commat|period|plus|sol|equals|NewLine|nbsp));`
const escapeAt = new RegExp(anyEscape, 'y')
const escapeBefore = new RegExp(`(?:${anyEscape})$`)
const longestEscape = 64

const controls: Readonly<Record<string, string>> = { b: '\b', f: '\f', n: '\n', r: '\r', t: '\t' }
const entities: Readonly<Record<string, string>> = {
  quot: '"',
  apos: "'",
  lt: '<',
  gt: '>',
  amp: '&',
  commat: '@',
  period: '.',
  plus: '+',
  sol: '/',
  equals: '=',
  NewLine: '\n',
  nbsp: '\u00a0',
}

/** The character that begins there; `at` is less than the length of the text. */
export function writtenAt(text: string, at: number): Written {
  const code = text.charCodeAt(at)
  if (code !== 0x25 && code !== 0x5c && code !== 0x26) return plain(code, at)
  escapeAt.lastIndex = at
  const found = escapeAt.exec(text)
  if (found === null) return plain(code, at)
  return { code: codeOf(found), start: at, end: at + found[0].length, escaped: true }
}

/** The character that ends there; `end` is more than 0. */
export function writtenBefore(text: string, end: number): Written {
  const tail = text.slice(Math.max(0, end - longestEscape), end)
  if (!/[%\\&]/.test(tail)) return plain(text.charCodeAt(end - 1), end - 1)
  const found = escapeBefore.exec(tail)
  if (found === null) return plain(text.charCodeAt(end - 1), end - 1)
  return { code: codeOf(found), start: end - found[0].length, end, escaped: true }
}

/** A pattern, without flags, for those characters however each of them is written. */
export function inAnyNotation(text: string): string {
  return [...text]
    .map((character) => {
      const code = character.charCodeAt(0)
      const hex = code.toString(16).padStart(2, '0')
      const plainly = character === ' ' ? '[ +]' : character.replace(/[^\w\s]/, '\\$&')
      return `(?:${plainly}|%(?:25){0,4}${hex}|${backslash}{1,8}u00${hex}|&(?:amp;){0,4}#(?:0{0,8}${code}|x0{0,8}${hex});)`
    })
    .join('')
}

const plain = (code: number, start: number): Written => ({ code, start, end: start + 1, escaped: false })

function codeOf([, unicode, letter, byte, decimal, hex, name]: RegExpExecArray): number {
  const hexadecimal = unicode ?? byte ?? hex
  if (hexadecimal !== undefined) return Number.parseInt(hexadecimal, 16)
  if (letter !== undefined) return (controls[letter] ?? letter).charCodeAt(0)
  if (decimal !== undefined) return Number(decimal)
  return (entities[name as string] as string).charCodeAt(0)
}
