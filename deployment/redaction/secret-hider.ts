/** Hides secrets that are known, however they are written or encoded. */

/** From, and up to but not including. */
export type Stretch = readonly [from: number, to: number]

interface Reading {
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

const escaped: Readonly<Record<string, string>> = { b: '\b', f: '\f', n: '\n', r: '\r', t: '\t' }
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

/** What the text stands for, letter by letter, whatever it is written as: plain, percent-encoded, as JSON or HTML escapes. */
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
  const named = escaped[letter as string] ?? letter ?? entities[name as string]
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

interface SecretHider {
  /** Length of the longest notation that it knows. */
  readonly longest: number
  /** The text with every one of the secrets replaced. */
  text(text: string): string
}

// Characters that one character of a secret takes at most, in escapes that were escaped once more.
const longestNotation = 12

// Shorter ones would hide ordinary text.
const shortestBase64 = 6

// What is shown of a secret that was cut: less of it says nothing.
const shortestCut = 4

/** `shown` stands in for each of the secrets; none of them is empty. */
export function secretHider(secrets: readonly string[], shown: string): SecretHider {
  const plain = [...secrets, ...secrets.map(asHeaderText)]
  const notations = [...new Set([...plain, ...plain.flatMap(base64Notations)])]
  const literally = finder(notations)
  const read = finder(notations.flatMap(readAs))
  return {
    longest: longestNotation * Math.max(0, ...notations.map(({ length }) => length)),
    text: (text) => {
      const found = literally(text)
      if (/[%\\&+]/.test(text)) {
        const { letters, placeOf } = reading(text)
        found.push(...read(folded(letters)).map(placeOf))
      }
      return withReplacements(
        text,
        found.map(([from, to]): Replacement => [from, to, shown]),
      )
    },
  }
}

const controls: Readonly<Record<string, string>> = {
  '\b': 'b',
  '\f': 'f',
  '\n': 'n',
  '\r': 'r',
  '\t': 't',
  '+': ' ',
}

/** As long as before: forms have a plus sign for a space, and what looks like a JSON escape may be none. */
const folded = (letters: string): string =>
  letters.replace(/[\b\f\n\r\t+]/g, (character) => controls[character] as string)

/** What a text that holds the secret may be read as: the secret may look as if it were escaped itself. */
function readAs(secret: string): string[] {
  const { letters } = reading(secret)
  return [...new Set([letters, secret.replaceAll('\\', '')])]
    .filter(({ length }) => length > secret.length / 2)
    .map(folded)
}

/** The secret as it looks within Base64, at each of the three places where it can begin in a group. */
function base64Notations(secret: string): string[] {
  const bytes = Buffer.from(secret)
  return [0, 1, 2].flatMap((offset) => {
    const encoded = Buffer.concat([Buffer.alloc(offset), bytes]).toString('base64url')
    // Characters at the edges also hold bits of what stands beside the secret.
    const first = [0, 2, 3][offset]!
    const last = Math.floor(((offset + bytes.length) * 8) / 6)
    const core = encoded.slice(first, last)
    if (core.length < shortestBase64) return []
    return [core, core.replaceAll('-', '+').replaceAll('_', '/')]
  })
}

// Headers of answers are read byte by byte, which takes characters beyond ASCII apart.
function asHeaderText(secret: string): string {
  return Buffer.from(secret, 'utf8').toString('latin1')
}

/** Finds those texts, the longest of several that begin alike, and as much of one as is left where a text was cut with …. */
function finder(needles: readonly string[]): (text: string) => Stretch[] {
  const byStart = new Map<string, string[]>()
  for (const needle of needles) {
    const start = needle.slice(0, shortestCut)
    byStart.set(start, [...(byStart.get(start) ?? []), needle])
  }
  if (byStart.size === 0) return () => []
  const starts = [...byStart.keys()].map((start) => start.replace(/[.*+?^${}()|[\]\\]/g, '\\$&'))
  const begin = new RegExp(starts.join('|'), 'g')
  return (text) => {
    const found: Stretch[] = []
    begin.lastIndex = 0
    for (let match = begin.exec(text); match !== null; match = begin.exec(text)) {
      const at = match.index
      const lengths = Array.from({ length: shortestCut }, (_, less) => text.slice(at, at + less + 1))
        .flatMap((start) => byStart.get(start) ?? [])
        .map((needle) => lengthOf(needle, text, at))
      const length = Math.max(0, ...lengths)
      if (length > 0) found.push([at, at + length])
      begin.lastIndex = at + Math.max(1, length)
    }
    return found
  }
}

// Where a text was cut, within a character or within an escape.
const cutPiece =
  /(?:[\x80-\xff]{1,3})?(?:%(?:25){0,4}[0-9A-Fa-f]?|u[0-9A-Fa-f]{0,3}|&(?:#[xX]?[0-9A-Fa-f]{0,8}|[a-z]{0,4}))?$/

const longestPiece = 16

/** How much of the text is the needle that may begin there; 0 where it does not. */
function lengthOf(needle: string, text: string, at: number): number {
  if (text.startsWith(needle, at)) return needle.length
  const length = text.slice(at, at + needle.length + longestPiece).indexOf('…')
  if (length < shortestCut) return 0
  const left = text.slice(at, at + length)
  const isCut = [left, left.replace(cutPiece, '')].some(
    (piece) => piece.length >= shortestCut && needle.startsWith(piece),
  )
  return isCut ? length : 0
}

export const hidden = '***'

/** In place of an e-mail address. */
export const hiddenAddress = '***@***'
