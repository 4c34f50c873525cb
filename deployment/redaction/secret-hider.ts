/** Hides secrets that are known, however they are written or encoded. */
import { candidatesAt, indexed, matchEnd, type NeedleIndex, needle } from './secret-matcher.ts'

export interface SecretHider {
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
  const needles = indexOf(notations)
  return {
    longest: longestNotation * Math.max(0, ...notations.map(({ length }) => length)),
    text: (text) => hideNeedles(text, needles, shown),
  }
}

// The longest first: one secret may be the beginning of another.
function indexOf(secrets: readonly string[]): NeedleIndex {
  return indexed([...secrets].sort((one, other) => other.length - one.length).map(needle))
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
