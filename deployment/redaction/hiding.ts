/** Finds and hides what must not be shown: known secrets in every usual encoding, PEM blocks and e-mail addresses. */

/** Start, and end (exclusive). */
type Stretch = readonly [from: number, to: number]

interface Reading {
  readonly text: string
  /** The text without escapes: UTF-16 code units, bytes of UTF-8 where they were percent-encoded, no backslashes. */
  readonly letters: string
  /** Where these letters, at least one, are in the text. */
  placeOf(letters: Stretch): Stretch
}

/** What replaces a stretch of the text. */
type Replacement = readonly [from: number, to: number, shown: string]

/** Finds one kind of text that must be hidden. */
type Finder = (read: Reading) => Replacement[]

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
  b: '\b',
  f: '\f',
  n: '\n',
  r: '\r',
  t: '\t',
  quot: '"',
  apos: "'",
  lt: '<',
  gt: '>',
  amp: '&',
  nbsp: '\u00a0',
}

/** What the text says, letter by letter. */
function reading(text: string): Reading {
  if (!/[%\\&]/.test(text)) return { text, letters: text, placeOf: (letters) => letters }
  const letters = text.replace(escapes, (...found) => letterOf(found))
  // Lazy, because most texts have nothing to hide.
  let places: ReturnType<typeof placesIn> | undefined
  const placeOf = ([from, to]: Stretch): Stretch => {
    places ??= placesIn(text)
    return [places.begins[from] as number, places.ends[to - 1] as number]
  }
  return { text, letters, placeOf }
}

