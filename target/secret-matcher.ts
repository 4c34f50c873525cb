/** Finds a secret in a text however it is written: plain, percent-encoded, as JSON or HTML escapes, or mixed. */

const namedEntities: Record<string, string> = {
  '&amp;': '&',
  '&lt;': '<',
  '&gt;': '>',
  '&quot;': '"',
  '&apos;': "'",
}

const percentByte = /%(?:25)*([0-9A-Fa-f]{2})/y
const unicodeEscape = /\\+u([0-9A-Fa-f]{4})/y
const backslashEscape = /\\+(["/\\])/y
const entity = /&(?:#0*(\d{1,7})|#[xX]0*([0-9A-Fa-f]{1,6})|[a-z]{2,4});/y

/** A secret, ready to be looked for. */
export interface Needle {
  readonly characters: readonly string[]
}

export function needle(secret: string): Needle {
  return { characters: [...secret] }
}

/** Where the secret ends if it stands in the text at that position in any notation; -1 if it does not. */
export function matchEnd(text: string, start: number, { characters }: Needle): number {
  let at = start
  for (const character of characters) {
    const end = characterEnd(text, at, character)
    if (end < 0) return -1
    at = end
  }
  return at
}

/** Whether a secret that begins with that character could begin with this code unit. */
export function mayBegin(codeUnit: number, character: string): boolean {
  // An escape, an entity or a plus may stand for any character.
  if (codeUnit === 0x25 || codeUnit === 0x5c || codeUnit === 0x26 || codeUnit === 0x2b) return true
  return codeUnit === character.charCodeAt(0)
}

function characterEnd(text: string, at: number, character: string): number {
  if (text.startsWith(character, at)) {
    const escaped = character === '\\' ? run(backslashEscape, text, at) : null
    return escaped?.[1] === '\\' ? at + escaped[0].length : at + character.length
  }
  const first = text[at]
  if (first === '+' && character === ' ') return at + 1
  if (first === '%') return percentEnd(text, at, character)
  if (first === '\\') return backslashEnd(text, at, character)
  if (first === '&') return entityEnd(text, at, character)
  return -1
}

function percentEnd(text: string, start: number, character: string): number {
  let at = start
  for (const byte of Buffer.from(character)) {
    const found = run(percentByte, text, at)
    if (!found || Number.parseInt(found[1]!, 16) !== byte) return -1
    at += found[0].length
  }
  return at
}

function backslashEnd(text: string, start: number, character: string): number {
  const simple = run(backslashEscape, text, start)
  if (simple?.[1] === character) return start + simple[0].length
  let at = start
  for (let unit = 0; unit < character.length; unit++) {
    const found = run(unicodeEscape, text, at)
    if (!found || Number.parseInt(found[1]!, 16) !== character.charCodeAt(unit)) return -1
    at += found[0].length
  }
  return at
}

function entityEnd(text: string, at: number, character: string): number {
  const found = run(entity, text, at)
  if (!found) return -1
  const [whole, decimal, hex] = found
  const code = decimal
    ? Number(decimal)
    : hex
      ? Number.parseInt(hex, 16)
      : namedEntities[whole]?.codePointAt(0)
  return code === character.codePointAt(0) ? at + whole.length : -1
}

function run(pattern: RegExp, text: string, at: number): RegExpExecArray | null {
  pattern.lastIndex = at
  return pattern.exec(text)
}
