/** Hides secrets that are known, however they are written or encoded. */

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

/** `shown` stands in for each of the secrets; none of them is empty. */
export function secretHider(secrets: readonly string[], shown: string): SecretHider {
  const plain = new Set([...secrets, ...secrets.map(asHeaderText)])
  const notations = [...new Set([...plain, ...[...plain].flatMap(base64Notations)])]
  const needles = indexed(notations)
  return {
    longest: longestNotation * Math.max(0, ...notations.map(({ length }) => length)),
    text: (text) => hideNeedles(text, needles, shown),
  }
}

function hideNeedles(text: string, needles: NeedleIndex, shown: string): string {
  if (needles.all.length === 0) return text
  let result = ''
  let kept = 0
  let at = 0
  while (at < text.length) {
    const end = endOfSecret(text, at, needles)
    if (end < 0) {
      at += 1
      continue
    }
    result += text.slice(kept, at) + shown
    at = end
    kept = end
  }
  return kept === 0 ? text : result + text.slice(kept)
}

function endOfSecret(text: string, at: number, needles: NeedleIndex): number {
  for (const candidate of candidatesAt(text, at, needles)) {
    const end = matchEnd(text, at, candidate)
    if (end >= 0) return end
  }
  return -1
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

const namedEntities: Record<string, string> = {
  '&amp;': '&',
  '&lt;': '<',
  '&gt;': '>',
  '&quot;': '"',
  '&apos;': "'",
}

// All of bounded length: a hostile text must not make the search quadratic.
const percentByte = /%(?:25){0,4}([0-9A-Fa-f]{2})/y
const unicodeEscape = /\\{1,8}u([0-9A-Fa-f]{4})/y
const backslashes = /\\{1,8}/y
const entity = /&(?:#0{0,8}(\d{1,7})|#[xX]0{0,8}([0-9A-Fa-f]{1,6})|[a-z]{2,4});/y

/** The characters of a secret. */
type Needle = readonly string[]

// What is shown of a secret that was cut: less of it says nothing.
const shortestCut = 4
// Where a text was cut, maybe within a character or within an escape.
const cut =
  /(?:%(?:25){0,4}[0-9A-Fa-f]{2}|\\{1,8}u[0-9A-Fa-f]{4}){0,3}(?:%(?:25){0,4}[0-9A-Fa-f]?|\\{1,8}(?:u[0-9A-Fa-f]{0,3})?|&(?:#[xX]?[0-9A-Fa-f]{0,8}|[a-z]{0,4}))?(?=…)/y

/**
 * Where the secret ends if it stands in the text at that position in any notation, or as much of it as is left of a
 * text that was cut with …; -1 if it does not.
 */
function matchEnd(text: string, start: number, characters: Needle): number {
  let plain = 0
  let reached = start
  // Nearly every text is another at once, in a character that stands for nothing but itself.
  for (; plain < characters.length && !beginsEscape(text.charCodeAt(reached)); plain += 1) {
    const character = characters[plain] as string
    if (!text.startsWith(character, reached)) return plain < shortestCut ? -1 : cutEnd(text, [reached])
    reached += character.length
  }
  // Several at once: a backslash, say, may stand for itself or begin an escape.
  let ends = [reached]
  for (let index = plain; index < characters.length; index += 1) {
    const character = characters[index] as string
    const before = ends
    ends = ends.flatMap((at) => characterEnds(text, at, character))
    if (ends.length > 1) ends = [...new Set(ends)]
    if (ends.length === 0) return index < shortestCut ? -1 : cutEnd(text, before)
  }
  return Math.max(...ends)
}

/** Whether that code unit may stand for another character, alone or with what follows: + % \ &. */
function beginsEscape(codeUnit: number): boolean {
  return codeUnit === 0x2b || codeUnit === 0x25 || codeUnit === 0x5c || codeUnit === 0x26
}

function cutEnd(text: string, ends: readonly number[]): number {
  return Math.max(
    ...ends.map((at) => {
      const found = run(cut, text, at)
      return found === null ? -1 : at + found[0].length
    }),
  )
}

/** Needles by the code unit that they begin with, so that most of a text is passed over at once. */
interface NeedleIndex {
  readonly all: readonly Needle[]
  readonly byFirst: ReadonlyMap<number, readonly Needle[]>
  /** Those that begin with a character beyond ASCII, which is several bytes in UTF-8. */
  readonly beyondAscii: readonly Needle[]
  /** At `pairOf` their first two characters, of ASCII both, a 1: most of a text is passed over by that. */
  readonly pairs: Uint8Array
}

const asciiSize = 0x80
const pairOf = (first: number, second: number): number => first * asciiSize + second

function indexed(secrets: readonly string[]): NeedleIndex {
  // The longest first: one secret may be the beginning of another.
  const longestFirst = [...secrets].sort((one, other) => other.length - one.length)
  const all = longestFirst.map((secret) => [...secret])
  const byFirst = new Map<number, Needle[]>()
  for (const needle of all) {
    const first = needle[0]!.charCodeAt(0)
    const same = byFirst.get(first)
    if (same === undefined) byFirst.set(first, [needle])
    else same.push(needle)
  }
  const beyondAscii = all.filter(([first]) => first!.charCodeAt(0) >= asciiSize)
  return { all, byFirst, beyondAscii, pairs: pairsOf(all) }
}

function pairsOf(needles: readonly Needle[]): Uint8Array {
  const pairs = new Uint8Array(asciiSize * asciiSize)
  for (const needle of needles) {
    const [first, second] = needle.map((character) => character.charCodeAt(0))
    if (first === undefined || first >= asciiSize) continue
    // A secret of one character may have anything behind it.
    if (second === undefined) pairs.fill(1, pairOf(first, 0), pairOf(first + 1, 0))
    else if (second < asciiSize) pairs[pairOf(first, second)] = 1
  }
  return pairs
}

const none: readonly Needle[] = []

/** The needles that may begin at that place of the text. */
function candidatesAt(
  text: string,
  at: number,
  { all, byFirst, beyondAscii, pairs }: NeedleIndex,
): readonly Needle[] {
  const codeUnit = text.charCodeAt(at)
  const next = text.charCodeAt(at + 1)
  // Two characters that both stand for nothing but themselves.
  const plain = codeUnit < asciiSize && next < asciiSize && !beginsEscape(codeUnit) && !beginsEscape(next)
  if (plain && pairs[pairOf(codeUnit, next)] === 0) return none
  // A backslash may begin an escape of any character, and so may an entity; a plus may stand for a space.
  if (codeUnit === 0x5c || (codeUnit === 0x26 && run(entity, text, at) !== null)) return all
  if (codeUnit === 0x2b && byFirst.has(0x20)) return all
  if (codeUnit !== 0x25) return byFirst.get(codeUnit) ?? none
  const byte = run(percentByte, text, at)?.[1]
  const code = byte === undefined ? 0x25 : Number.parseInt(byte, 16)
  // A percent sign may also be a character of a secret as it stands.
  if (byFirst.has(0x25)) return all
  return code > 0x7f ? beyondAscii : (byFirst.get(code) ?? none)
}

function characterEnds(text: string, at: number, character: string): number[] {
  const literal = text.startsWith(character, at) ? [at + character.length] : []
  const first = text[at]
  if (first === '+' && character === ' ') return [at + 1]
  if (first === '%') return [...literal, ...percentEnd(text, at, character)]
  if (first === '\\') return [...literal, ...backslashEnds(text, at, character)]
  if (first === '&') return [...literal, ...entityEnd(text, at, character)]
  return literal
}

function percentEnd(text: string, start: number, character: string): number[] {
  let at = start
  for (const byte of character < '\x80' ? [character.charCodeAt(0)] : Buffer.from(character)) {
    const found = run(percentByte, text, at)
    if (!found || Number.parseInt(found[1]!, 16) !== byte) return []
    at += found[0].length
  }
  return [at]
}

function backslashEnds(text: string, start: number, character: string): number[] {
  const slashes = run(backslashes, text, start)![0].length
  // One that was escaped again and again is a run of them.
  if (character === '\\') {
    const escaped = Array.from({ length: slashes }, (_, more) => start + more + 1)
    return [...escaped, ...unicodeEnd(text, start, character)]
  }
  const escaped = (character === '"' || character === '/') && text[start + slashes] === character
  return escaped ? [start + slashes + 1] : unicodeEnd(text, start, character)
}

function unicodeEnd(text: string, start: number, character: string): number[] {
  let at = start
  for (let unit = 0; unit < character.length; unit++) {
    const found = run(unicodeEscape, text, at)
    if (!found || Number.parseInt(found[1]!, 16) !== character.charCodeAt(unit)) return []
    at += found[0].length
  }
  return [at]
}

function entityEnd(text: string, at: number, character: string): number[] {
  const found = run(entity, text, at)
  if (!found) return []
  const [whole, decimal, hex] = found
  const code = decimal
    ? Number(decimal)
    : hex
      ? Number.parseInt(hex, 16)
      : namedEntities[whole]?.codePointAt(0)
  return code === character.codePointAt(0) ? [at + whole.length] : []
}

function run(pattern: RegExp, text: string, at: number): RegExpExecArray | null {
  pattern.lastIndex = at
  return pattern.exec(text)
}

export const hidden = '***'

/** In place of an e-mail address. */
export const hiddenAddress = '***@***'
