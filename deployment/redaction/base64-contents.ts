/** Hides Base64 that holds what must not be shown: known keys, DER of keys and certificates, addresses, PEM. */
import { hideAddresses } from './addresses.ts'
import type { KeyMaterial, Stretch } from './key-material.ts'
import { writtenAt } from './notation.ts'
import { hidden } from './secret-hider.ts'

// Of ASCII only: by chance it stands in hardly any bytes.
const address = /[A-Za-z0-9._+-]{2,64}@(?:[A-Za-z0-9-]{1,63}\.){1,8}[A-Za-z]{2,24}/g
// Letters that stand for -----BEGIN or @ among others, wherever in them the Base64 begins: all that tells has them.
const mayTell = /LS0t|Q[A-P]|[EUk0][A-D]|[BFJNRVZdhlptx159]A/
// The letter with which the tag of a structure begins.
const tagLetter = 'M'
// What is smaller holds neither a key nor a certificate.
const smallestDer = 60

/** The text with such Base64 replaced. `certificates`: also certificates in DER that are not known. */
export function hideBase64(
  text: string,
  { material, certificates }: { material: KeyMaterial | undefined; certificates: boolean },
): string {
  let result = ''
  let kept = 0
  for (const run of base64Runs(text)) {
    const stretches = [
      ...(material?.stretchesIn(run) ?? []),
      ...derIn(run, certificates),
      ...(tells(run.letters) ? [[0, run.letters.length] as const] : []),
    ]
    for (const [from, to] of stretches.sort(([one], [other]) => one - other)) {
      const start = Math.max(kept, run.placeOf(from))
      const end = run.placeOf(to)
      if (end <= start) continue
      result += text.slice(kept, start) + hidden
      kept = end
    }
  }
  return kept === 0 ? text : result + text.slice(kept)
}

/** Whether an address or a PEM block stands in it, wherever in it the Base64 begins. */
function tells(letters: string): boolean {
  if (!mayTell.test(letters)) return false
  return [0, 1, 2, 3].some((offset) => {
    const bytes = Buffer.from(letters.slice(offset), 'base64').toString('latin1')
    if (bytes.includes('-----BEGIN ')) return true
    if (!bytes.includes('@')) return false
    return (bytes.match(address) ?? []).some((found) => hideAddresses(found) !== found)
  })
}

/** Keys, and certificates where asked for, in DER: each begins a line. */
function derIn({ letters, lines }: Base64Run, certificates: boolean): Stretch[] {
  const found: Stretch[] = []
  for (const from of lines) {
    if (letters[from] !== tagLetter || from < (found.at(-1)?.[1] ?? 0)) continue
    const size = derSize(Buffer.from(letters.slice(from, from + 16), 'base64'), certificates)
    if (size > 0) found.push([from, Math.min(letters.length, from + Math.ceil((size * 4) / 3))])
  }
  return found
}

/** The size in bytes of the structure that begins so; 0 where it is neither a key nor a certificate. */
function derSize(bytes: Buffer, certificates: boolean): number {
  const [tag, length = 0, high = 0, low = 0] = bytes
  if (tag !== 0x30) return 0
  const [head, size] = length < 0x80 ? [2, length] : length === 0x81 ? [3, high] : [4, high * 256 + low]
  if (length === 0x80 || length > 0x82 || size < smallestDer) return 0
  const [first, second, third] = bytes.subarray(head)
  // A key begins with its version, a small number; a certificate with a sequence.
  const isKey = first === 0x02 && second === 0x01 && third !== undefined && third <= 3
  return isKey || (certificates && first === 0x30) ? head + size : 0
}

/** A stretch of Base64, with `+` and `/` whatever its alphabet, without padding and line breaks. */
export interface Base64Run {
  readonly letters: string
  /** Where that letter begins in the text; for the number of all letters, where the last one ends. */
  placeOf(letter: number): number
  /** Numbers of the letters with which a line begins, the first of them 0. */
  readonly lines: readonly number[]
}

// Too short for an address.
const shortest = 8

/** Letters that stand side by side in the text: the number of the first, and where it begins. */
type LineStart = readonly [letter: number, place: number]

/** The runs of that text, from left to right. */
function base64Runs(text: string): Base64Run[] {
  const runs: Base64Run[] = []
  let letters = ''
  let stretches: LineStart[] = []
  let lines: number[] = []
  let end = 0
  let newLine = true
  const close = () => {
    if (letters.length >= shortest) runs.push(runOf(letters, stretches, lines, end))
    if (letters !== '') [letters, stretches, lines] = ['', [], []]
    newLine = true
  }
  const take = (start: number, taken: string) => {
    if (newLine) lines.push(letters.length)
    newLine = false
    stretches.push([letters.length, start])
    letters += taken
  }
  for (let at = 0; at < text.length; ) {
    const start = at
    while (alphabet[text.charCodeAt(at)] !== undefined) at += 1
    if (at > start) {
      take(start, inStandardAlphabet(text.slice(start, at)))
      end = at
      continue
    }
    let code = text.charCodeAt(at)
    if (mayEscape(code)) {
      const written = writtenAt(text, at)
      code = written.code
      at = written.end
    } else at += 1
    const letter = alphabet[code]
    if (letter !== undefined) {
      take(start, letter)
      end = at
    } else if (code === 0x0a || code === 0x0d) newLine = true
    else close()
  }
  close()
  return runs
}

function runOf(
  letters: string,
  stretches: readonly LineStart[],
  lines: readonly number[],
  end: number,
): Base64Run {
  const placeOf = (letter: number): number => {
    if (letter === letters.length) return end
    // By halves: a hostile text has as many stretches as letters.
    let from = 0
    for (let to = stretches.length; to - from > 1; ) {
      const middle = (from + to) >> 1
      if ((stretches[middle] as LineStart)[0] <= letter) from = middle
      else to = middle
    }
    const [first, place] = stretches[from] as LineStart
    return place + letter - first
  }
  return { letters, placeOf, lines }
}

const inStandardAlphabet = (letters: string): string =>
  /[-_]/.test(letters) ? letters.replaceAll('-', '+').replaceAll('_', '/') : letters

/** The letters alone, as runs have them. */
export function base64Letters(text: string): string {
  return text
    .replaceAll('-', '+')
    .replaceAll('_', '/')
    .replace(/[^A-Za-z0-9+/]/g, '')
}

const mayEscape = (code: number): boolean => code === 0x25 || code === 0x5c || code === 0x26

/** The letters by their codes. */
const alphabet: string[] = []
for (const letter of 'ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/') {
  alphabet[letter.charCodeAt(0)] = letter
}
alphabet[0x2d] = '+'
alphabet[0x5f] = '/'
