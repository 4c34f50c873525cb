/** Hides e-mail addresses: whoever answers at one may be a real person, unless its domain is reserved for examples. */

import { type Replacement, reading, withReplacements } from './notation.ts'
import { hiddenAddress } from './secret-hider.ts'

// Up to U+00FF it may be one byte of a character: headers are read byte by byte, and what was percent-encoded is as well.
const word = String.raw`(?:[\w\u0080-\u00ff]|(?![\p{Z}\p{P}\p{C}])[\u0100-\uffff])`
// Longer ones are no addresses; bounds keep the search linear. No mark begins one in practice.
const address = new RegExp(
  String.raw`@(?<=("[^"]{0,254}"|${word}(?:${word}|[.+\-'!~]){0,255})@)(?:\[((?:${word}|[-.:]){1,255})\]|((?:${word}|[-.]){1,255}))`,
  'gu',
)
const domain =
  /^[a-z0-9\u0080-\uffff-]+(?:\.[a-z0-9\u0080-\uffff-]+)*\.(?:xn--[a-z0-9-]{2,}|[a-z\u0080-\uffff]{2,})/i
// RFC 2606 and RFC 6761: nobody can have an address there.
const reserved = /(?:^|\.)(?:example\.(?:com|net|org)|example|test|invalid|localhost)$/i

/** The text with every address in it replaced, however it is written; those at domains for examples remain. */
export function hideAddresses(text: string): string {
  const { letters, placeOf } = reading(text.replace(/[\u00a0«»]/g, ' '))
  const found = [...letters.matchAll(address)].flatMap(({ index, 0: rest, 1: local = '', 3: host }) => {
    const length = host === undefined ? rest.length : '@'.length + domainLength(letters, index + 1, host)
    if (length === '@'.length) return []
    return [[...placeOf([index - local.length, index + length]), hiddenAddress] as Replacement]
  })
  return withReplacements(text, found)
}

/** How many letters of what stands behind the @ are a domain; 0 where none is, or one for examples. */
function domainLength(letters: string, start: number, host: string): number {
  // An address may have been cut before the end of its domain is known.
  if (letters[start + host.length] === '…') return host.length
  const found = domain.exec(host)?.[0] ?? ''
  return reserved.test(found) ? 0 : found.length
}
