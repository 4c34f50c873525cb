/** Hides known secrets in every usual encoding. */
import { type Finder, hideIn, reading, type Stretch } from './reading.ts'

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
  if (needles.length === 0) return () => []
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