/** Where each letter of the text begins and ends. */
function placesIn(text: string): { readonly begins: readonly number[]; readonly ends: readonly number[] } {
  const begins: number[] = []
  const ends: number[] = []
  let from = 0
  const put = (read: string, to: number): void => {
    for (let unit = 0; unit < read.length; unit++) {
      begins.push(from)
      ends.push(to)
    }
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
  return { begins, ends }
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

export const hidden = '***'

/** Replaces an e-mail address. */
export const hiddenAddress = '***@***'

interface SecretHider {
  readonly find: Finder
  /** The text with every secret replaced. */
  text(text: string): string
}

// Shorter secrets would hide ordinary text.
const shortestBase64 = 6

/** `shown` replaces each secret. Empty secrets are ignored. */
export function secretHider(secrets: readonly string[], shown: string): SecretHider {
  // Headers of answers are read byte by byte, and so is what was percent-encoded.
  const plain = secrets.flatMap((secret) =>
    secret === '' ? [] : [secret, Buffer.from(secret).toString('latin1')],
  )
  if (plain.length === 0) return { find: () => [], text: (text) => text }
  const needles = [...plain, ...plain.flatMap(inBase64)].flatMap((needle) => [needle, ...readAs(needle)])
  const search = searchFor([...new Set(needles)])
  const find: Finder = ({ text, letters, placeOf }) => {
    const asSpoken = spaced(letters)
    const found = asSpoken === text ? [] : search(asSpoken).map(placeOf)
    return [...search(text), ...found].map(([from, to]) => [from, to, shown])
  }
  return { find, text: (text) => hideIn(text, [find]) }
}

// Forms write a space as a plus sign.
const spaced = (letters: string): string => letters.replaceAll('+', ' ')

/** The needle as a text may hold it: its own characters may look like escapes. */
function readAs(needle: string): string[] {
  return [reading(needle).letters, needle.replaceAll('\\', '')]
    .filter(({ length }) => length > needle.length / 2)
    .map(spaced)
}

/** The secret in Base64 and Base64url, at each of the three offsets in a group. */
function inBase64(secret: string): string[] {
  return [0, 1, 2].flatMap((offset) => {
    const bytes = Buffer.concat([Buffer.alloc(offset), Buffer.from(secret)])
    // Characters at the edges also hold bits of the text beside the secret.
    const core = bytes
      .toString('base64url')
      .slice(Math.ceil((offset * 8) / 6), Math.floor((bytes.length * 8) / 6))
    return core.length < shortestBase64 ? [] : [core, core.replaceAll('-', '+').replaceAll('_', '/')]
  })
}

// The part of a cut secret that may be shown: too short to help anybody.
const shortestCut = 4

/** Finds the longest needle at each place, and the rest of one that was cut (…). */
function searchFor(needles: readonly string[]): (text: string) => Stretch[] {
  const byStart = new Map<string, string[]>()
  for (const needle of needles) {
    const start = needle.slice(0, shortestCut)
    byStart.set(start, [...(byStart.get(start) ?? []), needle])
  }
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

// The rest of a character or escape that the cut has split: at most ten letters.
const splitPiece = /[\x80-\xff]{0,3}(?:%(?:25)?[0-9A-Fa-f]?|u[0-9A-Fa-f]{0,3}|&(?:amp;)?[#a-zA-Z0-9]{0,8})?$/

/** How many characters of the text are the needle. 0: it does not begin there. */
function lengthOf(needle: string, text: string, at: number): number {
  if (text.startsWith(needle, at)) return needle.length
  const length = text.slice(at, at + needle.length + 16).indexOf('…')
  if (length < shortestCut) return 0
  const left = text.slice(at, at + length)
  const isCut = [left, left.replace(splitPiece, '')].some(
    (piece) => piece.length >= shortestCut && needle.startsWith(piece),
  )
  return isCut ? length : 0
}

// As forms write it, a plus sign is a space.
const label = '([A-Za-z0-9 .#+]{1,65})-----'
const blocks = (labels: string): RegExp =>
  new RegExp(`-----BEGIN[ +]${labels}[^]*?(-----END[ +](?:${label})?|$)`, 'gi')
const pem = { all: blocks(label), private: blocks(`(?=[^-]*(?:PRIVATE|SECRET))${label}`) }

/** Hides the content of PEM blocks, all or only private keys. One without an end is hidden to the end of the text. */
const pemFinder =
  (which: keyof typeof pem): Finder =>
  ({ letters, placeOf }) => {
    if (!letters.includes('-----')) return []
    return [...letters.matchAll(pem[which])].map(({ index, 0: block, 1: named = '', 2: end }) => {
      const [begin, finish] = ['BEGIN', 'END'].map(
        (word) => `-----${word} ${named.replaceAll('+', ' ')}-----`,
      )
      const shown = end === '' ? `${begin} ${hidden}` : `${begin} ${hidden} ${finish}`
      return [...placeOf([index, index + block.length]), shown]
    })
  }

// Up to U+00FF it may be one byte of a character: headers are read byte by byte, and what was percent-encoded is as well.
const word = String.raw`(?:[\w\u0080-\u00ff]|(?![\p{Z}\p{P}\p{C}])[\u0100-\uffff])`
// Longer texts are no addresses. The bounds keep the search linear.
const address = new RegExp(
  String.raw`@(?<=("[^"]{0,254}"|${word}(?:${word}|[.+\-'!~]){0,255})@)(?:\[((?:${word}|[-.:]){1,255})\]|((?:${word}|[-.]){1,255}))`,
  'gu',
)
const domain =
  /^[a-z0-9\u0080-\uffff-]+(?:\.[a-z0-9\u0080-\uffff-]+)*\.(?:xn--[a-z0-9-]{2,}|[a-z\u0080-\uffff]{2,})/i
// RFC 2606 and RFC 6761: no person has an address at these domains.
const reserved = /(?:^|\.)(?:example\.(?:com|net|org)|example|test|invalid|localhost)$/i

/** Hides e-mail addresses, except at domains for examples. */
const findAddresses: Finder = (read) => {
  if (!read.letters.includes('@')) return []
  const letters = read.letters.replace(/[\u00a0«»]/g, ' ')
  return [...letters.matchAll(address)].flatMap(
    ({ index, 0: rest, 1: local = '', 3: host }): Replacement[] => {
      const length = host === undefined ? rest.length : '@'.length + domainLength(letters, index + 1, host)
      if (length === '@'.length) return []
      return [[...read.placeOf([index - local.length, index + length]), hiddenAddress]]
    },
  )
}

/** Length of the domain after the @. 0: there is none, or it is one for examples. */
function domainLength(letters: string, start: number, host: string): number {
  // The text may have been cut in the middle of the domain.
  if (letters[start + host.length] === '…') return host.length
  const found = domain.exec(host)?.[0] ?? ''
  return reserved.test(found) ? 0 : found.length
}

// ASCII only, which random bytes hardly ever form.
const plainAddress = /[\w.+-]{2,64}@((?:[A-Za-z0-9-]{1,63}\.){1,8}[A-Za-z]{2,24})/g

// What Base64 makes of @, at each place in a group of three bytes, and of the dashes of a PEM block.
const signsInBase64 = /Q[A-P]|[EUk0][A-D]|[BFJNRVZdhlptx159]A|LS0t/

/** Base64 that holds a PEM block or an address, such as a part of a token or a header for Basic authentication. */
const findInBase64: Finder = ({ letters, placeOf }) => {
  if (!signsInBase64.test(letters)) return []
  return [...letters.matchAll(/[\w+/-]{10,}/g)].flatMap(({ index, 0: run }): Replacement[] => {
    if (!signsInBase64.test(run)) return []
    // The text before it, such as the segments of a path, may look like Base64 as well.
    const holds = [0, 1, 2, 3].some((offset) => {
      const bytes = Buffer.from(run.slice(offset), 'base64').toString('latin1')
      const addresses = bytes.includes('@') ? [...bytes.matchAll(plainAddress)] : []
      return bytes.includes('-----BEGIN ') || addresses.some(([, host = '']) => !reserved.test(host))
    })
    return holds ? [[...placeOf([index, index + run.length]), hidden]] : []
  })
}

/** The finders for personal data. `private`: of PEM blocks, only private keys. */
export const personal: Readonly<Record<'all' | 'private', readonly Finder[]>> = {
  all: [pemFinder('all'), findAddresses, findInBase64],
  private: [pemFinder('private'), findAddresses, findInBase64],
}
