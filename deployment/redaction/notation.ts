/** Reads a text as what it stands for, whatever it is written as: plain, percent-encoded, as JSON or HTML escapes. */

/** From, and up to but not including. */
export type Stretch = readonly [from: number, to: number]

export interface Reading {
  /** UTF-16 code units; bytes of UTF-8 where they were percent-encoded. Backslashes of their own are left out. */
  readonly letters: string
  /** Where those letters, one at least, stand in the text. */
  placeOf(letters: Stretch): Stretch
}

// All of bounded length: a hostile text must not make the search quadratic.
const backslash = String.raw`(?:\\|%(?:25){0,4}5[Cc])`
// The one with a backslash first: its backslash may be percent-encoded itself.
const escapes = new RegExp(
  String.raw`${backslash}{1,8}(?:u([0-9A-Fa-f]{4})|([bfnrt/"]))|%(?:25){0,4}([0-9A-Fa-f]{2})|&(?:amp;){0,4}(?:#0{0,8}(\d{1,7})|#[xX]0{0,8}([0-9A-Fa-f]{1,6})|(quot|apos|lt|gt|amp|commat|period|plus|sol|equals|NewLine|nbsp));|\\`,
  'g',
)
const mayEscape = /[%\\&]/

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

/** Whatever is to be hidden is looked for in the same text, one thing after the other. */
let latest: { readonly text: string; readonly read: Reading } | undefined

/** What the text stands for, letter by letter. */
export function reading(text: string): Reading {
  if (!mayEscape.test(text)) return { letters: text, placeOf: (letters) => letters }
  if (latest?.text === text) return latest.read
  let places: Places | undefined
  const read: Reading = {
    letters: text.replace(escapes, (...found) => letterOf(found)),
    placeOf: ([from, to]) => {
      places ??= placesIn(text)
      return [places.begins[from] as number, places.ends[to - 1] as number]
    },
  }
  latest = { text, read }
  return read
}

/** Where each letter begins and ends; backslashes between two belong to both. */
interface Places {
  readonly begins: readonly number[]
  readonly ends: readonly number[]
}

function placesIn(text: string): Places {
  const begins: number[] = []
  const ends: number[] = []
  let at = 0
  let backslashFrom: number | undefined
  const put = (end: number) => {
    begins.push(backslashFrom ?? at)
    ends.push(end)
    backslashFrom = undefined
  }
  const plainUpTo = (end: number) => {
    for (; at < end; at += 1) put(at + 1)
  }
  for (const found of text.matchAll(escapes)) {
    plainUpTo(found.index)
    const end = found.index + found[0].length
    const read = letterOf(found)
    // One character beyond the Basic Multilingual Plane is two code units.
    for (let unit = 0; unit < read.length; unit += 1) put(end)
    if (read === '') {
      backslashFrom ??= at
      if (ends.length > 0) ends[ends.length - 1] = end
    }
    at = end
  }
  plainUpTo(text.length)
  return { begins, ends }
}

function letterOf([, unicode, letter, byte, decimal, hex, name]: readonly unknown[]): string {
  const hexadecimal = (unicode ?? byte ?? hex) as string | undefined
  const code = hexadecimal === undefined ? Number(decimal) : Number.parseInt(hexadecimal, 16)
  const named = controls[letter as string] ?? letter ?? entities[name as string]
  const read = String(named ?? (!(code <= 0x10ffff) ? '' : String.fromCodePoint(code)))
  return read === '\\' ? '' : read
}

/** What stands in a place of the text in its stead. */
export type Replacement = readonly [from: number, to: number, shown: string]

/** The text with all that replaced; where two overlap, by the first of them. */
export function withReplacements(text: string, replacements: readonly Replacement[]): string {
  let result = ''
  let kept = 0
  for (const [from, to, shown] of replacements.toSorted(([one], [other]) => one - other)) {
    if (to <= kept) continue
    if (from >= kept) result += text.slice(kept, from) + shown
    kept = to
  }
  return kept === 0 ? text : result + text.slice(kept)
}
