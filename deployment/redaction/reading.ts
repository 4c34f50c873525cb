/** Reads a text through the escapes of URLs, forms, JSON and HTML, and replaces parts of it. */

/** Start, and end (exclusive). */
export type Stretch = readonly [from: number, to: number]

export interface Reading {
  readonly text: string
  /** The text without escapes: UTF-16 code units, bytes of UTF-8 where they were percent-encoded, no backslashes. */
  readonly letters: string
  /** Where these letters, at least one, are in the text. */
  placeOf(letters: Stretch): Stretch
}

/** What replaces a stretch of the text. */
export type Replacement = readonly [from: number, to: number, shown: string]

/** Finds one kind of text that must be hidden. */
export type Finder = (read: Reading) => Replacement[]

// Each may be escaped again once, as JSON within JSON and a URL within a form.
// Every repetition has a bound: a hostile text must not make the search quadratic.
const escapes = new RegExp(
  [
    String.raw`(?:\\|%(?:25)?5[Cc]){1,8}(?:u([0-9A-Fa-f]{4})|([bfnrt]))?`,
    '%(?:25)?([0-9A-Fa-f]{2})',
    String.raw`&(?:amp;)?(?:#(\d{1,7})|#[xX]([0-9A-Fa-f]{1,6})|(quot|apos|lt|gt|amp|nbsp));`,
  ].join('|'),
  'g',
)
const named: Readonly<Record<string, string>> = {
  ...{ b: '\b', f: '\f', n: '\n', r: '\r', t: '\t' },
  ...{ quot: '"', apos: "'", lt: '<', gt: '>', amp: '&', nbsp: '\u00a0' },
}

/** What the text says, letter by letter. */
export function reading(text: string): Reading {
  if (!/[%\\&]/.test(text)) return { text, letters: text, placeOf: (letters) => letters }
  let letters = ''
  const begins: number[] = []
  const ends: number[] = []
  let from = 0
  const put = (read: string, to: number): void => {
    for (let unit = 0; unit < read.length; unit++) {
      begins.push(from)
      ends.push(to)
    }
    letters += read
    // A backslash belongs to the letters on both sides of it.
    if (read !== '') from = to
    else if (ends.length > 0) ends[ends.length - 1] = to
  }
  let at = 0
  for (const found of text.matchAll(escapes)) {
    for (; at < found.index; at++) put(text[at] as string, at + 1)
    at += found[0].length
    put(letterOf(found), at)
  }
  for (; at < text.length; at++) put(text[at] as string, at + 1)
  return { text, letters, placeOf: ([from, to]) => [begins[from] as number, ends[to - 1] as number] }
}

function letterOf([, unicode, control, byte, decimal, hex, entity]: readonly (string | undefined)[]): string {
  const name = control ?? entity
  if (name !== undefined) return named[name] as string
  const code = Number.parseInt(unicode ?? byte ?? hex ?? decimal ?? '', decimal === undefined ? 16 : 10)
  const read = code <= 0x10ffff ? String.fromCodePoint(code) : ''
  return read === '\\' ? '' : read
}

/** The text with everything replaced that the finders find. Of overlapping stretches, the first one counts. */
export function hideIn(text: string, finders: readonly Finder[]): string {
  const read = reading(text)
  const found = finders.flatMap((find) => find(read)).sort(([one], [other]) => one - other)
  let result = ''
  let kept = 0
  for (const [from, to, shown] of found) {
    if (from >= kept) result += text.slice(kept, from) + shown
    kept = Math.max(kept, to)
  }
  return result + text.slice(kept)
}
